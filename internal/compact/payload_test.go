package compact

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// An oddity is how one row differs from the others, and what of it must be in
// the result.
type oddity struct {
	name   string
	change func(row map[string]any) (want string)
}

var oddities = []oddity{
	{"status and note", func(r map[string]any) string { r["status"], r["note"] = "HALTED", "disk full"; return "disk full" }},
	{"status", func(r map[string]any) string { r["status"] = "paused"; return "paused" }},
	{"note", func(r map[string]any) string { r["note"] = "no quota left"; return "no quota left" }},
	{"null", func(r map[string]any) string { r["note"] = nil; return "null" }},
	{"empty", func(r map[string]any) string { r["owner"] = ""; return `""` }},
	{"missing", func(r map[string]any) string { delete(r, "owner"); return "" }},
	{"extra", func(r map[string]any) string { r["blockedBy"] = "lease-9"; return "lease-9" }},
	{"number", func(r map[string]any) string { r["ms"] = 98765; return "98765" }},
	{"negative", func(r map[string]any) string { r["ms"] = -1; return "-1" }},
	{"type", func(r map[string]any) string { r["ms"] = "n/a"; return "n/a" }},
	{"bool", func(r map[string]any) string { r["live"] = false; return "false" }},
	{"longer", func(r map[string]any) string {
		r["owner"] = "moved to another team " + strings.Repeat("and back ", 12)
		return "moved to another team"
	}},
	{"nested", func(r map[string]any) string { r["spec"].(map[string]any)["tier"] = "gold"; return "gold" }},
	{"deep", func(r map[string]any) string {
		r["spec"].(map[string]any)["limits"].(map[string]any)["cpu"] = "64"
		return "64"
	}},
	{"in a list", func(r map[string]any) string { r["tags"] = []any{"a", "zz9"}; return "zz9" }},
	{"list not empty", func(r map[string]any) string { r["problems"] = []any{map[string]any{"at": "gate 7"}}; return "gate 7" }},
}

var owners = []string{"Aiko", "Bram", "Chidi", "Dora", "Emeka", "Farah", "Goran", "Hana", "Ines", "Jomo", "Kofi", "Lena"}

// rowOf is an ordinary row. Some of its columns are different in each.
func rowOf(r *rand.Rand, i int, columns int) map[string]any {
	row := map[string]any{
		"id": i, "status": "ok", "note": "done in time", "live": true, "ms": 10 + r.IntN(30), "tags": []any{"a", "b"}, "problems": []any{},
		"owner": owners[r.IntN(len(owners))] + " " + owners[r.IntN(len(owners))],
		"spec":  map[string]any{"tier": "basic", "limits": map[string]any{"cpu": "2", "memory": "512Mi"}},
	}
	more := []func(){
		func() {
			row["uuid"] = fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", r.Uint32(), r.IntN(1<<16), r.IntN(1<<12), r.IntN(1<<12), r.Int64N(1<<48))
		},
		func() {
			row["at"] = fmt.Sprintf("2026-11-%02dT%02d:%02d:%02dZ", 1+i%28, r.IntN(24), r.IntN(60), r.IntN(60))
		},
		func() { row["host"] = fmt.Sprintf("web-%d.example.com", r.IntN(9000)) },
		func() { row["region"] = []string{"eu", "us", "ap"}[r.IntN(3)] },
		func() { row["size"] = r.Float64() * 100 },
		func() { row["path"] = fmt.Sprintf("src/mod%d/file%d.ts", r.IntN(20), i) },
		func() { row["sha"] = fmt.Sprintf("%040x", r.Uint64()) },
		func() { row["retries"] = r.IntN(3) },
	}
	for j := range min(columns, len(more)) {
		more[j]()
	}
	return row
}

// document puts rows into a document of some shape.
func document(shape int, rows []map[string]any) any {
	switch shape {
	case 1:
		return map[string]any{"total": len(rows), "items": rows, "next": nil}
	case 2:
		return map[string]any{"data": map[string]any{"result": map[string]any{"rows": rows}}, "ok": true}
	case 3:
		byID := map[string]any{}
		for _, r := range rows {
			byID[fmt.Sprintf("job-%v", r["id"])] = r
		}
		return byID
	case 4:
		var groups []any
		for i := 0; i < len(rows); i += 20 {
			groups = append(groups, map[string]any{"group": i / 20, "members": rows[i:min(i+20, len(rows))]})
		}
		return groups
	case 5:
		return map[string]any{"clusters": []any{map[string]any{"name": "c1", "nodes": map[string]any{"jobs": rows}}}}
	}
	return rows
}

func written(format int, doc any) string {
	var out []byte
	switch format {
	case 0:
		out, _ = json.Marshal(doc)
	case 1:
		out, _ = json.MarshalIndent(doc, "", "  ")
	case 2:
		out, _ = json.MarshalIndent(doc, "", "\t")
	case 3:
		out, _ = json.MarshalIndent(doc, "", "    ")
	}
	return string(out)
}

func lined(rows []map[string]any) string {
	var b strings.Builder
	for _, r := range rows {
		line, _ := json.Marshal(r)
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// The row that is unlike the others is in the result, whatever makes it so,
// wherever it is and however the document is written.
func TestOddRowsSurvive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 20))
	commands := []string{"cat data.json", "curl -s http://127.0.0.1/x", "gh api repos/o/r/x", "jq -c . data.json", "node dump.js", "kubectl get pods -o json", "aws ecs list", "psql -At -c q"}
	lost, all := map[string]int{}, 0
	rounds := 2
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		for _, odd := range oddities {
			for shape := range 7 {
				all++
				n := []int{40, 400, 400, 400, 1200}[r.IntN(5)]
				columns := r.IntN(9)
				var rows []map[string]any
				for i := range n {
					rows = append(rows, rowOf(r, i, columns))
				}
				var wants []string
				times := []int{1, 1, 3, 10}[r.IntN(4)]
				if n == 40 {
					times = 1
				}
				for _, i := range r.Perm(n)[:times] {
					row := rows[i]
					row["id"] = 6_000_001 + i*2500
					wants = append(wants, fmt.Sprint(row["id"]))
					wants = append(wants, odd.change(row))
				}
				for i, row := range rows {
					if row["id"] == i {
						row["id"] = 6_000_000 + i*2500
					}
				}
				format := r.IntN(4)
				text := ""
				if shape == 6 {
					text = lined(rows)
				} else {
					text = written(format, document(shape, rows))
				}
				command := commands[r.IntN(len(commands))]
				res := Compact(Envelope{Command: command, CombinedText: text}, Options{Level: Normal})
				for _, want := range wants {
					if !strings.Contains(res.Reduced, want) {
						lost[odd.name]++
						if lost[odd.name] == 1 {
							t.Logf("%s, shape %d, format %d, %d of %d rows, %d more columns, %s: lost %q; %d bytes of %d", odd.name, shape, format, times, n, columns, command, want, len(res.Reduced), len(text))
						}
						break
					}
				}
				if !res.Meta.Unchanged && len(res.Reduced) > 40_000 {
					t.Errorf("%d bytes are shown of %d", len(res.Reduced), len(text))
				}
			}
		}
	}
	sum := 0
	for _, n := range lost {
		sum += n
	}
	if sum*100 > all {
		t.Errorf("%d of %d odd rows are lost: %v", sum, all, lost)
	} else {
		t.Logf("%d of %d are lost: %v", sum, all, lost)
	}
}

// A line of many megabytes is read in pieces, and none of it is held for long.
func TestOddRowOfALongLine(t *testing.T) {
	for _, change := range []func(r map[string]any){
		func(r map[string]any) { r["status"], r["note"] = "FAILED", "disk full" },
		func(r map[string]any) { r["note"] = "disk full, said [the ,{\"kernel\"}," + strings.Repeat("x, ", 20) },
	} {
		rows := make([]map[string]any, 40_000)
		for i := range rows {
			rows[i] = map[string]any{"id": i, "name": fmt.Sprintf("job%d", i), "status": "ok", "note": "done in time, they say"}
		}
		change(rows[31_217])
		text := written(0, map[string]any{"jobs": rows, "more": false})
		res := Compact(Envelope{Command: "cat data.json", CombinedText: text}, Options{Level: Normal})
		stream := NewStream(Envelope{Command: "cat data.json"}, Options{Level: Normal})
		for i := 0; i < len(text); i += 70_001 {
			stream.Write([]byte(text[i:min(len(text), i+70_001)]))
		}
		for _, got := range []string{res.Reduced, stream.Finish(nil).Reduced} {
			for _, want := range []string{"disk full", "job31217", "40,000 entries", `"more":false`} {
				if !strings.Contains(got, want) {
					t.Errorf("lost %q in %.3000s", want, got)
				}
			}
			if len(got) > 8000 {
				t.Errorf("%d bytes", len(got))
			}
		}
	}
}

// So it is in a log with an entry a line, which has a parser of its own.
func TestOddEntryOfALogSurvives(t *testing.T) {
	for name, odd := range map[string]string{
		"a field":   `{"level":"info","ts":1795221021954,"msg":"station is synced","rows":24,"ms":7,"skipped":"lease-9"}`,
		"a value":   `{"level":"info","ts":1795221021954,"msg":"station is synced","rows":null,"ms":7}`,
		"a number":  `{"level":"info","ts":1795221021954,"msg":"station is synced","rows":24,"ms":90512}`,
		"a message": `{"level":"info","ts":1795221021954,"msg":"switched to the replica","rows":24,"ms":7}`,
	} {
		for _, command := range []string{"cat app.log", "node server.js", "kubectl logs web-1"} {
			var b strings.Builder
			for i := range 600 {
				if i == 333 {
					b.WriteString(odd + "\n")
					continue
				}
				fmt.Fprintf(&b, `{"level":"info","ts":%d,"msg":"station is synced","rows":%d,"ms":%d}`+"\n", 1795221000000+i*41, 20+i%9, 3+i%11)
			}
			res := Compact(Envelope{Command: command, CombinedText: b.String()}, Options{Level: Normal})
			if !strings.Contains(res.Reduced, odd) || len(res.Reduced) > 6000 {
				t.Errorf("%s, %s: in %d bytes\n%.1500s", name, command, len(res.Reduced), res.Reduced)
			}
		}
	}
}

// table writes rows as tools draw them; the first row is the header.
func table(form string, rows [][]string) string {
	wide := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			wide[i] = max(wide[i], len(c))
		}
	}
	var b strings.Builder
	for i, r := range rows {
		cells := make([]string, len(r))
		rule := make([]string, len(r))
		for j, c := range r {
			cells[j] = c + strings.Repeat(" ", wide[j]-len(c))
			rule[j] = strings.Repeat("-", wide[j]+2)
		}
		switch form {
		case "psql":
			b.WriteString(" " + strings.Join(cells, " | ") + "\n")
			if i == 0 {
				b.WriteString(strings.Join(rule, "+") + "\n")
			}
		case "mysql", "markdown":
			if i == 0 && form == "mysql" {
				b.WriteString("+" + strings.Join(rule, "+") + "+\n")
			}
			b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
			if i == 0 {
				b.WriteString("|" + strings.Join(rule, "|") + "|\n")
			}
		case "box":
			b.WriteString("│ " + strings.Join(cells, " │ ") + " │\n")
			if i == 0 {
				b.WriteString("├" + strings.Join(rule, "┼") + "┤\n")
			}
		case "csv":
			b.WriteString(strings.Join(r, ",") + "\n")
		case "tsv":
			b.WriteString(strings.Join(r, "\t") + "\n")
		case "columns":
			b.WriteString(strings.TrimRight(strings.Join(cells, "   "), " ") + "\n")
		}
	}
	return b.String()
}

func TestOddRowOfATableSurvives(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	commands := map[string][]string{
		"psql": {"psql -c q", "./report.sh"}, "mysql": {"mysql -e q", "./report.sh"}, "markdown": {"sqlite3 -markdown x q", "./report.sh"}, "box": {"sqlite3 -box x q"},
		"csv": {"cat data.csv", "psql --csv -c q", "./dump"}, "tsv": {"mysql -B -e q", "./dump"}, "columns": {"docker ps -a", "kubectl get pods", "kubectl get pods -A | grep x", "ps aux"},
	}
	for form, all := range commands {
		for odd, cells := range map[string][]string{"status": {"paused", "done in time"}, "note": {"ok", "lease moved"}, "failure": {"FAILED", "disk full"}} {
			rows := [][]string{{"ID", "NAME", "OWNER", "STATUS", "MS", "NOTE"}}
			for i := range 400 {
				rows = append(rows, []string{fmt.Sprint(1000 + i), owners[r.IntN(12)] + "-" + owners[r.IntN(12)], strings.ToLower(owners[r.IntN(12)]), "ok", fmt.Sprint(10 + r.IntN(30)), "done in time"})
			}
			rows[217][3], rows[217][5] = cells[0], cells[1]
			text := table(form, rows)
			for _, command := range all {
				res := Compact(Envelope{Command: command, CombinedText: text}, Options{Level: Normal})
				if !strings.Contains(res.Reduced, "1216") || !strings.Contains(res.Reduced, cells[0]) || !strings.Contains(res.Reduced, cells[1]) || len(res.Reduced)*10 > len(text)*6 {
					t.Errorf("%s, %s, by %s: %d bytes of %d\n%.800s", form, odd, command, len(res.Reduced), len(text), res.Reduced)
				}
			}
		}
	}
}

// Hosts leave out the middle of a long output: what is on either side of it is
// read all the same.
func TestOddRowBesideAHoleSurvives(t *testing.T) {
	rows := make([]map[string]any, 400)
	for i := range rows {
		rows[i] = map[string]any{"id": i, "name": fmt.Sprintf("job%d", i), "status": "ok", "note": "done in time"}
	}
	for _, at := range []int{70, 333} {
		change := rows[at]["note"]
		rows[at]["note"] = "disk full"
		for format := range 2 {
			for _, doc := range []any{rows, map[string]any{"items": rows, "more": false}} {
				text := written(format, doc)
				text = text[:len(text)*2/5] + "\n\n... [9,123 characters truncated] ...\n\n" + text[len(text)*3/5:]
				for _, command := range []string{"cat data.json", "curl -s http://127.0.0.1/x", "node dump.js"} {
					res := Compact(Envelope{Command: command, CombinedText: text}, Options{Level: Normal})
					if !strings.Contains(res.Reduced, "disk full") || !strings.Contains(res.Reduced, fmt.Sprintf("job%d", at)) || !strings.Contains(res.Reduced, "characters truncated") || len(res.Reduced) > 9000 {
						t.Errorf("row %d, format %d, by %s: %d of %d bytes\n%.2500s", at, format, command, len(res.Reduced), len(text), res.Reduced)
					}
				}
			}
		}
		rows[at]["note"] = change
	}
}

// The progress meter of curl -v in the midst of a document, in a string of it
// even, is not a hole in it.
func TestMeterWithinJSON(t *testing.T) {
	var rows []string
	for i := range 200 {
		rows = append(rows, fmt.Sprintf(`{"sku": "SKU-%d", "title": "Bread no. %d", "ok": %v}`, i, i, i != 170))
	}
	doc := "[" + strings.Join(rows, ", ") + "]"
	meter := "100 34231  100 34231    0     0  1492k      0 --:--:-- --:--:-- --:--:-- 1519k\n* Connection #0 to host 127.0.0.1 left intact\n"
	for name, at := range map[string]string{"in a string": "Bread no. 160", "between": `, {"sku": "SKU-161"`, "before a colon": `: "Bread no. 162"`} {
		i := strings.Index(doc, at) + 1
		for _, before := range []string{"\r", "\n"} {
			res := Compact(Envelope{Command: "curl -v http://127.0.0.1:80/a.json", CombinedText: "* Connected to 127.0.0.1 (127.0.0.1) port 80 (#0)\n> GET /a.json HTTP/1.1\n< HTTP/1.1 200 OK\n< \n{ [16384 bytes data]\n" + doc[:i] + before + meter + doc[i:]}, Options{Level: Normal})
			if strings.Contains(res.Reduced, "breaks off") || !strings.Contains(res.Reduced, "< HTTP/1.1 200 OK") || !strings.Contains(res.Reduced, "SKU-170") || strings.Contains(res.Reduced, "1492k") {
				t.Errorf("%s, %q: became\n%s", name, before, res.Reduced)
			}
		}
	}
}

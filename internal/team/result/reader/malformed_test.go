package reader

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"cairn/internal/team/result"
	"cairn/test/cairntest"
)

// sentence fails unless an error is one that a person can read.
func sentence(t testing.TB, name string, err error) {
	t.Helper()
	s := err.Error()
	if strings.ContainsAny(s, "\n\r\x1b\x00") || len(s) > 600 || !strings.HasPrefix(s, name+": ") ||
		strings.Contains(s, "jsontext") || strings.Contains(s, "reader.") || strings.Contains(s, "unmarshal") || strings.Contains(s, "Go type") {
		t.Errorf("no sentence: %q", s)
	}
}

// whole fails unless a run that was read can be stored.
func stored(t testing.TB, f File) {
	t.Helper()
	for _, run := range f.Runs {
		out, err := result.Encode(run)
		if err != nil {
			t.Errorf("what was read cannot be written: %v", err)
			return
		}
		if _, _, err := result.Decode(out); err != nil {
			t.Errorf("what was written cannot be read: %v\n%.2000s", err, out)
		}
		if err := run.Identify(); err != nil {
			t.Error(err)
		}
	}
	for _, w := range f.Warnings {
		if strings.ContainsAny(w, "\n\x1b") {
			t.Errorf("no sentence: %q", w)
		}
	}
}

// A file that was cut says so. In formats of lines a cut between two cannot be
// seen; go test's stream is read up to the cut, and what is open is an error.
func TestTruncated(t *testing.T) {
	for _, w := range wants {
		data := sample(t, w.file)
		for i := 1; i < 20; i++ {
			f, err := Read(w.file, data[:len(data)*i/20])
			if err != nil {
				sentence(t, w.file, err)
				continue
			}
			stored(t, f)
			switch run := f.Runs[0]; {
			case f.Format == "go test -json" && len(f.Warnings) > 0:
			case f.Format == "promptfoo CSV", f.Format == "promptfoo JSONL", f.Format == "promptfoo YAML":
				inLast := len(data)*i/20 > bytes.LastIndex(data, []byte("\n    - cost:")) // of YAML's rows
				if len(run.Results) >= w.results && !(f.Format == "promptfoo YAML" && inLast) {
					t.Errorf("%s: cut at %d/20, and nothing is missing", w.file, i)
				}
			default:
				t.Errorf("%s: cut at %d/20 and read as %s without a word: %+v", w.file, i, f.Format, run.Counts)
			}
		}
	}
}

// Every member with a value of every other type: read or refused, never worse.
func TestWrongTypes(t *testing.T) {
	cairntest.Long(t)
	others := []any{nil, true, "", -1.5, 1e300, []any{[]any{1.0}}, map[string]any{"a": map[string]any{"b": "c"}}}
	tried := 0
	for _, file := range []string{"v1.json", "eval-result.gstack.json", "go-test-count2.json", "inspect.json", "jest-retry-unloadable.json", "vitest.json", "promptfoo-results.json", "promptfoo-results.jsonl", "promptfoo-graded.jsonl", "deepeval.json", "deepeval-conversations.json"} {
		w := want{file: file}
		seen := map[string]bool{}
		lines := [][]byte{sample(t, w.file)}
		if strings.HasPrefix(w.file, "go-test") || strings.HasSuffix(w.file, ".jsonl") {
			lines = bytes.SplitAfter(lines[0], []byte("\n"))
			if strings.HasSuffix(w.file, ".jsonl") {
				lines = lines[:4] // enough to have every member
			}
		}
		for n, line := range lines {
			var doc any
			if json.Unmarshal(line, &doc) != nil {
				continue
			}
			doc = short(doc)
			each(&doc, "", func(path string, v *any) {
				if seen[path] {
					return
				}
				seen[path] = true
				old := *v
				for _, other := range others {
					*v = other
					changed, err := json.Marshal(doc)
					if err != nil {
						t.Fatal(err)
					}
					tried++
					all := append(append(bytes.Join(lines[:n], nil), changed...), '\n')
					f, err := Read(w.file, append(all, bytes.Join(lines[n+1:], nil)...))
					if err != nil {
						sentence(t, w.file, err)
					} else {
						stored(t, f)
					}
					if t.Failed() {
						t.Fatalf("%s: %s = %v", w.file, path, other)
					}
				}
				*v = old
			})
		}
	}
	if tried < 1000 {
		t.Errorf("only %d tried", tried)
	}
}

var inner = regexp.MustCompile(`events|messages|store|attachments|transcript/|config/tests|plan|prompts/`)

// each calls f for every value of a document, once for each shape of path.
func each(v *any, path string, f func(path string, v *any)) {
	if inner.MatchString(path) {
		return
	}
	f(path, v)
	switch x := (*v).(type) {
	case map[string]any:
		for k := range x {
			child := x[k]
			each(&child, path+"/"+k, func(p string, v *any) {
				x[k] = child
				f(p, &child)
				_ = v
			})
			x[k] = child
		}
	case []any:
		for i := range x {
			each(&x[i], path+"/#", f)
		}
	}
}

// short leaves two of each list.
func short(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k := range x {
			x[k] = short(x[k])
		}
	case []any:
		x = x[:min(len(x), 2)]
		for i := range x {
			x[i] = short(x[i])
		}
		return x
	}
	return v
}

func TestMalformed(t *testing.T) {
	cairntest.Long(t)
	deep := strings.Repeat("[", 200_000)
	zipOf := func(entries ...[2]string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, e := range entries {
			w, err := z.Create(e[0])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(e[1])); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	header := `{"version":2,"status":"success","eval":{"task":"t","model":"m"}}`
	method99 := []byte(zipOf([2]string{"header.json", header}))
	method99[bytes.Index(method99, []byte("PK\x01\x02"))+10] = 99
	bomb := strings.Repeat("a", 8<<20)
	anchors := "evalId: x\nresults:\n  version: 3\n  results: []\na0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 12; i++ {
		anchors += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	lol := `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><testsuites><testsuite name="&lol2;"/></testsuites>`
	for _, c := range []struct{ name, data, say string }{
		{"a.json", "", "empty"},
		{"a.json", " \n\t ", "empty"},
		{"a.json", "null", "begins with \"null\""},
		{"a.json", "{", "ends in the middle"},
		{"a.json", "{}", "without members"},
		{"a.json", "[]", "a JSON list"},
		{"a.json", "[1,2", "ends in the middle"},
		{"a.json", `{"a":1}`, "a JSON object with a, not a known format of results"},
		{"a.json", deep, "nested"},
		{"a.json", `{"schema_version":1,"x":` + deep, "nested"},
		{"a.json", `{"evalId":"x","results":` + deep, "a list where an object is wanted"},
		{"a.json", `{"eval":{},"version":2,"status":"x","samples":` + deep, "a list where an object is wanted"},
		{"a.json", `{"testResults":` + deep, "nested"},
		{"a.json", `{"schema_version":1,"schema_version":1,"all_results":[]}`, "twice"},
		{"a.json", `{"schema_version":1,"all_results":[{"name":"a","passed":true,"duration_ms":NaN}]}`, "NaN"},
		{"a.json", `{"schema_version":1,"all_results":[{"name":"a","passed":true,"duration_ms":-1}]}`, "negative"},
		{"a.json", `{"evalId":"x","evalId":"x","results":{}}`, "twice"},
		{"a.json", `{"evalId":"x","results":{"results":[{"success":true,"latencyMs":-3,"testCase":{"description":"d"}}]}}`, `the result "d`},
		{"a.json", `{"evalId":"x","results":{"results":[{"latencyMs":3}]}}`, "success: missing"},
		{"a.json", `{"evalId":"x","results":{"results":{}}}`, "a list is wanted"},
		{"a.json", `{"evalId":"x","results":3}`, "an object is wanted"},
		{"a.json", `{"evalId":"x","results":{"results":[]}} x`, "invalid character"},
		{"a.json", `{"tests":[{"name":"a"}],"total_tests":1}`, "tests[0].passed: missing"},
		{"a.json", `{"tests":[{"name":"a","passed":true}],"total_tests":2}`, "total_tests: 2, but tests hold 1"},
		{"a.json", `{"tests":[],"total_tests":0,"_partial":true}`, "not over"},
		{"a.json", `{"eval":{},"version":9,"status":"x","samples":[{"id":1}]}`, "version: 9"},
		{"a.json", `{"eval":{},"version":2,"status":"x"}`, "without samples"},
		{"a.json", `{"eval":{},"version":2,"status":"x","samples":[{"id":1},{"id":1}]}`, "was already in"},
		{"a.eval", "PK\x03\x04 and nothing", "not a whole zip file"},
		{"a.eval", zipOf([2]string{"x", "y"}), "no .eval of Inspect"},
		{"a.eval", zipOf([2]string{"header.json", header}), "without samples"},
		{"a.eval", zipOf([2]string{"header.json", "{"}), "header.json: line 1: the file ends"},
		{"a.eval", zipOf([2]string{"header.json", header}, [2]string{"samples/../../etc/x.json", "[]"}), "samples/../../etc/x.json: "},
		{"a.eval", zipOf([2]string{"header.json", header}, [2]string{"samples/1_epoch_1.json", bomb}), "unpacks to more than"},
		{"a.zip", string(method99), "method 99"},
		{"a.gz", "\x1f\x8b\x08", "unpack it first"},
		{"a.json", "\xff\xfe{", "UTF-16"},
		{"a.xml", "<", "ends in the middle"},
		{"a.xml", "<testsuites>", "ends in the middle"},
		{"a.xml", "<testsuites><testsuite></testsuites>", "not XML"},
		{"a.xml", "<testsuites><testcase/></testsuites>", "without a name"},
		{"a.xml", "<x/>", "root <x>"},
		{"a.xml", "<TestRun/>", ".trx"},
		{"a.xml", lol, "invalid character entity"},
		{"a.xml", "<testsuites>" + strings.Repeat("<testsuite>", 200), "nested deeper"},
		{"a.xml", "<promptfoo><results>" + strings.Repeat("<results>", 200), "nested deeper"},
		{"a.xml", `<?xml version="1.0" encoding="EBCDIC"?><testsuites/>`, "EBCDIC"},
		{"a.xml", "<testsuite><testcase name='a' time='-4'/></testsuite>junk<", "ends in the middle"},
		{"a.yaml", anchors, "aliases say more"},
		{"a.yaml", "evalId: x\na: &a [*a]\n", "inside what it stands for"},
		{"a.yaml", "evalId: x\na: *b\n", "nothing has the anchor"},
		{"a.yaml", "evalId: x\na: " + deep, "nested deeper"},
		{"a.yaml", "evalId: x\n" + strings.Repeat("- ", 100_000), "nested deeper"},
		{"a.yaml", "evalId: x\na: [", "not YAML"},
		{"a.yaml", "evalId: x\nb: 1\n", "without a list"},
		{"a.csv", "[p] q,Status\nx,MAYBE\n", "MAYBE"},
		{"a.csv", "[p] q,Status\nx\n", "line 2"},
		{"a.csv", "[p] q,Status\n\"x,PASS\n", "line 2"},
		{"a.txt", "ok  \tpkg\t0.1s\n", "go test -json"},
		{"a.txt", "hello", `begins with "hello"`},
		{"a.bin", "\x00\x01\x02", "binary"},
	} {
		_, err := Read(c.name, []byte(c.data))
		if err == nil {
			t.Errorf("%.60q was read", c.data)
			continue
		}
		sentence(t, c.name, err)
		if !strings.Contains(err.Error(), c.say) {
			t.Errorf("%.60q: %v; %q is wanted in it", c.data, err, c.say)
		}
	}
}

// A zip file of a million names, and one that says so without having them.
func TestManyEntries(t *testing.T) {
	end := func(entries int) []byte { // an end of central directory, and its zip64 form
		b := []byte("PK\x03\x04" + strings.Repeat("\x00", 60))
		b = append(b, "PK\x06\x06"...)
		b = append(b, make([]byte, 52)...)
		for k := range 8 {
			b[len(b)-56+32+k] = byte(entries >> (8 * k))
		}
		b = append(b, "PK\x06\x07"...)
		b = append(b, make([]byte, 16)...)
		b = append(b, "PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff"...)
		return append(b, make([]byte, 10)...)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read("a.eval", end(1_000_000))
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "1000000 entries") {
		t.Error(err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
		t.Errorf("%d bytes for a file that is refused", grown)
	}
}

// Too much is refused before it is looked at.
func TestTooLarge(t *testing.T) {
	_, err := Read("a.json", make([]byte, result.MaxBytes+1))
	if err == nil || !strings.Contains(err.Error(), "at most 100 MB") {
		t.Error(err)
	}
	_, err = Read("a.yaml", append([]byte("evalId: x\n"), bytes.Repeat([]byte("a: b\n"), mostYAML/5)...))
	if err == nil || !strings.Contains(err.Error(), "8 MB") {
		t.Error(err)
	}
}

// What has too many elements is refused on the way, before it has eaten the
// memory.
func TestTooManyElements(t *testing.T) {
	data := []byte("<testsuites>" + strings.Repeat("<a/>", mostElements+1) + "</testsuites>")
	if _, err := Read("a.xml", data); err == nil || !strings.Contains(err.Error(), "more than 2000000 elements") {
		t.Error(err)
	}
}

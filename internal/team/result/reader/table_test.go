package reader

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/team/result"
)

var update = flag.Bool("update", false, "write the tables of docs/eval-formats.md")

// TestTable holds the tables of docs/eval-formats.md to what is read.
func TestTable(t *testing.T) {
	const page = "../../../../docs/eval-formats.md"
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := between(t, string(old), "samples", samplesTable(t))
	text = between(t, text, "counts", countsTable(t))
	text = between(t, text, "refused", refusedTable(t))
	if text == string(old) {
		return
	}
	if !*update {
		t.Fatal("docs/eval-formats.md is not what is read; go test ./internal/team/result/reader -run Table -update")
	}
	if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func between(t *testing.T, text, mark, table string) string {
	before, rest, ok := strings.Cut(text, "<!-- "+mark+" -->\n")
	_, after, ok2 := strings.Cut(rest, "<!-- /"+mark+" -->")
	if !ok || !ok2 {
		t.Fatalf("no marks of %s", mark)
	}
	return before + "<!-- " + mark + " -->\n" + table + "<!-- /" + mark + " -->" + after
}

func samplesTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| file | format | kind | results | passed | failed | skipped | errors | attempts > 1 | variants | scores | cost | tokens |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, w := range wants {
		f, run := read1(t, w.file)
		scored, tokens := 0, int64(0)
		for i := range run.Results {
			if r := &run.Results[i]; r.Score != nil || len(r.JudgeScores) > 0 {
				scored++
			}
		}
		for _, c := range run.Costs {
			tokens += c.InputTokens + c.OutputTokens
		}
		g := got(w.file, f)
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %d | %d | %s | %s | %s | %s | %s |\n", g.file, g.format, g.kind, g.results, g.pass, g.fail, g.skip, g.errs,
			blank(int64(g.repeat)), blank(int64(g.variants)), blank(int64(scored)), money(g.cost), blank(tokens))
	}
	return b.String()
}

func countsTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| file | states | read | because |\n|---|---|---|---|\n")
	words := func(n result.Counts) string {
		return fmt.Sprintf("%d passed, %d failed, %d skipped, %d errors", n.Passed, n.Failed, n.Skipped, n.Errored)
	}
	for _, w := range wants {
		if d, ok := differs[w.file]; ok {
			_, run := read1(t, w.file)
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", w.file, words(d.own), words(run.Counts), d.why)
		}
	}
	return b.String()
}

func blank(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func money(f float64) string {
	if f == 0 {
		return ""
	}
	return fmt.Sprintf("$%.4f", f)
}

func refusedTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| file | what Read says |\n|---|---|\n")
	files, err := filepath.Glob("testdata/refused/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Read(filepath.Base(path), data)
		name, said, _ := strings.Cut(fmt.Sprint(err), ": ")
		fmt.Fprintf(&b, "| %s | %s |\n", name, said)
	}
	return b.String()
}

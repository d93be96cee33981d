package query

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var rewrite = flag.Bool("update", false, "write testdata/shapes.txt anew")

// sample copies the sample project, each document changed by fn.
func sample(t *testing.T, fn func([]byte) []byte) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "testdata", "trees", "synth-ws"))); err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob(filepath.Join(dir, ".planning", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(dir, ".planning", "phases", "*", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(documents, more...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, fn(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The keys of every reading call on the sample project, their order and the
// kinds of their values, are those of testdata/shapes.txt: lines of a call and
// its shape, where s is a text, n a number, b a boolean. A list shows its
// first item. And no call cares how the lines of a document end.
func TestShapes(t *testing.T) {
	golden := filepath.Join("testdata", "shapes.txt")
	b, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	plain := sample(t, func(b []byte) []byte { return b })
	others := map[string]string{
		"CRLF":             sample(t, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }),
		"a BOM":            sample(t, func(b []byte) []byte { return append([]byte("\ufeff"), b...) }),
		"no final newline": sample(t, func(b []byte) []byte { return bytes.TrimSuffix(b, []byte("\n")) }),
	}
	env := map[string]string{"GSD_AGENTS_DIR": "none", "TMPDIR": t.TempDir()}
	var now strings.Builder
	for line := range strings.Lines(string(b)) {
		args, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		out, stderr, code := ask(t, plain, env, strings.Fields(args)...)
		got, err := shape(json.NewDecoder(strings.NewReader(out)))
		if err != nil || code != 0 {
			t.Fatalf("%s: %v, exit %d: %s%s", args, err, code, out, stderr)
		}
		fmt.Fprintf(&now, "%s\t%s\n", args, got)
		if got != want && !*rewrite {
			t.Errorf("%s\n got %s\nwant %s", args, got, want)
		}
		for name, dir := range others {
			other, _, _ := ask(t, dir, env, strings.Fields(args)...)
			if got, want := steady(other, dir), steady(out, plain); got != want {
				t.Errorf("%s: with %s it printed\n%s\nwithout\n%s", args, name, got, want)
			}
		}
	}
	if *rewrite {
		if err := os.WriteFile(golden, []byte(now.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// steady takes out what differs from one run, or one copy, to the next, and
// the line ends of texts that are given whole.
func steady(out, dir string) string {
	path, _ := json.Marshal(dir)
	out = strings.ReplaceAll(out, strings.Trim(string(path), `"`), "DIR")
	out = strings.NewReplacer(`\r\n`, `\n`, "\ufeff", "").Replace(out)
	out = strings.ReplaceAll(out, `\n"`, `"`)
	return regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`).ReplaceAllString(out, "TIME")
}

// shape reads one JSON value.
func shape(dec *json.Decoder) (string, error) {
	token, err := dec.Token()
	if err != nil {
		return "", err
	}
	switch v := token.(type) {
	case string:
		return "s", nil
	case float64:
		return "n", nil
	case bool:
		return "b", nil
	case json.Delim:
		var parts []string
		for dec.More() {
			part := ""
			if v == '{' {
				key, err := dec.Token()
				if err != nil {
					return "", err
				}
				part = fmt.Sprint(key) + ":"
			}
			value, err := shape(dec)
			if err != nil {
				return "", err
			}
			if v == '{' || len(parts) == 0 {
				parts = append(parts, part+value)
			}
		}
		_, err := dec.Token()
		if v == '{' {
			return "{" + strings.Join(parts, " ") + "}", err
		}
		return "[" + strings.Join(parts, " ") + "]", err
	}
	return "null", nil
}

// Where there is no plan, every command ends in order, and only those that
// begin one leave files.
func TestEveryCommandWithoutPlan(t *testing.T) {
	begins := map[string]bool{
		"config-ensure-section": true, "config-new-project": true, "workstream create": true,
		"milestone complete": true, "state signal-waiting": true,
	}
	env := map[string]string{"HOME": t.TempDir(), "TMPDIR": t.TempDir(), "GSD_AGENTS_DIR": "none"}
	for _, name := range names() {
		for _, arg := range []string{"", "none.md"} {
			dir := t.TempDir()
			args := append(strings.Fields(name), strings.Fields(arg)...)
			stdout, stderr, code := ask(t, dir, env, args...)
			if code < 0 || code > 2 || code == 0 && stdout == "" && stderr != "" || code == 1 && stderr == "" && stdout == "" {
				t.Errorf("%s: exit %d, %q, %q", args, code, stdout, stderr)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 && !begins[name] {
				t.Errorf("%s left %v, %v", args, left, err)
			}
		}
	}
}

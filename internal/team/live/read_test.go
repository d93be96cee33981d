package live

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A file that a runner wrote for watch can be stored when the run is over.
func TestRead(t *testing.T) {
	const start, a, end = `{"event":"start","suite":"s","total":1}`, `{"event":"case","name":"a","status":"pass"}`, `{"event":"finish"}`
	for _, c := range []struct {
		lines    []string
		total    int
		warnings string
		err      string
	}{
		{[]string{start, a, end}, 1, "", ""},
		{[]string{start, a, "x", `{"name":1}`, end}, 1, "2 lines could not be read, the last is 4: name: a number where a string is wanted", ""},
		{[]string{start, a, `{"event":"running","name":"b"}`}, 1, "the run is not finished; running: 1 test", ""},
		{[]string{start, a, end, start, a, `{"event":"case","name":"b","status":"fail"}`, end}, 2, "left out, as a later one follows: 1 run", ""},
		{[]string{`{"event":"start"}`, `{"event":"finish","error":"no key"}`}, 0, "the runner gave up: no key", ""},
		{[]string{"x", "y"}, 0, "", "line 2: not JSON: invalid character 'y' at start of value"},
		{[]string{`{"event":"weather"}`}, 0, "", "no event of a run in it"},
		{nil, 0, "", "no event of a run in it"},
	} {
		run, warnings, err := Read([]byte(strings.Join(c.lines, "\n")))
		if got := strings.Join(warnings, "; "); got != c.warnings || err == nil != (c.err == "") || err != nil && err.Error() != c.err || err == nil && run.Total != c.total {
			t.Errorf("%q: warnings %q, %v; want %q, %q", c.lines, got, err, c.warnings, c.err)
		}
	}
}

// The example of docs/eval-watch.md does what the page says.
func TestShellExample(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	doc, err := os.ReadFile("../../../docs/eval-watch.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "```sh\n")
	script, _, ok := strings.Cut(rest, "```")
	if !ok || strings.Count(script, "\n") > 6 {
		t.Fatalf("an example of at most six lines is wanted: %q", script)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"one": "exit 0", "two": "exit 1", "three": "true"} {
		file := filepath.Join(dir, "cases", name+".sh")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(sh, "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, ".cairn/evals/live/posts.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	run, warnings, err := Read(data)
	if err != nil || len(warnings) > 0 || !run.Timestamp.IsZero() || run.Suite != "posts" || run.Total != 3 || run.Failed != 1 {
		t.Errorf("%v %q: %+v from %s", err, warnings, run, data)
	}
}

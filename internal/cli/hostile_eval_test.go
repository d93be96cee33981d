//go:build unix

package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"

	"cairn/internal/command"
	"cairn/test/cairntest"
)

// evalCall is how a command line of cairn eval ended.
type evalCall struct {
	code      int
	out, said string
}

// An evalPlace is a home, and the directory in which commands run.
type evalPlace struct{ home, dir string }

func newEvalPlace(t *testing.T) evalPlace { return evalPlace{t.TempDir(), t.TempDir()} }

// write writes a file into the directory and returns its path.
func (p evalPlace) write(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(p.dir, name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// call runs a command line of cairn eval: it ends, does not panic, and sends
// nothing to the terminal that the terminal would obey.
func (p evalPlace) call(t *testing.T, stdin string, args ...string) evalCall {
	t.Helper()
	done := make(chan evalCall, 1)
	go func() {
		var out, errs bytes.Buffer
		defer func() {
			if p := recover(); p != nil {
				done <- evalCall{code: -1, said: fmt.Sprintf("panic: %v\n%s", p, debug.Stack())}
			}
		}()
		set := map[string]string{"HOME": p.home, "CAIRN_HOME": filepath.Join(p.home, ".cairn")}
		env := &Env{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: func(name string) string { return set[name] }, Dir: p.dir}
		args := append([]string{"eval"}, args...)
		root := newRootFor(env, args)
		root.SetArgs(args)
		code := exitCode(env, root.Execute())
		done <- evalCall{code, out.String(), errs.String()}
	}()
	select {
	case c := <-done:
		if c.code < 0 || c.code > command.ExitNet {
			t.Errorf("%.300q: exit %d: %s", args, c.code, c.said)
		}
		for line := range strings.Lines(c.out + "\n" + c.said) {
			line = strings.TrimRight(line, "\n")
			if strings.ContainsFunc(line, obeyed) || workflowCommand(line) {
				t.Errorf("%.300q prints %.300q", args, line)
			}
		}
		return c
	case <-time.After(time.Minute):
		buf := make([]byte, 1<<20)
		t.Fatalf("%.300q hangs\n%s", args, buf[:runtime.Stack(buf, true)])
		return evalCall{}
	}
}

// obeyed is what a terminal does not print: control characters, and what turns
// the direction of writing.
func obeyed(r rune) bool {
	return unicode.IsControl(r) && r != '\t' || r == unicode.ReplacementChar || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// workflowCommand reports whether a job of GitHub Actions would obey a line.
func workflowCommand(line string) bool {
	name, ok := strings.CutPrefix(strings.TrimSpace(line), "::")
	return ok && strings.IndexFunc(name, unicode.IsLower) == 0 || strings.Contains(line, "##[")
}

// refused is the sentence of a call that must have failed with code, "" after
// an error. Warnings may stand before it, a hint behind it.
func (c evalCall) refused(t *testing.T, code int, args []string) string {
	t.Helper()
	sentence := ""
	for line := range strings.Lines(c.said) {
		switch {
		case strings.HasPrefix(line, "cairn: error: ") && sentence == "" && len(line) < 2100:
			sentence = line
		case !strings.HasPrefix(line, "cairn: hint: ") && !strings.HasPrefix(line, "cairn: warning: "):
			t.Errorf("%.200q says also %.300q", args, line)
		}
	}
	if c.code != code || sentence == "" {
		t.Errorf("%.200q: exit %d, %d is wanted: %.500s", args, c.code, code, c.said)
	}
	return sentence
}

func oneResult(members string) string {
	return `{"schema_version":1,"all_results":[{"name":"a","passed":true,` + members + `}]}`
}

// badResults is what is no file of results, by the name of the file.
func badResults(t *testing.T) map[string]string {
	bad := map[string]string{
		"empty.json": "", "space.json": " \n", "nul.json": strings.Repeat("\x00", 1000), "bom.json": "\ufeff", "binary.json": "\x7fELF\x02\x01\x01\x00\xff\xfe", "list.json": "[]", "text.json": `"x"`, "null.json": "null", "object.json": "{}",
		"deep.json": strings.Repeat("[", 100_000), "deeper.json": strings.Repeat(`{"a":`, 100_000), "within.json": oneResult(`"output":{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`),
		"nan.json": oneResult(`"score":NaN`), "infinity.json": oneResult(`"score":-Infinity`), "huge.json": oneResult(`"duration_ms":1e999`), "large.json": oneResult(`"attempt":99999999999999999999`), "negative.json": oneResult(`"cost_usd":-1`),
		"member twice.json": oneResult(`"name":"b"`), "case twice.json": oneResult(`"status":"pass"},{"name":"a","passed":false`), "utf-8.json": oneResult(`"error":"` + "\xff\xfe" + `"`), "surrogate.json": oneResult(`"error":"\ud800"`),
		"two.json": goodRun + goodRun, "rest.json": goodRun + "x", "year.json": `{"schema_version":1,"timestamp":"0000-01-01T00:00:00Z","all_results":[]}`, "later.json": `{"schema_version":1,"timestamp":"10000-01-01T00:00:00Z","all_results":[]}`,
		"status.json": `{"schema_version":1,"all_results":[{"name":"a","status":"\u001b[2J\u202e\n::error::x"}]}`, "key.json": oneResult(`"\u001b[2J\u202e##[x]":1,"\u001b[2J\u202e##[x]":2`), "\x1b[31m\u202e\n::error::x.json": "x",
		"html.json": "<!doctype html><html>404</html>", "cut.xml": `<testsuites><testsuite name="a"><testcase name="b">`, "deep.xml": strings.Repeat("<testsuite>", 100_000),
		"entity.xml":   `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&e;"/></testsuite>`,
		"laughs.xml":   `<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "` + strings.Repeat("&a;", 1000) + `"><!ENTITY c "` + strings.Repeat("&b;", 1000) + `">]><testsuite><testcase name="` + strings.Repeat("&c;", 1000) + `"/></testsuite>`,
		"anchors.yaml": "evalId: x\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nresults: [*e,*e,*e,*e,*e]\n",
		"itself.yaml":  "evalId: x\nresults: &a\n  results: *a\n", "deep.yaml": "evalId: x\nresults: " + strings.Repeat("[", 50_000), "wide.csv": strings.Repeat(",", 500_000) + "\n", "quotes.csv": strings.Repeat("\"a\n", 10_000),
		"nozip.eval": "PK\x03\x04" + strings.Repeat("x", 100),
	}
	for i := 0; i < len(goodRun); i += 41 {
		bad[fmt.Sprintf("cut%d.json", i)] = goodRun[:i]
	}
	var bomb bytes.Buffer
	w := zip.NewWriter(&bomb)
	f, err := w.Create("header.json")
	for range 300 {
		if err == nil {
			_, err = f.Write(make([]byte, 1<<20))
		}
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	bad["bomb.eval"] = bomb.String()
	return bad
}

// Whatever is wrong with a file, every verb that reads it says so in one
// sentence and ends with 3, and nothing is stored or written.
func TestEvalVerbsWithBadFiles(t *testing.T) {
	cairntest.NoRace(t)
	cairntest.Long(t)
	t.Parallel()
	for name, text := range badResults(t) {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			testBadFile(t, name, text)
		})
	}
}

func testBadFile(t *testing.T, name, text string) {
	p := newEvalPlace(t)
	good, cases, out := p.write(t, "good.json", goodRun), p.write(t, "cases.yaml", "name: a\nexpectations:\n  - type: body_contains\n    patterns: [x]\n"), filepath.Join(p.dir, "out")
	if c := p.call(t, "", "push", good); c.code != 0 {
		t.Fatal(c.said)
	}
	file := p.write(t, name, text)
	before := filesBelow(t, p.home)
	strict, lenient := [][]string{{"push", good, file}, {"import", file}}, [][]string{}
	if !strings.HasPrefix(name, "cut") && !strings.HasSuffix(name, ".eval") {
		strict = append(strict, []string{"push", "-"}, []string{"import", "-"}, []string{"import", "--dry-run", good, file}, []string{"show", file}, []string{"show", "--json", file}, []string{"compare", file, good}, []string{"compare", "--html", out, good, file},
			[]string{"gate", "--junit", out, file}, []string{"gate", "--baseline", file, good}, []string{"cost", "--html", out, file}, []string{"judge", file, "--criteria", "a", "--dry-run"}, []string{"judge", "agreement", file})
		lenient = append(lenient, []string{"cases", "lint", file}, []string{"cases", "lint", "--profiles", file, cases}, []string{"gate", "--allow-missing-baseline", "--policy", file, good}, []string{"cost", "--prices", file, good}, []string{"cache", "key", "--case", file})
	}
	for i, args := range append(strict, lenient...) {
		c := p.call(t, text, args...)
		switch {
		case i < len(strict):
			c.refused(t, command.ExitData, args)
		case c.code != 0 && c.code != command.ExitData: // it may be good or empty as a file of that kind
			t.Errorf("%.200q: exit %d: %s", args, c.code, c.said)
		}
		if changed := differences(before, filesBelow(t, p.home)); len(changed) > 0 {
			t.Errorf("%.200q changed %q", args, changed)
		}
		if _, err := os.Stat(out); err == nil && c.code != 0 {
			t.Errorf("%.200q left %s", args, out)
		}
		os.Remove(out)
	}
}

// evilTexts are what a name, a label or a message may be at worst.
var evilTexts = []string{
	"\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "a\nb", "a\r\n::error file=x::pwn", "::error::pwn", "a ##[add-mask]b", "\u202eevil", "\u2066iso", "\u009b31m", "\x7f\b\b", "<script>alert(1)</script>", "`code` | [x](javascript:x) <b>",
	"../../x", "-", "--force", strings.Repeat("long", 2500), "👩‍👩‍👧", "a\tb", "a\x00b", "\u2028", "~", "latest", "@main", "\ufeff", "e\u0301", "C:\\x",
}

func evilRun(t *testing.T, text, day string, passed bool) []byte {
	t.Helper()
	var results []any
	for i := range 8 {
		results = append(results, map[string]any{"name": fmt.Sprint(text, i), "suite": text, "category": text, "variant": text, "passed": passed || i < 2, "score": 0.5, "judge_scores": map[string]any{text: 0.5}, "judge_reasoning": text, "model": text,
			"failures": []any{map[string]any{"message": text, "check": text, "criterion": text, "pattern": text, "expected": text, "actual": text, "details": []any{map[string]any{"criterion": text}}}},
			"error":    text, "tags": []any{text}, "response_preview": text, "output": map[string]any{"body": text}, text: text})
	}
	data, err := json.Marshal(map[string]any{"schema_version": 1, "suite": text, "label": text, "timestamp": day, "repo": text, "git_branch": text, "git_sha": text, "hostname": text, "tool": text, "kind": text, "all_results": results,
		"costs": []any{map[string]any{"model": text, "calls": 1, "input_tokens": 5}}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A legal run that is called the worst: callEval looks at what is printed, here
// is looked at what is written.
func TestEvalVerbsWithEvilNames(t *testing.T) {
	cairntest.NoRace(t)
	cairntest.Long(t)
	t.Parallel()
	for _, text := range evilTexts {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			testEvilName(t, text)
		})
	}
}

func testEvilName(t *testing.T, text string) {
	p := newEvalPlace(t)
	for name, data := range map[string][]byte{"a.json": evilRun(t, text, "2026-01-01T00:00:00Z", true), "b.json": evilRun(t, text, "2026-01-02T00:00:00Z", false)} {
		p.write(t, name, string(data))
	}
	for i, args := range [][]string{
		{"push", "a.json"}, {"import", "a.json", "b.json"}, {"show", "a.json"}, {"show", "--all", "b.json"}, {"show", "--json", "a.json"}, {"show", "a.json", "--case", text + "0"}, {"list"}, {"list", "--json"},
		{"compare", "a.json", "b.json"}, {"compare", "--json", "a.json", "b.json"}, {"compare", "--markdown", "a.json", "b.json"}, {"compare", "--html", "c.html", "a.json", "b.json"}, {"cost", "a.json"}, {"cost", "--html", "d.html", "a.json"},
		{"trend"}, {"trend", "--json"}, {"baselines", "-o", "e.md"}, {"leaderboard", "--by", "model"}, {"leaderboard", "--by", "variant", "--json"}, {"judge", "a.json", "--criteria", "x", "--dry-run"}, // 0 to here
		{"gate", "b.json", "--baseline", "a.json", "--junit", "f.xml", "--check-run", "g.json"}, {"gate", "--markdown", "b.json", "--baseline", "a.json"},
		{"show", "--", text}, {"compare", "--", text, "a.json"}, {"trend", "--", text}, {"trend", "--repo", text}, {"baselines", "--repo", text}, {"leaderboard", "--by", text}, {"gate", "a.json", "--policy", text}, {"cost", "a.json", "--prices", text},
		{"cases", "lint", "--", text}, {"cases", "types", "--", text}, {"grade", "--outputs", "a.json", "--", text}, {"judge", "a.json", "--criteria", text, "--dry-run"}, {"judge", "a.json", "--criteria", "x", "--rubric", text, "--dry-run"},
		{"judge", "a.json", "--profile", text, "--dry-run"}, {"judge", "agreement", "a.json", "--against", text}, {"cache", "write", "--", text, "k", "1"}, {"cache", "read", "--", "s", text}, {"cache", "key", "--case", text}, {"cache", "key", "--case", "a.json", "--source", text},
		{"push", "--label", text, "--suite", text, "a.json"}, {"push", "--", text}, {"import", "--", text}, {"nosuch" + text},
	} {
		if c := p.call(t, "", args...); i < 20 && c.code != 0 {
			t.Errorf("%.300q: exit %d: %s", args, c.code, c.said)
		}
	}
	for name, data := range filesBelow(t, p.dir) {
		switch filepath.Base(name) {
		case "a.json", "b.json":
			continue
		case "c.html", "d.html", "f.xml":
			if strings.Contains(data, "<script>alert") || strings.ContainsFunc(data, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' }) {
				t.Errorf("%.60q: %s has it as it is", text, name)
			}
		case "e.md", "g.json":
			if strings.ContainsFunc(data, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' }) {
				t.Errorf("%.60q: %s has it as it is", text, name)
			}
		default:
			t.Errorf("%.60q: %s was written", text, name)
		}
	}
}

// A store with things in it that are no runs is read all the same, and what
// would never end is not begun.
func TestEvalStoreWithGarbage(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	p := newEvalPlace(t)
	p.write(t, "good.json", goodRun)
	p.call(t, "", "push", "good.json")
	store := filepath.Join(p.home, ".cairn", "evals")
	in := func(name string) string { return filepath.Join(store, name) }
	for _, err := range []error{
		os.WriteFile(in("x.json"), []byte("x"), 0o600), os.WriteFile(in("empty.json"), nil, 0o600), os.WriteFile(in("\x1b[31m\u202e.json"), []byte("{"), 0o600), os.Mkdir(in("dir.json"), 0o700), syscall.Mkfifo(in("fifo.json"), 0o600),
		os.Symlink("loop.json", in("loop.json")), os.Symlink("/dev/zero", in("zero.json")), os.WriteFile(in("index.ndjson"), []byte("{\x00\n[1]\n{\"file\":\"../../x\",\"id\":\"x\"}\n"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"list"}, {"show"}, {"trend"}, {"baselines"}, {"cost"}, {"gate", "--allow-missing-baseline"}, {"push", "good.json"}} {
		if c := p.call(t, "", args...); c.code != 0 || !strings.Contains(c.out+c.said, "s") {
			t.Errorf("%q: exit %d: %s", args, c.code, c.said)
		}
	}
	if c := p.call(t, "", "list"); strings.Count(c.out, "\n") != 2 {
		t.Errorf("one run is there:\n%s", c.out)
	}
	for _, args := range [][]string{{"cost", "--prices", "/dev/zero", "good.json"}, {"gate", "--policy", "/dev/zero", "good.json"}, {"judge", "good.json", "--criteria", "a", "--rubric", "/dev/zero", "--dry-run"}, {"push", "/dev/zero"}, {"show", p.dir + "/"}, {"push", in("loop.json")}} {
		p.call(t, "", args...).refused(t, command.ExitData, args)
	}
}

package benchmark

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/compact"
	"cairn/internal/compact/rule"
	"cairn/internal/transcript"
	"cairn/test/cairntest"
)

// options are those of a user without settings, whose agent asks about shell
// commands that end well and about files that are read.
func options() Options {
	library := rule.Load()
	return Options{
		Level: compact.Normal, Cap: 20,
		InShell: func(host string) bool { return host == transcript.Claude },
		Compact: func(string) compact.Options { return compact.Options{Library: library} },
		Hook: func(c *transcript.Call, opt compact.Options, each func(compact.Result)) (string, bool) {
			if c.Failed || c.Tool != "Bash" && c.Tool != "Read" {
				return "", false
			}
			res := compact.Compact(compact.Envelope{Tool: c.Tool, Command: c.Command, CombinedText: c.Body, ExitCode: c.Exit}, opt)
			each(res)
			if c.Tool == "Read" || res.Meta.Unchanged {
				return "", true
			}
			return res.Reduced, true
		},
		Progress: func(string, int64) {}, Step: func(int64) {}, Warn: func(error) {},
	}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

func TestClusters(t *testing.T) {
	for cmd, want := range map[string]string{
		"go test ./...": "go test",
		"cd sub && GOFLAGS=-v go test -run X 2>&1":        "go test",
		"npm run build -- --watch=false":                  "npm run build",
		"cat a.txt":                                       "cat",
		"grep -rn needle src":                             "grep",
		"git -C sub --no-pager log --oneline | head -20":  "git log",
		"python3 -m pytest tests/a.py":                    "pytest",
		"./scripts/deploy.sh staging":                     "deploy.sh staging",
		"mix ecto.migrate":                                "mix",
		"rm -rf build":                                    "(silent)",
		"ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789 x": "[redacted:github] x", // a command that was mistyped
		"": "",
	} {
		if got := clusterOf(&transcript.Call{Tool: "Bash", Command: cmd}).pattern; got != want {
			t.Errorf("%s: %q, want %q", cmd, got, want)
		}
	}
	if got := clusterOf(&transcript.Call{Tool: "Read", File: `C:\x\app.min.js`}).String(); got != "Read *.js" {
		t.Errorf("%q", got)
	}
	if got := (cluster{"Bash", "docker-compose up/../x\x00"}).slug(); got != "docker_compose_up_x" {
		t.Errorf("%q", got)
	}
}

// Which results count, and which stand apart.
func TestReasons(t *testing.T) {
	long, one := numbered(300, "done %d"), 1
	for name, c := range map[string]struct {
		call transcript.Call
		want Reason
	}{
		"a command":              {transcript.Call{Tool: "Bash", Command: "./deploy", Body: long}, Touched},
		"a ticket":               {transcript.Call{Tool: "Bash", Command: "bd show 7", Body: ticket()}, Prose},
		"a short result":         {transcript.Call{Tool: "Bash", Command: "./deploy", Body: "ok\n"}, Small},
		"source":                 {transcript.Call{Tool: "Read", File: "a.go", Body: long}, Kept},
		"source by cat":          {transcript.Call{Tool: "Bash", Command: "cat a.go", Body: numbered(300, "func f%d() {}")}, Kept},
		"an edit":                {transcript.Call{Tool: "Edit", File: "a.go", Body: long}, NoHook},
		"a tool that failed":     {transcript.Call{Tool: "Bash", Command: "rm x", Body: long, Failed: true}, Denied},
		"make failed":            {transcript.Call{Tool: "Bash", Command: "cd x && make", Body: long, Failed: true, Exit: &one}, Touched},
		"make of another agent":  {transcript.Call{Host: transcript.Codex, Tool: "Bash", Command: "make", Body: long, Failed: true, Exit: &one}, NoShim},
		"through npx":            {transcript.Call{Tool: "Bash", Command: "npx jest", Body: long, Failed: true, Exit: &one}, Touched},
		"make in a pipe":         {transcript.Call{Tool: "Bash", Command: "set -o pipefail; make | cat", Body: long, Failed: true, Exit: &one}, Touched},
		"make and another":       {transcript.Call{Tool: "Bash", Command: "make && mix test", Body: long, Failed: true, Exit: &one}, Touched},
		"a script":               {transcript.Call{Tool: "Bash", Command: "./ci.sh", Body: long, Failed: true, Exit: &one}, Touched},
		"clipped":                {transcript.Call{Tool: "Bash", Command: "make", Body: long, Failed: true, Exit: &one, Clipped: true}, Clipped},
		"in the background":      {transcript.Call{Tool: "Bash", Command: "npm start", Body: long, Background: true}, Detached},
		"an image":               {transcript.Call{Tool: "Read", File: "a.png", Body: long, Images: true}, Image},
		"shown in parts then":    {transcript.Call{Tool: "Bash", Command: "make", Body: long + "[cairn: 900 → 9 lines in 2 parts · build/make]\n"}, Ours},
		"compacted at that time": {transcript.Call{Tool: "Bash", Command: "make", Body: "[cairn: 900 → 9 lines · build/make]\n" + long}, Ours},
	} {
		call := c.call
		call.Host, call.Output = cmp.Or(call.Host, transcript.Claude), call.Body
		out, _ := options().replay(&call)
		if out.why != c.want {
			t.Errorf("%s: %q, want %q", name, out.why, c.want)
		}
		if c.want != Touched && out.after != out.before {
			t.Errorf("%s: %d → %d tokens, and nothing was to count", name, out.before, out.after)
		}
		if out.verify != (c.want == Touched && call.Failed) {
			t.Errorf("%s: the verifier would be asked: %v", name, out.verify)
		}
		if c.want == Touched && out.after*2 > out.before {
			t.Errorf("%s: %d → %d tokens", name, out.before, out.after)
		}
	}
}

// ticket is a text that a person wrote.
func ticket() (s string) {
	for i := range 120 {
		s += fmt.Sprintf("- Loaf%d goes to shelf %d of the shop, beside the one before it\n", i, i)
	}
	return s
}

// What level aggressive makes of a result counts also where the present level leaves it whole.
func TestHarder(t *testing.T) {
	c := &transcript.Call{Host: transcript.Claude, Tool: "Bash", Command: "bd show 7", Body: ticket(), Output: ticket()}
	out, _ := options().replay(c)
	if out.after != out.before || out.aggressive*2 > out.before {
		t.Errorf("%d tokens, %d are left at normal and %d at aggressive", out.before, out.after, out.aggressive)
	}
}

// What the host puts around a result is received with the compacted one too.
func TestReceived(t *testing.T) {
	body := numbered(300, "done %d")
	c := &transcript.Call{Host: transcript.Claude, Tool: "Bash", Command: "./deploy", Body: body, Output: strings.Repeat("frame ", 100) + body}
	out, text := options().replay(c)
	if want := 150 + (len([]rune(text))+3)/4; out.after < want-1 || out.after > want+1 {
		t.Errorf("%d tokens, want about %d", out.after, want)
	}
	read := &transcript.Call{Tool: "Read", Body: strings.Repeat("same\n", 400), Output: strings.Repeat("    12→same\n", 400)}
	if got := received(read, strings.Repeat("same\n", 40)); got < 118 || got > 124 { // 50, and of 700 for numbers the tenth
		t.Errorf("%d tokens, want about 120", got)
	}
}

// Of a scenario's calls its file has as many as there is room for.
func TestFixtureIsBounded(t *testing.T) {
	sc, c := &scenario{}, &transcript.Call{Tool: "Bash", Body: numbered(2500, strings.Repeat("x", 1000)+" password=hunter2-and-more %d"), Command: "PASSWORD=hunter2-and-more ./deploy"}
	for range 2 {
		sc.add(c, options())
	}
	if n := sc.fixture.Len(); sc.calls != 2 || sc.InFile != 1 || n > maxFixture {
		t.Errorf("%d of %d calls, %d bytes", sc.InFile, sc.calls, n)
	}
	if strings.Contains(sc.fixture.String()+sc.Example, "hunter2") {
		t.Error("a secret is stored")
	}
	// A secret stays one when only its beginning is shown.
	c.Command = strings.Repeat("x", maxExample-20) + " --token ghp_" + strings.Repeat("a1B2", 9)
	if shown := example(c); strings.Contains(shown, "ghp_") {
		t.Errorf("shown: %s", shown)
	}
}

func TestRank(t *testing.T) {
	var calls []measured
	for i, n := range []int{1000, 10, 500, 10, 300, 100, 100, 50} {
		calls = append(calls, measured{outcome: outcome{before: n, short: n == 10}, cluster: i % 3})
	}
	calls = append(calls, measured{outcome: outcome{before: 9000, why: Kept}})
	r := rank(calls, 1)
	var heavy []int
	for i := range calls {
		if calls[i].heavy {
			heavy = append(heavy, i)
		}
	}
	if !slices.Equal(heavy, []int{0, 2, 4}) || r.heavy != 3 || r.threshold != 300 || r.topTenth != 49 {
		t.Errorf("heavy %v, %+v", heavy, r)
	}
	if !slices.Equal(r.clusters, []int{0}) || r.left != 2 {
		t.Errorf("%+v", r)
	}
}

// Each result that cairn may touch is in one sum, and a figure that has a most
// is missed above it.
func TestSummary(t *testing.T) {
	s := &scan{opt: options(), names: []cluster{{"Bash", "deploy"}}, calls: []measured{
		{outcome: outcome{before: 1000, after: 100, verify: true}, heavy: true},
		{outcome: outcome{before: 60, after: 40}},
		{outcome: outcome{before: 10, after: 10, short: true}},
		{outcome: outcome{before: 500, after: 500, why: Kept}},
	}}
	r := s.summarize(ranking{}, []*scenario{{Scenario: Scenario{Name: "B01_deploy"}}})
	for name, c := range map[string]struct {
		got           Total
		calls, before int
	}{"received": {r.Received, 4, 1570}, "touched": {r.Touched, 3, 1070}, "corpus": {r.Corpus, 1, 1000}, "light": {r.Light, 1, 60}, "short": {r.Short, 1, 10}} {
		if c.got.Calls != c.calls || c.got.Before != c.before {
			t.Errorf("%s: %+v", name, c.got)
		}
	}
	for calls, ok := range map[int]bool{4: false, 10: true} {
		r.Received.Calls = calls
		if e3 := eSeries(r, nil, 1)[2]; e3.OK != ok || e3.Value != 100/float64(calls) {
			t.Errorf("one of %d calls: %+v", calls, e3)
		}
	}
}

func TestGate(t *testing.T) {
	good := Scenario{Name: "B01_x", Total: Total{Percent: 60}}
	for name, c := range map[string]struct {
		report Report
		want   string
	}{
		"good":     {Report{Received: Total{Percent: 40}, Scenarios: []Scenario{good}}, ""},
		"little":   {Report{Received: Total{Percent: 14.9}, Scenarios: []Scenario{good}}, "14.9 % of the tokens of all results are saved, less than 15 %"},
		"one":      {Report{Received: Total{Percent: 40}, Scenarios: []Scenario{good, {Name: "B02_y", Total: Total{Percent: 4.9}}}}, "B02_y saves 4.9 %, less than 5 %"},
		"lost":     {Report{Received: Total{Percent: 40}, Scenarios: []Scenario{good}, Planted: Planted{Lines: 9, Lost: []Lost{{Scenario: "B01_x", Line: "  boom"}}}}, "1 of 9 planted lines are lost, the first in B01_x: boom"},
		"nothing":  {Report{}, "no long result that cairn may touch was found, so nothing was measured"},
		"the edge": {Report{Received: Total{Percent: 15}, Scenarios: []Scenario{{Name: "B01_x", Total: Total{Percent: 5}}}}, ""},
	} {
		r := c.report
		r.judge()
		if got := strings.Join(r.Gate.Reasons, "; "); got != c.want || r.Gate.Pass != (c.want == "") {
			t.Errorf("%s: pass %v, %q", name, r.Gate.Pass, got)
		}
	}
}

// Of what is planted into the captures of real tools, every built-in rule, or
// the guard behind it, keeps every line.
func TestPlant(t *testing.T) {
	cairntest.Long(t)
	names, err := filepath.Glob("../compact/testdata/fixtures/*/*.txt")
	if err != nil || len(names) < 100 {
		t.Fatalf("%d fixtures, %v", len(names), err)
	}
	planted := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fixture, err := compact.ParseFixture(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := strings.Split(strings.TrimSuffix(fixture.CombinedText, "\n"), "\n")
		if len(text) < 12 {
			continue // nothing is cut
		}
		p := options().plant(&scenario{Scenario: Scenario{Name: filepath.Base(name)}, tool: bash, command: fixture.Command, text: text[:min(len(text), plantLines)]})
		planted += p.planted
		for _, l := range p.lost {
			t.Errorf("%+v", l)
		}
	}
	if planted < 1000 {
		t.Errorf("%d lines planted", planted)
	}
}

func TestPublish(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "latest", "mine.txt")
	if err := os.MkdirAll(filepath.Dir(mine), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{mine, filepath.Join(dir, "latest", reportName)} { // which other tools write too
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := publish(dir, &Report{}, nil); !errors.Is(err, ErrNotOurs) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("a user's file is gone: %v", err)
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	killed, old := filepath.Join(dir, ".new-1"), time.Now().Add(-2*time.Hour)
	if err := errors.Join(os.Mkdir(killed, 0o700), os.Chtimes(killed, old, old)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := publish(dir, &Report{}, nil); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v remain, %v", entries, err)
	}
}

// The page holds what a transcript says as data: it cannot end the script, be
// markup, or make the browser load anything.
func TestPage(t *testing.T) {
	evil := `</script><img src="http://x/"><!--`
	page, err := Page(&Report{Scenarios: []Scenario{{Name: "B01", Title: evil, Example: evil}}})
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	if n := strings.Count(text, "</script>"); n != 2 || strings.Contains(text, "<img") {
		t.Errorf("%d script elements end in the page", n)
	}
	for _, loads := range []string{"src=", "href=", "url(", "@import", "fetch(", "innerHTML", "/*data*/", "/*style*/", "/*script*/"} {
		if strings.Contains(strings.ReplaceAll(text, "\\u003cimg src=", ""), loads) {
			t.Errorf("the page has %s", loads)
		}
	}
	if !strings.Contains(text, "default-src 'none'") {
		t.Error("the page has no policy")
	}
}

// What reads every transcript of a user cannot send one anywhere.
func TestNoNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "cairn/internal/transcript") {
		t.Fatalf("go list says %q", deps)
	}
	if slices.Contains(deps, "net") {
		t.Error("benchmark depends on net")
	}
}

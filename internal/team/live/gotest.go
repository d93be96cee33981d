package live

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/result"
)

// outputBytes is how much of the output of one Go test is kept: its end.
const outputBytes = 16 << 10

// A goPackage is one test binary of a go test -json stream (cmd/test2json).
type goPackage struct {
	output map[string][]byte // by test; "" is the package's own
	failed int
	open   bool
}

type goEvent struct {
	Time        result.Time
	Action      string
	Package     string
	ImportPath  string
	Test        string
	Elapsed     float64 // seconds
	Output      string
	FailedBuild string
}

// GoTest reports whether the lines are those of go test -json, which has no
// event for the end of all.
func (run *Run) GoTest() bool { return run.packages != nil }

// Open is how many Go packages have begun and not ended.
func (run *Run) Open() (n int) {
	for _, p := range run.packages {
		if p.open {
			n++
		}
	}
	return n
}

func (run *Run) goTest(line []byte, now time.Time) error {
	var e goEvent
	if err := json.Unmarshal(line, &e); err != nil {
		return plain(err)
	}
	if !e.Time.IsZero() {
		now = e.Time.Time
	}
	if run.packages == nil {
		run.packages = map[string]*goPackage{}
		run.Tool = "go test"
	}
	run.begin(now)
	if e.Action == "build-output" {
		run.goPackage(e.ImportPath).add("", e.Output)
		return nil
	}
	if e.Package == "" {
		return nil
	}
	p := run.goPackage(e.Package)
	r := result.Result{Name: e.Test, Suite: e.Package}
	switch e.Action {
	case "start":
		p.open = true
	case "run":
		p.open = true
		delete(p.output, e.Test)
		run.running(r, now)
	case "output":
		p.add(e.Test, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			run.goPackageEnds(p, e, now)
			return nil
		}
		r.DurationMS = e.Elapsed * 1000
		r.Set(result.Status(e.Action))
		if e.Action == "fail" {
			p.failed++
			r.Failures = []result.Failure{{Message: p.text(e.Test)}}
		}
		delete(p.output, e.Test)
		run.done(r, now)
	}
	return nil
}

// goPackageEnds notes what no test of the package told: that it did not build,
// or failed outside of a test, and that tests were cut off.
func (run *Run) goPackageEnds(p *goPackage, e goEvent, now time.Time) {
	p.open = false
	if e.Action != "fail" {
		return
	}
	for i := range run.Rows {
		row := &run.Rows[i]
		if row.Suite != e.Package || row.Status != "" {
			continue
		}
		r := row.Result
		r.Set(result.Error)
		r.Error = firstOf(p.text(r.Name), "the test did not end")
		run.done(r, now)
		p.failed++
	}
	if p.failed > 0 {
		return
	}
	r := result.Result{Name: "(package)", Suite: e.Package, Error: p.text("")}
	if e.FailedBuild != "" {
		r.Name, r.Error = "(build)", firstOf(run.goPackage(e.FailedBuild).text(""), "the package does not build")
	}
	r.Set(result.Error)
	run.done(r, now)
}

func (run *Run) goPackage(name string) *goPackage {
	p := run.packages[name]
	if p == nil {
		p = &goPackage{output: map[string][]byte{}}
		run.packages[name] = p
	}
	return p
}

func (p *goPackage) add(test, output string) {
	switch trimmed := strings.TrimLeft(output, " "); {
	case strings.HasPrefix(trimmed, "=== "), strings.HasPrefix(trimmed, "--- "):
		return // what the events themselves tell
	}
	text := append(p.output[test], output...)
	if len(text) > 2*outputBytes {
		text = append([]byte("…"), text[len(text)-outputBytes:]...)
	}
	p.output[test] = text
}

func (p *goPackage) text(test string) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(p.output[test]), "�"))
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

package live

import (
	"cmp"
	"strconv"
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
	attrs  map[string]result.Result
	bad    map[string]bool // tests that failed, or have one under them that did
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
	Key, Value  string // of an attribute, t.Attr
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
	if e.Action == "build-output" {
		run.goPackage(e.ImportPath).add("", e.Output)
	}
	if e.Package == "" {
		return nil
	}
	run.begin(now)
	p := run.goPackage(e.Package)
	r := result.Result{Name: e.Test, Suite: e.Package}
	switch e.Action {
	case "start":
		p.open = true
	case "run":
		p.open = true
		delete(p.output, e.Test)
		delete(p.bad, e.Test)
		run.running(r, now)
		if i, ok := run.parent(e); ok {
			run.group(i)
		}
	case "output":
		p.add(e.Test, e.Output)
	case "attr":
		p.attr(e)
	case "pass", "fail", "skip":
		if e.Test == "" {
			run.goPackageEnds(p, e, now)
			return nil
		}
		r.DurationMS = e.Elapsed * 1000
		r.Set(result.Status(e.Action))
		run.goTestEnds(p, r, now)
	}
	return nil
}

// parent is the row of the nearest test that a subtest runs under; the
// subtest's own name may hold slashes.
func (run *Run) parent(e goEvent) (i int, ok bool) {
	for name := e.Test; !ok; {
		slash := strings.LastIndexByte(name, '/')
		if slash < 0 {
			return 0, false
		}
		name = name[:slash]
		key := run.key(&result.Result{Name: name, Suite: e.Package})
		i, ok = run.at[withTry(key, run.tries[key])]
	}
	return i, ok
}

// goTestEnds notes how a test ended. One with subtests is none of its own,
// unless it failed although they are fine; one that only the clock stopped was
// not judged.
func (run *Run) goTestEnds(p *goPackage, r result.Result, now time.Time) {
	text := p.why(r.Name)
	delete(p.output, r.Name)
	key := run.key(&r)
	i, known := run.at[withTry(key, run.tries[key])]
	group := known && run.Rows[i].Group
	if group && (r.Status != result.Fail || p.bad[r.Name]) {
		return
	}
	switch {
	case r.Status == result.Fail && strings.Contains(text, "panic: test timed out after"):
		r.Set(result.Error)
		r.Error = text
	case r.Status == result.Fail:
		r.Failures = []result.Failure{{Message: cmp.Or(text, "failed without a message")}}
	}
	if r.Status != result.Pass && r.Status != result.Skip {
		p.spoil(r.Name)
	}
	a := p.attrs[r.Name]
	r.Model, r.Category, r.CostUSD = a.Model, a.Category, a.CostUSD
	delete(p.attrs, r.Name)
	run.done(r, now)
}

// attr takes what a test says of itself and a result has a member for.
func (p *goPackage) attr(e goEvent) {
	r := p.attrs[e.Test]
	switch e.Key {
	case "model":
		r.Model = short(e.Value, 200)
	case "category":
		r.Category = short(e.Value, 200)
	case "cost_usd":
		if usd, err := strconv.ParseFloat(e.Value, 64); err == nil && usd >= 0 && usd < 1e9 {
			r.CostUSD = usd
		}
	}
	p.attrs[e.Test] = r
}

// spoil notes a test, and those that it runs under, as bad.
func (p *goPackage) spoil(name string) {
	for p.bad[name] = true; strings.Contains(name, "/"); p.bad[name] = true {
		name = name[:strings.LastIndexByte(name, '/')]
	}
}

// DoesNotBuild is the error of a package that does not build: what the compiler
// said, without its lines "# package", which the case is called anyway.
func DoesNotBuild(compiler, path string) string {
	var said strings.Builder
	for line := range strings.Lines(compiler) {
		if !strings.HasPrefix(line, "# ") {
			said.WriteString(line)
		}
	}
	return "does not build: " + cmp.Or(strings.TrimSpace(said.String()), strings.TrimSpace(compiler), path)
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
		if row.Suite != e.Package || row.Status != "" || row.Group {
			continue
		}
		r := row.Result
		r.Set(result.Error)
		r.Error = "did not end"
		if text := p.text(r.Name); text != "" {
			r.Error += ": " + text
		}
		p.spoil(r.Name)
		run.done(r, now)
	}
	if len(p.bad) > 0 {
		return
	}
	r := result.Result{Name: e.Package, Suite: e.Package, Error: cmp.Or(p.text(""), "failed without a message")}
	if e.FailedBuild != "" {
		r.Error = DoesNotBuild(run.goPackage(e.FailedBuild).text(""), e.FailedBuild)
	}
	r.Set(result.Error)
	run.done(r, now)
}

func (run *Run) goPackage(name string) *goPackage {
	p := run.packages[name]
	if p == nil {
		p = &goPackage{output: map[string][]byte{}, bad: map[string]bool{}, attrs: map[string]result.Result{}}
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

// why is what a test printed; a panic in a subtest is printed under its parent.
func (p *goPackage) why(test string) string {
	own := p.text(test)
	for name := test; !strings.Contains(own, "panic: ") && strings.Contains(name, "/"); {
		name = name[:strings.LastIndexByte(name, '/')]
		above := "\n" + p.text(name)
		if i := strings.Index(above, "\npanic: "); i >= 0 {
			own = strings.TrimSpace(own + above[i:])
		}
	}
	return own
}

func (p *goPackage) text(test string) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(p.output[test]), "�"))
}

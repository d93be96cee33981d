package grade

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/cases"
	"cairn/internal/team/result"
)

// Options say how to grade. The zero value asks no judge.
type Options struct {
	Suite    string // of the run: cases that name none belong to it
	Profiles *cases.Profiles
	Judge    Judge                             // nil: nobody is asked
	File     func(name string) ([]byte, error) // reads output_file of a tier; nil reads none
	Run      Runner                            // nil: programs that cases name are not run
}

// A Report is what grading gave.
type Report struct {
	Run       *result.Run // without time, label and what a repository tells
	NotJudged int         // expectations that were left to a judge, and none was asked
	Unused    []string    // names of outputs that no case has
	Missing   []string    // names of cases that no output has
}

// task is a case with its outputs.
type task struct {
	kase     *cases.Case
	finals   []*paper // whose marks are the case's
	controls []*paper // of an A/B test
	tiers    [][]*paper
}

func (t *task) papers() []*paper {
	return slices.Concat(t.finals, t.controls, slices.Concat(t.tiers...))
}

// Grade holds outputs against cases. Cases come as Read gave them, with the
// Specs of this package. The error is of what was given: outputs that number
// their attempts twice, or the judge's.
func Grade(ctx context.Context, all []cases.Case, outputs []Output, opts Options) (*Report, error) {
	types := map[string]Type{}
	for _, t := range Types() {
		types[t.Name] = t
	}
	pool := newPool(outputs)
	report := &Report{Run: &result.Run{SchemaVersion: result.Version, Suite: opts.Suite, Tool: "cairn grade", Kind: "eval"}}
	tasks := make([]task, len(all))
	var questions []question
	for i := range all {
		t := pool.task(&all[i], &opts)
		for _, p := range t.papers() {
			questions = append(questions, p.mark(types, &opts)...)
		}
		tasks[i] = t
	}
	if err := ask(ctx, opts.Judge, questions); err != nil {
		return nil, err
	}
	for i := range tasks {
		for _, p := range tasks[i].papers() {
			p.settle()
		}
		report.add(&tasks[i], opts.Suite)
	}
	report.Unused = pool.unused()
	run := report.Run
	if report.NotJudged > 0 {
		run.X = written(map[string]int{"not_judged": report.NotJudged})
	}
	run.Recount()
	run.Derive()
	return report, run.Check()
}

// add puts the results of a case into the run.
func (rep *Report) add(t *task, suite string) {
	for i, p := range t.finals {
		if p.out == nil {
			rep.Missing = append(rep.Missing, t.kase.Name)
		}
		var comparison jsontext.Value
		if t.kase.Comparison != nil && p.err == "" {
			comparison = p.versus(t.controls) // may find failures
		}
		if len(t.tiers) > 0 {
			comparison = beside(t, i)
		}
		rep.NotJudged += len(p.notJudged)
		r := p.result()
		if comparison != nil {
			r.Comparison = comparison
		}
		if r.Suite == suite {
			r.Suite = ""
		}
		rep.Run.Results = append(rep.Run.Results, r)
	}
}

// pool is the outputs by name.
type pool struct {
	order  []string
	byName map[string][]*Output
	used   map[string]bool
}

func newPool(outputs []Output) *pool {
	p := &pool{byName: map[string][]*Output{}, used: map[string]bool{}}
	for i := range outputs {
		o := &outputs[i]
		if p.byName[o.Name] == nil {
			p.order = append(p.order, o.Name)
		}
		p.byName[o.Name] = append(p.byName[o.Name], o)
	}
	for _, same := range p.byName {
		number(same)
	}
	return p
}

// number numbers the attempts of outputs that do not say theirs.
func number(same []*Output) {
	if !slices.ContainsFunc(same, func(o *Output) bool { return o.Attempt == 0 }) {
		return
	}
	tries := map[[2]string]int{}
	for _, o := range same {
		key := [2]string{o.Suite, o.Variant}
		if tries[key]++; tries[key] > 1 || o.Attempt > 0 {
			o.Attempt = tries[key]
		}
	}
}

func (p *pool) unused() (names []string) {
	return slices.DeleteFunc(p.order, func(name string) bool { return p.used[name] })
}

// take returns a paper for every output of a name.
func (p *pool) take(c *cases.Case, name string, opts *Options) (papers []*paper) {
	suite := cmp.Or(c.Suite, opts.Suite)
	for _, o := range p.byName[name] {
		if o.Suite == "" || o.Suite == suite {
			p.used[name] = true
			papers = append(papers, &paper{kase: c, out: o})
		}
	}
	return papers
}

// task finds the outputs of a case.
func (p *pool) task(c *cases.Case, opts *Options) task {
	t := task{kase: c}
	if c.Comparison != nil {
		t.controls = p.take(c, c.Name+"@control", opts)
		t.finals = p.take(c, c.Name+"@treatment", opts)
		for _, control := range t.controls {
			control.standard = true
		}
		for i := range t.finals {
			if len(t.controls) > 0 {
				t.finals[i].control = t.controls[i%len(t.controls)]
			}
		}
	}
	last := len(c.Chain) - 1
	for i, tier := range c.Chain {
		papers := p.take(c, c.Name+"@"+tier.Name, opts)
		if len(papers) == 0 && tier.OutputFile != "" && opts.File != nil {
			if data, err := opts.File(tier.OutputFile); err == nil {
				o, err := oneOutput(tier.OutputFile, c.Name, data)
				if err != nil {
					o.Error = err.Error()
				}
				papers = []*paper{{kase: c, out: &o}}
			}
		}
		if i == last && len(papers) == 0 {
			papers = p.take(c, c.Name, opts)
		}
		if len(papers) == 0 {
			papers = []*paper{{kase: c}}
		}
		if i == last {
			t.finals = papers
			papers = nil // listed once
		}
		t.tiers = append(t.tiers, papers)
	}
	if len(t.finals) == 0 {
		t.finals = p.take(c, c.Name, opts)
	}
	if len(t.finals) == 0 {
		t.finals = []*paper{{kase: c}}
	}
	return t
}

// Files returns the output files that tiers of cases name.
func Files(all []cases.Case) map[string]bool {
	files := map[string]bool{}
	for _, c := range all {
		for _, t := range c.Chain {
			if t.OutputFile != "" {
				files[t.OutputFile] = true
			}
		}
	}
	return files
}

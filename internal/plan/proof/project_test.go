package proof

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/test/plantest"
)

// project is a small repository with a finished phase.
type project struct {
	t   *testing.T
	dir string
}

const phaseDir = ".planning/phases/01-core/"

func (p *project) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// write writes files; "-" removes one.
func (p *project) write(files map[string]string) {
	p.t.Helper()
	for name, text := range files {
		if text == "-" {
			if err := os.Remove(filepath.Join(p.dir, name)); err != nil {
				p.t.Fatal(err)
			}
			delete(files, name)
		}
	}
	plantest.Write(p.t, p.dir, files)
}

func (p *project) commit(message string) string {
	p.t.Helper()
	p.git("add", "-A")
	p.git("commit", "-q", "--allow-empty", "-m", message)
	return p.git("rev-parse", "--short", "HEAD")
}

func (p *project) read(name string) string {
	p.t.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

// edit replaces a text that has to be there.
func (p *project) edit(name, old, now string) {
	p.t.Helper()
	text := p.read(name)
	if !strings.Contains(text, old) {
		p.t.Fatalf("%s has no %q:\n%s", name, old, text)
	}
	p.write(map[string]string{name: strings.Replace(text, old, now, 1)})
}

// copyOf is the same repository in a directory of its own.
func (p *project) copyOf(t *testing.T) *project {
	t.Helper()
	c := &project{t, filepath.Join(t.TempDir(), "p")}
	if err := os.CopyFS(c.dir, os.DirFS(p.dir)); err != nil {
		t.Fatal(err)
	}
	return c
}

func (p *project) subject() (s Subject) {
	p.t.Helper()
	w, err := plan.At(p.dir, "", "")
	if err == nil {
		err = w.View(func(tx *plan.Tx) error {
			s = Read(tx, tx.Phase(doc.PhaseID{Number: 1}))
			return nil
		})
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// How much of a proof a test needs.
type depth int

const (
	reads  depth = iota // nothing runs, as when the time is over
	checks              // each verify
	runs                // and the project's tests
)

// prove proves the phase, or only a plan of it.
func (p *project) prove(d depth, only string) *Report {
	p.t.Helper()
	o := Options{Trees: filepath.Join(filepath.Dir(p.dir), "trees"), Only: only, brief: d < runs}
	if d > reads {
		o.Budget = 5 * time.Minute
	}
	r, err := Prove(context.Background(), p.subject(), o)
	if err != nil {
		p.t.Fatal(err)
	}
	if d > reads && r.Late { // a slow machine makes no test red
		p.t.Skip("not checked: time ran out")
	}
	return r
}

func show(claims []Claim) string {
	var b strings.Builder
	for _, c := range claims {
		b.WriteString("\n  " + string(c.Verdict) + " " + c.Kind + " [" + c.ID + "]: " + c.What)
	}
	return b.String()
}

// spec is a project in a language: what was there, what each commit of the phase
// brings, and how its tasks are verified.
type spec struct {
	before  map[string]string
	commits []step
	verify  [3]string // of 01-01/1, 01-02/1, 01-02/2
	files   [3]string // of the tasks
	after   func(p *project)
}

type step struct {
	message string
	files   map[string]string
}

// honest makes the project as an honest executor leaves it.
func honest(t *testing.T, s spec) *project {
	t.Helper()
	p := &project{t, filepath.Join(t.TempDir(), "p")}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p.git("init", "-q", "-b", "main")
	p.write(s.before)
	p.commit("the beginning")
	task := func(i int, cites, done string) string {
		return "<task type=\"auto\">\n  <name>Task: " + done + "</name>\n  <files>" + s.files[i] + "</files>\n  <action>Build it. " + cites + "</action>\n  <verify>" + s.verify[i] + "</verify>\n  <done>" + done + "</done>\n</task>\n"
	}
	p.write(map[string]string{
		".planning/ROADMAP.md":      "# R\n- [ ] **Phase 1: Core**\n\n### Phase 1: Core\n**Requirements:** A-01, A-02\n",
		".planning/REQUIREMENTS.md": "- [ ] **A-01**: slugs\n- [ ] **A-02**: sums and dividing\n",
		phaseDir + "01-CONTEXT.md":  "<decisions>\n- **D-01:** slugs are lower case\n- **D-02:** dividing by nothing is an error\n</decisions>\n",
		phaseDir + "01-01-PLAN.md":  "---\nphase: 1\nplan: 1\ntype: tdd\nrequirements: [A-01]\n---\n<objective>\nSlugs\n</objective>\n" + task(0, "D-01, A-01.", "slugs"),
		phaseDir + "01-02-PLAN.md":  "---\nphase: 1\nplan: 2\ntype: execute\nrequirements: [A-02]\n---\n<objective>\nNumbers\n</objective>\n" + task(1, "A-02.", "sums") + task(2, "D-02, A-02.", "dividing"),
	})
	p.commit("docs(01): plan the phase")
	hashes := map[string]string{}
	for _, c := range s.commits {
		p.write(c.files)
		hashes[c.message] = p.commit(c.message)
	}
	rows := func(id string) (out string) {
		n := 0
		for _, c := range s.commits {
			if strings.Contains(c.message, "("+id+")") {
				n++
				out += "1. **Task: " + c.message + "** - " + hashes[c.message] + "\n"
			}
		}
		return out
	}
	p.write(map[string]string{
		phaseDir + "01-01-SUMMARY.md":   "---\nphase: 1\nplan: 1\nrequirements-completed: [A-01]\n---\n# Summary\n\n## Task Commits\n\n" + rows("01-01") + "\n## Self-Check\n\nPASSED\n",
		phaseDir + "01-02-SUMMARY.md":   "---\nphase: 1\nplan: 2\nrequirements-completed: [A-02]\n---\n# Summary\n\n## Task Commits\n\n" + rows("01-02") + "\n## Self-Check\n\nPASSED\n",
		phaseDir + "01-VERIFICATION.md": "---\nstatus: passed\nscore: 2/2\n---\n## Observable Truths\n\n| # | Truth | Status | Evidence |\n|---|---|---|---|\n| 1 | slugs | ok | run |\n| 2 | sums | ok | run |\n",
	})
	p.commit("docs(01): summaries")
	return p
}

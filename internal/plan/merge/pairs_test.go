package merge_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/health"
	"cairn/internal/plan/item"
	"cairn/internal/plan/merge"
	"cairn/internal/text"
	"cairn/test/cairntest"
	"cairn/test/plantest"
)

// The driver that git starts in these tests is the test itself.
func TestMain(m *testing.M) {
	if len(os.Args) == 6 && os.Args[1] == "driver" {
		n, err := merge.Files(context.Background(), merge.Versions{Base: os.Args[2], Ours: os.Args[3], Theirs: os.Args[4], Path: os.Args[5]})
		switch {
		case err != nil:
			fmt.Fprintln(os.Stderr, err)
			os.Exit(129)
		case n > 0:
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Two people work on one plan and merge: with the driver, and by git alone. Of
// what they wrote nothing may be lost, nearly everything has to merge, and after
// one health --fix no number stands twice. CAIRN_PAIRS is how many pairs to try.
func TestPairsOfBranches(t *testing.T) {
	cairntest.Long(t)
	n := 25
	if s := os.Getenv("CAIRN_PAIRS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	bases := makeBases(t)
	first := 0
	if s := os.Getenv("CAIRN_PAIR"); s != "" { // one alone
		first, _ = strconv.Atoi(s)
		n = first + 1
	}
	const workers = 4
	var each [workers][2]tally
	t.Run("side by side", func(t *testing.T) {
		for k := range workers {
			t.Run(strconv.Itoa(k), func(t *testing.T) {
				t.Parallel()
				for seed := first + k; seed < n; seed += workers {
					playPair(t, bases[seed%len(bases)], uint64(seed), &each[k][0], &each[k][1])
				}
			})
		}
	})
	with, without := &tally{}, &tally{}
	for k := range each {
		with.add(each[k][0])
		without.add(each[k][1])
	}
	t.Logf("%d pairs of branches, 1 to 6 verbs each\n%-28s %8s %8s\n%s", n-first, "", "driver", "git", table(with, without))
	if with.lost > 0 || with.twice > 0 || with.unclean > 0 || with.astray > 0 {
		t.Errorf("with the driver: %d statements lost, %d plans with a number twice, %d unclean, %d references astray", with.lost, with.twice, with.unclean, with.astray)
	}
	if with.merged*100 < 95*with.pairs {
		t.Errorf("with the driver %d of %d pairs merged", with.merged, with.pairs)
	}
}

// tally is what came of the pairs.
type tally struct{ pairs, merged, statements, lost, collided, twice, unclean, references, astray int }

func (t *tally) add(o tally) {
	t.pairs, t.merged, t.statements, t.lost = t.pairs+o.pairs, t.merged+o.merged, t.statements+o.statements, t.lost+o.lost
	t.collided, t.twice, t.unclean = t.collided+o.collided, t.twice+o.twice, t.unclean+o.unclean
	t.references, t.astray = t.references+o.references, t.astray+o.astray
}

func table(a, b *tally) string {
	var out strings.Builder
	for _, row := range []struct {
		what string
		of   func(*tally) int
	}{
		{"merged without a conflict", func(t *tally) int { return t.merged }},
		{"statements", func(t *tally) int { return t.statements }},
		{"statements lost", func(t *tally) int { return t.lost }},
		{"merged, a number twice", func(t *tally) int { return t.collided }},
		{"the same after health --fix", func(t *tally) int { return t.twice }},
		{"findings after health --fix", func(t *tally) int { return t.unclean }},
		{"references to phases", func(t *tally) int { return t.references }},
		{"references to another phase", func(t *tally) int { return t.astray }},
	} {
		fmt.Fprintf(&out, "%-28s %8d %8d\n", row.what, row.of(a), row.of(b))
	}
	return out.String()
}

func git(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, err := git(t, dir, args...); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// person is one of the two who work.
type person struct {
	t     *testing.T
	name  string
	w     *plan.Workspace
	r     *rand.Rand
	clock time.Time
	n     int
	did   []string
}

func newPerson(t *testing.T, name, root string, r *rand.Rand, at time.Time) *person {
	w, err := plan.At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, name: name, w: w, r: r, clock: at}
	w.Now = func() time.Time { return p.clock }
	return p
}

// word is a statement that stands nowhere else.
func (p *person) word() string {
	p.n++
	return fmt.Sprintf("%s%dq", p.name, p.n)
}

func (p *person) update(what string, fn func(tx *plan.Tx)) {
	p.t.Helper()
	p.clock = p.clock.Add(time.Duration(1+p.r.IntN(300)) * time.Second)
	_, err := p.w.Update(context.Background(), what, func(tx *plan.Tx) error { fn(tx); return nil })
	var phase *plan.PhaseError
	var executed *plan.ExecutedError
	var open *plan.UnfinishedError
	if err != nil && !errors.As(err, &phase) && !errors.As(err, &executed) && !errors.As(err, &open) {
		p.t.Fatalf("%s: %s: %v\n%s", p.name, what, err, strings.Join(p.did, "\n"))
	}
	p.did = append(p.did, fmt.Sprintf("%s: %s (%v)", p.name, what, err))
}

func (p *person) phases() (out []*plan.Phase) {
	_ = p.w.View(func(tx *plan.Tx) error { out = tx.Phases(plan.Current); return nil })
	return out
}

// about names the phase of a decision in its words, so that a reference can be
// followed whatever the number.
func about(p *plan.Phase) string { return "[about " + text.LetterSlug(p.Name, 60) + "]" }

func (p *person) addPlan(ph *plan.Phase, executed bool) {
	word := p.word()
	p.update("plan in "+ph.ID.String(), func(tx *plan.Tx) {
		n := 1
		for _, f := range ph.Plans {
			_, number, _ := strings.Cut(f.ID, "-")
			k, _ := strconv.Atoi(number)
			n = max(n, k+1)
		}
		id := fmt.Sprintf("%s-%02d", ph.ID.Padded(), n)
		body := fmt.Sprintf("---\nphase: %s\nplan: %02d\ndepends_on: []\n---\n\n<objective>\n%s %s\n</objective>\n\n%s\n", path.Base(ph.Dir), n, word, about(ph), strings.Repeat("A line of the plan "+word+"\n", 5))
		tx.Write(path.Join(ph.Dir, id+"-PLAN.md"), []byte(body))
		if executed {
			tx.Write(path.Join(ph.Dir, id+"-SUMMARY.md"), []byte("---\nphase: "+path.Base(ph.Dir)+"\nplan: "+fmt.Sprint(n)+"\n---\n\n**Done "+word+"**\n\n"+strings.Repeat("A line of the summary\n", 4)))
		}
		tx.ListPlans(tx.Phase(ph.ID), []plan.PlanItem{{ID: id, Objective: word}})
		tx.SyncProgress(tx.Phase(ph.ID), false)
	})
}

// act does one of the verbs.
func (p *person) act() {
	phases := p.phases()
	if len(phases) == 0 {
		p.update("add", func(tx *plan.Tx) { tx.AddPhase(plan.NewPhase{Name: "Alone " + p.word(), Goal: p.word()}) })
		return
	}
	ph := phases[p.r.IntN(len(phases))]
	edit := func(what string, fn func(*plan.State)) {
		p.update(what, func(tx *plan.Tx) { tx.EditState(fn) })
	}
	work := plan.PhaseWork{Number: ph.ID.String(), Name: ph.Name, Plans: max(1, len(ph.Plans)), Done: ph.Executed()}
	switch p.r.IntN(17) {
	case 0, 1:
		word := p.word()
		edit("decide "+word, func(s *plan.State) {
			s.Decide(plan.Decision{Phase: ph.ID.String(), Summary: "Use " + word, Rationale: "it fits " + about(ph)})
		})
	case 2:
		word := p.word()
		edit("block "+word, func(s *plan.State) { s.Block("waits for " + word) })
	case 3:
		p.update("phase add", func(tx *plan.Tx) { tx.AddPhase(plan.NewPhase{Name: "New " + p.word(), Goal: "Make " + p.word()}) })
	case 4:
		p.update("phase insert after "+ph.ID.String(), func(tx *plan.Tx) {
			tx.InsertPhase(ph.ID, plan.NewPhase{Name: "Fix " + p.word(), Goal: "Mend " + p.word()})
		})
	case 5:
		word := p.word()
		p.update("phase edit "+ph.ID.String()+" goal "+word, func(tx *plan.Tx) { tx.EditPhase(ph.ID, plan.PhaseEdit{Goal: new("Reach " + word)}) })
	case 6:
		p.update("phase remove "+ph.ID.String(), func(tx *plan.Tx) { tx.RemovePhase(ph.ID, "", false) })
	case 7, 8:
		word := p.word()
		p.update("todo add "+word, func(tx *plan.Tx) {
			item.Add(tx, item.Todo, item.Draft{Title: "Do " + word, Body: "since " + word}, p.clock)
		})
	case 9:
		p.update("todo done", func(tx *plan.Tx) {
			if open := item.Open(tx, item.Todo); len(open) > 0 {
				item.Close(tx, item.Todo, open[p.r.IntN(len(open))].Name, p.clock)
			}
		})
	case 10:
		word := p.word()
		p.update("note "+word, func(tx *plan.Tx) { item.Add(tx, item.Note, item.Draft{Title: "Note " + word}, p.clock) })
	case 11, 12:
		p.update("requirement", func(tx *plan.Tx) {
			q := tx.Requirements()
			plan.MarkComplete(q, []string{q.Items[p.r.IntN(len(q.Items))].ID})
		})
	case 13:
		edit("begin "+work.Number, func(s *plan.State) { s.Begin(work) })
	case 14:
		edit("planned "+work.Number, func(s *plan.State) { s.Planned(work) })
	case 15:
		edit("complete "+work.Number, func(s *plan.State) { s.Finish(work.Number) })
	default:
		p.addPlan(ph, p.r.IntN(3) == 0)
	}
}

// makeBases makes the plans that both begin with.
func makeBases(t *testing.T) (roots []string) {
	for n := range 4 {
		root := filepath.Join(t.TempDir(), "base")
		if err := os.Mkdir(root, 0o755); err != nil {
			t.Fatal(err)
		}
		mustGit(t, root, "init", "-q", "-b", "main")
		if _, err := (merge.Setup{Root: root, Command: "'" + os.Args[0] + "' driver %O %A %B %P"}).Install(context.Background(), false); err != nil {
			t.Fatal(err)
		}
		p := newPerson(t, "base", root, rand.New(rand.NewPCG(uint64(n), 9)), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
		p.update("init", func(tx *plan.Tx) {
			brief.Begin(tx, "Widget", "Orders, without the paper", p.clock, func(string) string { return "" })
			var q, rows strings.Builder
			for i := range 6 {
				fmt.Fprintf(&q, "- [ ] **ORD-%02d**: A customer can do %s\n", i+1, p.word())
				fmt.Fprintf(&rows, "| ORD-%02d | Phase %d | Pending |\n", i+1, i%3+1)
			}
			tx.Write(tx.Path("REQUIREMENTS.md"), []byte("# Requirements: Widget\n\n## v1 Requirements\n\n"+q.String()+"\n## Traceability\n\n| Requirement | Phase | Status |\n|-------------|-------|--------|\n"+rows.String()))
			tx.EditPhase(doc.PhaseID{Number: 1}, plan.PhaseEdit{Name: new("Order form"), Goal: new("Customers order"), Requirements: new("ORD-01")})
			tx.ScaffoldDir(doc.PhaseID{Number: 1}, "order-form", "")
		})
		for i := range 2 + n {
			p.update("add", func(tx *plan.Tx) {
				tx.AddPhase(plan.NewPhase{Name: fmt.Sprintf("Part %d %s", i, p.word()), Goal: "Have " + p.word()})
			})
		}
		for _, ph := range p.phases()[:2] {
			p.addPlan(ph, n > 1)
		}
		if n > 0 {
			p.update("words", func(tx *plan.Tx) {
				tx.EditState(func(s *plan.State) {
					s.Decide(plan.Decision{Phase: "1", Summary: p.word(), Rationale: about(p.phases()[0])})
					s.Block(p.word())
				})
				item.Add(tx, item.Todo, item.Draft{Title: "Old " + p.word()}, p.clock)
				item.Add(tx, item.Todo, item.Draft{Title: "Older " + p.word()}, p.clock)
			})
		}
		mustGit(t, root, "add", "-A")
		mustGit(t, root, "commit", "-q", "-m", "the plan")
		roots = append(roots, root)
	}
	return roots
}

func playPair(t *testing.T, base string, seed uint64, with, without *tally) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	dir, err := os.MkdirTemp("", "pair")
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CAIRN_PAIR") == "" {
		defer func() { _ = os.RemoveAll(dir) }()
	} else {
		t.Log(dir)
	}
	var people []*person
	for i, name := range []string{"ours", "theirs"} {
		root := filepath.Join(dir, name)
		if err := os.CopyFS(root, os.DirFS(base)); err != nil {
			t.Fatal(err)
		}
		p := newPerson(t, name, root, r, time.Date(2026, 3, 2, 9, 17*i, 0, 0, time.UTC))
		for range 1 + r.IntN(6) {
			p.act()
			if r.IntN(2) == 0 {
				commit(t, root)
			}
		}
		commit(t, root)
		people = append(people, p)
	}
	ours, theirs := people[0], people[1]
	plainRoot := filepath.Join(dir, "plain")
	if err := os.CopyFS(plainRoot, os.DirFS(ours.w.Root)); err != nil {
		t.Fatal(err)
	}
	plantest.Write(t, plainRoot, map[string]string{".git/info/attributes": "* merge\n"})
	b, o, th := words(t, base), words(t, ours.w.Root), words(t, theirs.w.Root)
	said := map[string]bool{}
	for w := range o {
		said[w] = !b[w] || th[w]
	}
	for w := range th {
		said[w] = said[w] || !b[w] || o[w]
	}
	maps.DeleteFunc(said, func(_ string, is bool) bool { return !is })
	for _, m := range []struct {
		root string
		*tally
	}{{ours.w.Root, with}, {plainRoot, without}} {
		m.pairs++
		m.statements += len(said)
		mustGit(t, m.root, "fetch", "-q", theirs.w.Root, "main")
		args := []string{"merge", "-q", "--no-edit", "FETCH_HEAD"}
		if m.tally == without {
			args = append([]string{"-c", "merge.directoryRenames=conflict"}, args...)
		}
		out, err := git(t, m.root, args...)
		report := func(what string, more ...any) {
			if m.tally == with && testing.Verbose() {
				t.Logf("pair %d: %s\n%s\n%s\n%s%s", seed, what, strings.Join(ours.did, "\n"), strings.Join(theirs.did, "\n"), out, fmt.Sprint(more...))
			}
		}
		got := words(t, m.root)
		for w := range said {
			if !got[w] {
				m.lost++
				report("lost " + w)
			}
		}
		if err != nil {
			report("conflict")
			continue
		}
		m.merged++
		m.afterMerge(t, m.root, said, report, removes(ours, theirs))
	}
}

func removes(people ...*person) bool {
	for _, p := range people {
		if slices.ContainsFunc(p.did, func(s string) bool { return strings.Contains(s, "phase remove") && strings.HasSuffix(s, "(<nil>)") }) {
			return true
		}
	}
	return false
}

func commit(t *testing.T, root string) {
	t.Helper()
	mustGit(t, root, "add", "-A")
	mustGit(t, root, "commit", "-q", "--allow-empty", "-m", "work")
}

var aWord = regexp.MustCompile(`\b(?:base|ours|theirs)\d+q\b`)

// words are the statements of a plan: every word in any document.
func words(t *testing.T, root string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir(filepath.Join(root, ".planning"), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && e.Name() == ".cairn" {
			return cmpErr(err, fs.SkipDir)
		}
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			return nil
		}
		data, err := os.ReadFile(name)
		for line := range strings.Lines(string(data)) {
			if e.Name() == "STATE.md" && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "|") {
				continue // where the work stands: the later change says it
			}
			for _, w := range aWord.FindAllString(line, -1) {
				out[w] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func cmpErr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// afterMerge repairs the plan once and looks at it.
func (m *tally) afterMerge(t *testing.T, root string, said map[string]bool, report func(string, ...any), removed bool) {
	t.Helper()
	w, err := plan.At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	opts := health.Options{Getenv: func(string) string { return "" }, Now: time.Now(), Only: func(code string) bool { return code != "W010" && code != "I001" && code != "D014" && code != "D015" }}
	look := func() (r *health.Report) {
		if err := w.View(func(tx *plan.Tx) error { r = health.Look(tx, opts); return nil }); err != nil {
			t.Fatal(err)
		}
		return r
	}
	twice := func(r *health.Report) int {
		return len(slices.DeleteFunc(slices.Clone(r.Findings), func(f health.Finding) bool { return f.Code != "D002" }))
	}
	if twice(look()) > 0 {
		m.collided++
	}
	if _, _, _, err := health.Repair(context.Background(), w, opts); err != nil {
		t.Fatalf("health --fix: %v", err)
	}
	got := words(t, root)
	for word := range said {
		if !got[word] {
			m.lost++
			report("health --fix lost " + word)
		}
	}
	r := look()
	if twice(r) > 0 {
		m.twice++
	}
	if len(r.Findings) > 0 {
		m.unclean++
		report("findings", fmt.Sprintf("%+v", r.Findings))
	}
	if !removed { // removing a phase leaves what decisions were made for
		m.follow(t, w, report)
	}
}

var reference = regexp.MustCompile(`\[about ([^\]]+)\]`)

// follow looks whether decisions and plans are still of the phase that they are
// about.
func (m *tally) follow(t *testing.T, w *plan.Workspace, report func(string, ...any)) {
	t.Helper()
	_ = w.View(func(tx *plan.Tx) error {
		slugs := map[string]string{} // of the phases
		dirs := map[string]string{}
		for _, p := range tx.Phases(plan.Current) {
			slugs[p.ID.String()] = text.LetterSlug(p.Name, 60)
			dirs[p.ID.String()] = p.Slug
		}
		for _, d := range tx.State().ListDecisions() {
			if about := reference.FindStringSubmatch(d.Rationale); about != nil {
				if m.references++; slugs[d.Phase] != about[1] && dirs[d.Phase] != about[1] {
					m.astray++
					report(fmt.Sprintf("decision of phase %s (%s) is about %s", d.Phase, slugs[d.Phase], about[1]))
				}
			}
		}
		for _, p := range tx.Phases(plan.Current) {
			for _, f := range p.Plans {
				body, _ := tx.Read(path.Join(p.Dir, f.Path))
				if about := reference.FindStringSubmatch(body.String()); about != nil {
					if m.references++; p.Slug != about[1] && slugs[p.ID.String()] != about[1] {
						m.astray++
						report(fmt.Sprintf("plan %s/%s is about %s", p.Dir, f.Path, about[1]))
					}
				}
			}
		}
		return nil
	})
}

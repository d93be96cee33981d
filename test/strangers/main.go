// Command strangers measures how a built cairn reads plans that other people
// wrote, and prints a table, one line a tree:
//
//	go run ./test/strangers --trees DIR [--tsv FILE] [--cairn BIN] [--only NAME] [--show] [--edits=false]
//
// DIR holds one directory a project, each with a .planning. FILE names those to
// count (README.md beside it says which columns it has): a tree whose column
// "counted" is no is left out.
//
// What a plan holds is read by a second, simple reader (read.go, decisions.go)
// that shares no code with cairn: headings, checklist lines, table rows and
// directories are phases. Counted are
//
//	phases     of the simple reader's
//	right      those that "plan phase list --all" has as often, and in the right state
//	missing, doubled, state   the others
//	names      phases whose name holds no count, date or status
//	agree      whether progress and roadmap analyze say the same as the list (n of those that they show)
//	decisions  of CONTEXT.md files: found of there are, and how many are none
//	reqs       requirements found of there are
//	reads      whether a read wrote, or crashed
//	undone     edits undone to the byte, of those that were accepted
//	add        phase add gave a number that no phase had, in a place that is not shipped
//
// It copies each tree before it edits it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	trees := flag.String("trees", "", "the directory of projects")
	tsv := flag.String("tsv", "", "the list of those to count")
	cairn := flag.String("cairn", "", "a built cairn; without it one is built")
	only := flag.String("only", "", "only projects whose name holds this")
	show := flag.Bool("show", false, "also print what is wrong, one line each")
	edits := flag.Bool("edits", true, "also try edits and undo")
	flag.Parse()
	if err := run(*trees, *tsv, *cairn, *only, *show, *edits); err != nil {
		fmt.Fprintln(os.Stderr, "strangers:", err)
		os.Exit(1)
	}
}

func run(trees, tsv, cairn, only string, show, edits bool) error {
	home, err := os.MkdirTemp("", "strangers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	if cairn == "" {
		cairn = filepath.Join(home, "cairn")
		if out, err := exec.Command("go", "build", "-o", cairn, "cairn").CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	names, err := listed(trees, tsv)
	if err != nil {
		return err
	}
	var sum score
	fmt.Println("tree                                 phases right miss doubl state names agree     decisions        reqs reads undone   add")
	for _, name := range names {
		if !strings.Contains(name, only) {
			continue
		}
		t := &tree{name: name, dir: filepath.Join(trees, name), cairn: cairn, home: home}
		t.measure(edits)
		fmt.Println(t.row(name))
		if show {
			for _, line := range t.wrong {
				fmt.Println("  ", line)
			}
		}
		sum.add(t.score)
	}
	fmt.Println(sum.row("all"))
	fmt.Println(sum.verdict())
	return nil
}

// listed returns the projects: those of the list that count, or all.
func listed(trees, tsv string) (names []string, err error) {
	if tsv == "" {
		entries, err := os.ReadDir(trees)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names, err
	}
	data, err := os.ReadFile(tsv)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	counted := slices.Index(strings.Split(lines[0], "\t"), "counted")
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		name := strings.ReplaceAll(cells[0], "/", "+")
		if counted >= 0 && cells[counted] == "no" {
			continue
		}
		if _, err := os.Stat(filepath.Join(trees, name)); err == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// score is what is counted.
type score struct {
	phases, right, missing, doubled, state, names  int
	agree, shown                                   int
	decided, found, invented                       int
	reqs, reqsFound                                int
	crashes, wrote                                 int
	accepted, undone, added, addedRight, addRefuse int
}

func (s *score) add(o score) {
	for _, p := range []struct{ to, from *int }{
		{&s.phases, &o.phases}, {&s.right, &o.right}, {&s.missing, &o.missing}, {&s.doubled, &o.doubled}, {&s.state, &o.state}, {&s.names, &o.names},
		{&s.agree, &o.agree}, {&s.shown, &o.shown}, {&s.decided, &o.decided}, {&s.found, &o.found}, {&s.invented, &o.invented},
		{&s.reqs, &o.reqs}, {&s.reqsFound, &o.reqsFound}, {&s.crashes, &o.crashes}, {&s.wrote, &o.wrote},
		{&s.accepted, &o.accepted}, {&s.undone, &o.undone}, {&s.added, &o.added}, {&s.addedRight, &o.addedRight}, {&s.addRefuse, &o.addRefuse},
	} {
		*p.to += *p.from
	}
}

func (s score) row(name string) string {
	reads := "ok"
	if s.crashes+s.wrote > 0 {
		reads = fmt.Sprintf("%d/%d", s.crashes, s.wrote)
	}
	return fmt.Sprintf("%-36.36s %6d %5d %4d %5d %5d %5d %4d/%-4d %5d/%-5d-%-4d %4d/%-4d %-5s %3d/%-4d %d/%d", name, s.phases, s.right, s.missing, s.doubled, s.state, s.names,
		s.agree, s.shown, s.found, s.decided, s.invented, s.reqsFound, s.reqs, reads, s.undone, s.accepted, s.addedRight, s.added)
}

func (s score) verdict() string {
	percent := func(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(of, 1))) }
	return fmt.Sprintf("%s of the phases right (98 wanted), %s of the decisions found (95), %s of what was reported is none (3 at most), %d crashes, %d reads that wrote, %d edits of %d not undone, %d of %d added phases wrong",
		percent(s.right, s.phases), percent(s.found, s.decided), percent(s.invented, s.found+s.invented), s.crashes, s.wrote, s.accepted-s.undone, s.accepted, s.added-s.addedRight, s.added)
}

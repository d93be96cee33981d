// Faultbench puts faults of one line into open-source projects, runs their real
// tools, and lets a repairer loose on what the tools say: once on all of it, once
// on what cairn leaves. The same faults must be repaired from both.
//
//	go run ./test/faultbench --dir DIR [--per 45] [--seed 1] [--only NAME] [--json FILE] [--again]
//
// It needs the network and the tools of each language (Go, Node, a C compiler and make,
// Debian's sources, python3-pytest and python3-markupsafe), so it is no test: make test
// runs those of the parts. The projects are those of projects.json, or of --projects.
// DIR keeps what was fetched, and each output: with --again the tools are run only for
// faults that none is kept of, which is how another cairn or another repairer is tried.
package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

//go:embed projects.json
var listed []byte

func main() {
	dir := flag.String("dir", "", "keep projects and results in this directory")
	list := flag.String("projects", "", "a file of projects in place of projects.json")
	per := flag.Int("per", 45, "faults a project")
	seed := flag.Uint64("seed", 1, "of the faults")
	only := flag.String("only", "", "one project, by its name")
	out := flag.String("json", "", "write every fault to this file")
	again := flag.Bool("again", false, "read the outputs that are kept; run a tool only where none is")
	flag.Parse()
	if err := run(*dir, *list, *only, *out, *per, *seed, *again); err != nil {
		fmt.Fprintln(os.Stderr, "faultbench:", err)
		os.Exit(1)
	}
}

func run(dir, list, only, out string, per int, seed uint64, again bool) error {
	if dir == "" {
		return fmt.Errorf("--dir is missing")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	data := listed
	if list != "" {
		if data, err = os.ReadFile(list); err != nil {
			return err
		}
	}
	var projects []project
	if err := json.Unmarshal(data, &projects); err != nil {
		return err
	}
	cut, err := buildCairn(dir)
	if err != nil {
		return err
	}
	var all []outcome
	for _, p := range projects {
		if only != "" && p.Name != only {
			continue
		}
		found, err := p.play(dir, per, seed, again, cut)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		all = append(all, found...)
	}
	if out != "" {
		data, err := json.MarshalIndent(all, "", "\t")
		if err == nil {
			err = os.WriteFile(out, data, 0o600)
		}
		if err != nil {
			return err
		}
	}
	print(all)
	return nil
}

// print writes the table: a line a project, and the sum.
func print(all []outcome) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "project\tfaults\trepaired: whole\tcairn\tonly whole\tonly cairn\ttokens: whole\tcairn\tsaved\t")
	var names []string
	sums := map[string]*sum{}
	total := &sum{}
	for _, o := range all {
		s := sums[o.Project]
		if s == nil {
			s = &sum{}
			sums[o.Project], names = s, append(names, o.Project)
		}
		s.add(o)
		total.add(o)
	}
	for _, name := range names {
		fmt.Fprintln(w, sums[name].row(name))
	}
	fmt.Fprintln(w, total.row("all"))
	w.Flush()
	for _, o := range all {
		if o.Whole != o.Cut {
			fmt.Printf("discordant: %s %s:%d %s: whole %v, cairn %v: outputs/%s/%s\n", o.Project, o.File, o.Line, o.Fault, o.Whole, o.Cut, o.Project, o.key)
		}
	}
}

type sum struct{ faults, whole, cut, onlyWhole, onlyCut, before, after int }

func (s *sum) add(o outcome) {
	one := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	s.faults++
	s.whole += one(o.Whole)
	s.cut += one(o.Cut)
	s.onlyWhole += one(o.Whole && !o.Cut)
	s.onlyCut += one(o.Cut && !o.Whole)
	s.before += o.Before
	s.after += o.After
}

func (s *sum) row(name string) string {
	saved := 100 - 100*float64(s.after)/float64(cmp.Or(s.before, 1))
	return strings.Join([]string{name, fmt.Sprint(s.faults), fmt.Sprint(s.whole), fmt.Sprint(s.cut), fmt.Sprint(s.onlyWhole), fmt.Sprint(s.onlyCut), fmt.Sprint(s.before), fmt.Sprint(s.after), fmt.Sprintf("%.1f %%", saved), ""}, "\t")
}

// Faultbench puts faults of one line into open-source projects, runs their real
// tools, and lets a repairer loose on what the tools say: once on all of it, once
// on what cairn leaves. The same faults must be repaired from both.
//
//	go run ./test/faultbench --dir DIR [--per 45] [--seed 1] [--only NAME] [--json FILE]
//		[--again] [--cairn FILE]
//
// It needs the network and the tools of each language (Go, Node, a C compiler and make,
// Debian's sources, python3-pytest and python3-markupsafe), so it is no test: make test
// runs those of the parts. The projects are those of projects.json, or of --projects.
// DIR keeps what was fetched, and each output: with --again the tools are run only for
// faults that none is kept of, which is how another cairn or another repairer is tried.
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
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
	binary := flag.String("cairn", "", "a cairn to try, in place of the working tree's")
	again := flag.Bool("again", false, "read the outputs that are kept; run a tool only where none is")
	flag.Parse()
	if err := run(*dir, *list, *only, *out, *binary, *per, *seed, *again); err != nil {
		fmt.Fprintln(os.Stderr, "faultbench:", err)
		os.Exit(1)
	}
}

func run(dir, list, only, out, binary string, per int, seed uint64, again bool) error {
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
	cut, err := withCairn(dir, binary)
	if err != nil {
		return err
	}
	res := result{Seed: seed}
	for _, p := range projects {
		if only != "" && p.Name != only {
			continue
		}
		v, found, err := p.play(dir, per, seed, again, cut)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		res.Projects, res.Faults = append(res.Projects, v), append(res.Faults, found...)
	}
	if out != "" {
		if err := res.write(out); err != nil {
			return err
		}
	}
	fmt.Print(res.list(), "\n", res.tables())
	for _, o := range res.Faults {
		for name, x := range map[string]scores{"cairn": o.Alone, "among": o.Among} {
			if x.discordant() {
				fmt.Printf("discordant: %s %s:%d %s: whole %d, cairn %d: outputs/%s/%s.%s.txt\n", o.Project, o.File, o.Line, o.Fault, x.Whole.Try, x.Cairn.Try, o.Project, o.key, name)
			}
		}
	}
	return nil
}

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A project is one that faults are put into. Its source comes by the package
// manager of its language, at a version that is fixed, so that anybody has the same.
type project struct {
	Name     string   `json:"name"`
	Language string   `json:"language"` // go, typescript, javascript, c or python
	Licence  string   `json:"licence"`
	Source   source   `json:"source"`
	Tools    []string `json:"tools"`  // npm packages that its tests need
	SetUp    []string `json:"set_up"` // run once
	Files    []string `json:"files"`  // that faults go into
	Leave    []string `json:"leave"`  // of them, those that are left alone
	Run      []string `json:"run"`    // builds or tests it; ends with 0 without a fault
}

type source struct {
	Kind    string `json:"kind"` // go, npm or debian
	Package string `json:"package"`
	Version string `json:"version"` // of debian: none, it is what the release has
}

// patience is how long a run may take: a fault may make it endless.
const patience = 10 * time.Minute

// play puts faults into a project, one at a time.
func (p *project) play(dir string, per int, seed uint64, again bool, cut compactor) (v version, found []outcome, err error) {
	clean, err := p.fetch(filepath.Join(dir, "projects"))
	if err != nil {
		return v, nil, err
	}
	v = version{p.Name, p.Language, p.version(clean), p.Licence, strings.Join(p.Run, " ")}
	top := filepath.Join(dir, "work", p.Name) // an interrupted run leaves a fault here only
	if err := quietly(dir, "sh", "-c", `mkdir -p work && rm -rf "$2" && cp -a "$1" "$2"`, "sh", clean, top); err != nil {
		return v, nil, err
	}
	outputs := shelf{filepath.Join(dir, "outputs", p.Name), again}
	pass, exit, err := outputs.get(p.key(fault{}), func() (string, int) { return p.output(top) })
	if err != nil || exit != 0 {
		return v, nil, cmp.Or(err, fmt.Errorf("it fails without a fault, exit %d:\n%.2000s", exit, pass))
	}
	files, err := p.sources(top)
	if err != nil {
		return v, nil, err
	}
	rng := rand.New(rand.NewPCG(seed, uint64(len(p.Name))<<32|uint64(p.Name[0])))
	tried := map[string]bool{}
	for len(found) < per {
		f, ok := randomFault(rng, p.Language, files)
		if key := fmt.Sprint(f.file, f.line, f.now); !ok || tried[key] {
			continue
		} else if tried[key] = true; len(tried) > 20*per {
			return v, nil, errors.New("too few faults are noticed")
		}
		o, noticed, err := p.try(top, pass, files, f, outputs, cut)
		if err != nil {
			return v, nil, err
		}
		if noticed {
			found = append(found, o)
			fmt.Fprintf(os.Stderr, "%s %d/%d: %s:%d %s: whole %d, cairn %d\n", p.Name, len(found), per, o.File, o.Line, o.Fault, o.Alone.Whole.Try, o.Alone.Cairn.Try)
		}
	}
	return v, found, nil
}

// try runs the project with a fault, takes the fault out again, and reads what was said.
func (p *project) try(top, pass string, files map[string][]string, f fault, outputs shelf, cut compactor) (o outcome, noticed bool, err error) {
	lines := files[f.file]
	faulty := slices.Clone(lines)
	faulty[f.line-1] = f.now
	name := filepath.Join(top, f.file)
	key := p.key(f)
	var wrote [2]error
	text, exit, err := outputs.get(key, func() (string, int) {
		wrote[0] = os.WriteFile(name, []byte(strings.Join(faulty, "\n")), 0o600)
		text, exit := p.output(top)
		wrote[1] = os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o600)
		return text, exit
	})
	if err := cmp.Or(err, wrote[0], wrote[1]); err != nil || exit == 0 {
		return o, false, err
	}
	if err := outputs.keep(key, "fault", fmt.Sprintf("%s:%d: %s\n-%s\n+%s\n", f.file, f.line, f.kind, f.was, f.now)); err != nil {
		return o, false, err
	}
	now := make(map[string][]string, len(files))
	for name, lines := range files {
		now[name] = lines
	}
	now[f.file] = faulty
	r := repairer{language: p.Language, files: now, words: vocabulary(p.Language, now)}
	read := func(text string) score {
		return score{slices.Index(r.read(text), repair{f.file, f.line, f.was}) + 1, r.names(text, f.file, f.line), tokens(text)}
	}
	o = outcome{Project: p.Name, File: f.file, Line: f.line, Fault: f.kind, key: key}
	for _, of := range []struct {
		scores              *scores
		name, command, text string
	}{
		{&o.Alone, "cairn", strings.Join(p.Run, " "), text},
		{&o.Among, "among", "./ci.sh", pass + text + pass},
	} {
		less, err := cut(of.command, of.text, exit, top)
		if err == nil {
			err = outputs.keep(key, of.name, less)
		}
		if err != nil {
			return o, false, err
		}
		*of.scores = scores{read(of.text), read(less), read(ends(of.text))}
	}
	return o, true, nil
}

// ends are the first 20 and the last 30 lines of a text.
func ends(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= 50 {
		return text
	}
	return strings.Join(slices.Concat(lines[:20], []string{"...\n"}, lines[len(lines)-30:]), "")
}

func tokens(s string) int { return (len([]rune(s)) + 3) / 4 }

// output runs the project's tool as an agent does: both streams in one.
func (p *project) output(top string) (text string, exit int) {
	var out bytes.Buffer
	cmd := exec.Command(p.Run[0], p.Run[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = top, &out, &out
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "TERM=dumb", "CI=1", "GOFLAGS=-mod=mod", "COLUMNS=80", "npm_config_loglevel=error")
	group(cmd)
	timer := time.AfterFunc(patience, func() { end(cmd) })
	err := cmd.Run()
	if !timer.Stop() {
		return out.String(), 124 // as of timeout(1)
	}
	if err != nil {
		return out.String(), max(1, cmd.ProcessState.ExitCode())
	}
	return out.String(), 0
}

// sources are the lines of the files that faults go into, by their paths.
func (p *project) sources(top string) (map[string][]string, error) {
	files := map[string][]string{}
	for _, pattern := range p.Files {
		names, err := filepath.Glob(filepath.Join(top, pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			rel, err := filepath.Rel(top, name)
			if err != nil {
				return nil, err
			}
			if strings.HasSuffix(rel, "_test.go") || slices.ContainsFunc(p.Leave, func(pattern string) bool { ok, _ := filepath.Match(pattern, rel); return ok }) {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			files[filepath.ToSlash(rel)] = strings.Split(string(data), "\n")
		}
	}
	if len(files) == 0 {
		return nil, errors.New("none of its files is there")
	}
	return files, nil
}

// A compactor cuts an output of a command.
type compactor func(command, text string, exit int, dir string) (string, error)

// withCairn returns the compaction of a cairn, or of the working tree's, which it builds.
func withCairn(dir, binary string) (compactor, error) {
	home := filepath.Join(dir, "home")
	if binary == "" {
		binary = filepath.Join(dir, "cairn")
		build := exec.Command("go", "build", "-o", binary, "cairn")
		build.Stderr, build.Env = os.Stderr, append(os.Environ(), "CGO_ENABLED=0")
		if err := build.Run(); err != nil {
			return nil, fmt.Errorf("building cairn: %w", err)
		}
	}
	return func(command, text string, exit int, cwd string) (string, error) {
		env, err := json.Marshal(map[string]any{"tool": "Bash", "command": command, "combinedText": text, "exitCode": exit, "cwd": cwd, "host": "claude-code"})
		if err != nil {
			return "", err
		}
		cmd := exec.Command(binary, "compact", "test", "--json")
		cmd.Stdin, cmd.Stderr, cmd.Env = bytes.NewReader(env), os.Stderr, append(os.Environ(), "HOME="+home)
		out, err := cmd.Output()
		if err != nil {
			return "", err
		}
		var res struct{ Reduced string }
		err = json.Unmarshal(out, &res)
		return res.Reduced, err
	}, nil
}

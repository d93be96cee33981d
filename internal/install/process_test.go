package install

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/test/cairntest"
)

// at dir, as sandbox has it.
func sandboxAt(dir string) (Machine, Target) {
	m := Machine{
		Home:       home.Home(filepath.Join(dir, ".cairn")),
		Executable: filepath.Join(dir, "build", "cairn"),
		GOOS:       "linux",
		Getenv:     func(key string) string { return map[string]string{"HOME": dir}[key] },
	}
	h, _ := host.Find("claude")
	return m, m.Target(h)
}

// many is content of a version with enough files to be killed between.
func many(v string) Options {
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("skills/cairn-%d/SKILL.md", i))
	}
	return version(v, names...)
}

// TestHelper is no test: it is the other process of those below, which says in
// its environment what to do where.
func TestHelper(t *testing.T) {
	dir, do := os.Getenv("INSTALL_TEST_DIR"), os.Getenv("INSTALL_TEST_DO")
	if dir == "" {
		t.Skip("not called")
	}
	m, target := sandboxAt(dir)
	release, err := m.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if kib, err := strconv.Atoi(os.Getenv("INSTALL_TEST_LIMIT")); err == nil {
		limitFiles(t, uint64(kib)<<10)
	}
	var p *Plan
	switch verb, v, _ := strings.Cut(do, " "); verb {
	case "out":
		p, err = m.PlanUninstall(target, nil, host.Parts()...)
	case "big":
		p, err = m.PlanInstall(target, bigLast(v))
	default:
		p, err = m.PlanInstall(target, many(v))
	}
	if err == nil {
		fmt.Fprintln(os.Stdout, "planned")
		_, err = p.Apply()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func bigLast(v string) Options {
	o := many(v)
	o.Files[len(o.Files)-1].Data = []byte(strings.Repeat("long\n", 40_000))
	return o
}

func helper(dir, do string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelper$", "-test.count=1")
	cmd.Env = append(os.Environ(), append(env, "INSTALL_TEST_DIR="+dir, "INSTALL_TEST_DO="+do)...)
	return cmd
}

// Killed at any moment of an install, a renewal or an uninstall, what is left
// is whole, a second try completes it, and uninstall brings back what was.
func TestKilled(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	dir := t.TempDir()
	m, target := sandboxAt(dir)
	write(t, m.Executable, "#!/bin/sh\nexit 0\n", 0o755)
	write(t, filepath.Join(target.Dir, "skills/mine.md"), "my own", 0o644)
	write(t, target.Settings(), someSettings, 0o640)
	before := tree(t, dir)
	rnd := rand.New(rand.NewPCG(1, 2))
	killed := 0
	for round := range 40 {
		for i, do := range []string{"in 1", "in 2", "out"} {
			if i > 0 && rnd.IntN(3) == 0 {
				continue
			}
			cmd := helper(dir, do)
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			word := make([]byte, len("planned"))
			_, _ = out.Read(word)
			time.Sleep(time.Duration(rnd.IntN(30_000)) * time.Microsecond)
			_ = cmd.Process.Kill()
			if cmd.Wait() != nil {
				killed++
			}
			checkWhole(t, m, target)
			if t.Failed() {
				t.Fatalf("round %d, killed in %q", round, do)
			}
		}
		if rnd.IntN(2) == 0 {
			put(t, m, target, many("3"))
			if s, err := m.Status(target, many("3").Files); err != nil || s.Missing != nil || s.Edited != nil || s.Outdated != nil {
				t.Fatalf("round %d: %+v, %v", round, s, err)
			}
		}
		takeOut(t, m, target, nil, host.Parts()...)
		release, err := m.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		release()
		if got := tree(t, dir); got != before {
			t.Fatalf("round %d: after uninstall\n%s\nbefore\n%s", round, got, before)
		}
	}
	if killed < 20 {
		t.Errorf("only %d were killed in time", killed)
	}
}

// checkWhole looks at every file of ours: it has one version's text.
func checkWhole(t *testing.T, m Machine, target Target) {
	t.Helper()
	for _, f := range many("1").Files {
		data, err := os.ReadFile(at(target, f.Path))
		if err == nil && string(data) != body("1", f.Path) && string(data) != body("2", f.Path) && string(data) != body("3", f.Path) {
			t.Errorf("%s has %q", f.Path, data)
		}
	}
	if mf, err := m.Manifest(target); err != nil {
		t.Errorf("%+v, %v", mf, err)
	}
}

// A disk that is full before the last file leaves everything as it was.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m, target := sandboxAt(dir)
	write(t, m.Executable, "#!/bin/sh\nexit 0\n", 0o755)
	write(t, target.Settings(), someSettings, 0o640)
	for i := range 4 {
		installed, kept := i >= 2, i%2 == 1
		if installed {
			put(t, m, target, many("1"))
			write(t, at(target, "skills/cairn-3/SKILL.md"), "mine", 0o600)
		}
		where := "texts"
		if kept { // then it is the file itself that finds no room
			where = "cairn-39/SKILL.md: a file cannot be created beside it"
			if err := m.keepText(bigLast("2").Files[39].Data); err != nil {
				t.Fatal(err)
			}
		}
		before := tree(t, target.Dir)
		out, err := helper(dir, "big 2", "INSTALL_TEST_LIMIT=100").CombinedOutput()
		if err == nil || !strings.Contains(string(out), where) {
			t.Errorf("%v\n%s", err, out)
		}
		if got := tree(t, target.Dir); got != before {
			t.Errorf("installed before: %v: left\n%.3000s\nwas\n%.3000s", installed, got, before)
		}
		if mf, err := m.Manifest(target); err != nil || installed != (mf != nil) {
			t.Errorf("the manifest: %+v, %v", mf, err)
		}
	}
}

// A directory that its owner made read-only is refused before a write.
func TestReadOnlyDirectory(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	write(t, filepath.Join(target.Dir, "skills/x"), "", 0o644)
	chmod(t, filepath.Join(target.Dir, "skills"), 0o555)
	defer chmod(t, filepath.Join(target.Dir, "skills"), 0o755)
	before := tree(t, filepath.Dir(target.Dir))
	p, err := m.PlanInstall(target, version("1", pieces...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = p.Apply(); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Error(err)
	}
	if got := tree(t, filepath.Dir(target.Dir)); got != before {
		t.Errorf("left\n%s", got)
	}
}

// Fifty installs and uninstalls at the same time are done one by one.
func TestAtTheSameTime(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	dir := t.TempDir()
	m, target := sandboxAt(dir)
	write(t, m.Executable, "#!/bin/sh\nexit 0\n", 0o755)
	write(t, target.Settings(), someSettings, 0o640)
	before := tree(t, dir)
	run := func(n int, do func(i int) string) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				if out, err := helper(dir, do(i)).CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
		wg.Wait()
	}
	run(50, func(i int) string { return "in " + strconv.Itoa(1+i%2) })
	s, err := m.Status(target, many("1").Files)
	if err != nil || s.Missing != nil || s.Edited != nil || s.Files != 40 || len(s.Outdated)%40 != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if f, err := readSettings(target.Settings()); err != nil || strings.Count(string(f.data), " hook claude") != 5 {
		t.Errorf("%v\n%s", err, f.data)
	}
	run(12, func(i int) string { return []string{"out", "in 1"}[i%2] })
	run(3, func(int) string { return "out" })
	if got := tree(t, dir); got != before {
		t.Errorf("after uninstall\n%.3000s\nbefore\n%s", got, before)
	}
}

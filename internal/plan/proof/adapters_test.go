package proof

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cairn/test/cairntest"
)

// Each tool of coverage measures the lines of an honest project, where it is installed.
func TestAdapters(t *testing.T) {
	cairntest.Long(t)
	for name, tt := range map[string]struct {
		lang    string
		by      string // what the command has
		project func(t *testing.T) *project
	}{
		"coverage.py": {"python", "-m coverage run", func(t *testing.T) *project { return withCoverage(t, pythonSpec, "coverage") }},
		"pytest-cov": {"python", "--no-cov", func(t *testing.T) *project {
			s := pythonSpec
			s.before = with(s.before, "pytest.ini", "[pytest]\naddopts = --cov=app\n", ".gitignore", ".venv\n.coverage\n")
			for i, v := range s.verify {
				name := v[strings.LastIndex(v, ".")+1:]
				s.verify[i] = ".venv/bin/python -m pytest -q tests/" + name + ".py"
			}
			return withCoverage(t, s, "coverage", "pytest", "pytest_cov")
		}},
		"vitest": {"javascript", ".bin/vitest run --coverage", func(t *testing.T) *project {
			return withModules(t, typeSpec, "vitest", "tsc")
		}},
		"jest": {"javascript", ".bin/jest --coverage", func(t *testing.T) *project {
			return withModules(t, ofJest(), "jest")
		}},
		"c8": {"javascript", ".bin/c8 ", func(t *testing.T) *project {
			s := scriptSpec
			s.before = with(s.before, "package.json", "{\"name\": \"x\", \"scripts\": {\"test\": \"node --test\", \"build\": \"esbuild src/div.js\"}}\n", ".gitignore", "node_modules\n")
			for i, v := range s.verify {
				s.verify[i] = "npm test --silent >/dev/null; " + v
			}
			return withModules(t, s, "c8")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := tt.project(t)
			r := p.prove(runs, "01-02")
			measured := false
			for _, c := range r.Claims {
				if c.Kind == "coverage" {
					t.Log(c.Verdict, c.What)
					measured = c.Verdict == Proven && strings.Contains(c.What, "changed lines of "+tt.lang)
				}
			}
			if !measured {
				t.Errorf("not measured:%s", show(r.Claims))
			}
			if text := p.read(phaseDir + "01-PROOF.jsonl"); !strings.Contains(text, tt.by) {
				t.Errorf("no command with %q in\n%s", tt.by, text)
			}
		})
	}
	t.Run("cargo-llvm-cov", func(t *testing.T) {
		if err := exec.Command("cargo", "llvm-cov", "--version").Run(); err != nil {
			t.Skip("not checked: cargo-llvm-cov is not installed")
		}
	})
}

func with(files map[string]string, more ...string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		out[name] = text
	}
	for i := 0; i < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

// withCoverage gives a project a Python that has some modules.
func withCoverage(t *testing.T, s spec, modules ...string) *project {
	t.Helper()
	for _, python := range []string{os.Getenv("CAIRN_TEST_PYTHON"), "python3", "/usr/bin/python3"} {
		found, err := exec.LookPath(python)
		if err != nil || exec.Command(found, "-c", "import "+strings.Join(modules, ", ")).Run() != nil {
			continue
		}
		s.before = with(s.before, ".gitignore", ".venv\n.coverage\n")
		p := honest(t, s)
		bin := filepath.Join(p.dir, ".venv", "bin")
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(bin, "python"), []byte("#!/bin/sh\nexec "+found+" \"$@\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return p
	}
	t.Skip("not checked: no Python with " + strings.Join(modules, ", ") + " is installed")
	return nil
}

// withModules gives a project these tools of the node_modules that the environment names,
// and no other.
func withModules(t *testing.T, s spec, tools ...string) *project {
	t.Helper()
	from := modules()
	if from == "" {
		t.Skip("not checked: CAIRN_TEST_MODULES names no node_modules with vitest")
	}
	p := honest(t, s)
	to := filepath.Join(p.dir, "node_modules")
	if err := os.MkdirAll(filepath.Join(to, ".bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != ".bin" {
			if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tool := range tools {
		if err := os.Symlink(filepath.Join(from, ".bin", tool), filepath.Join(to, ".bin", tool)); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// ofJest is the project in JavaScript with the words of jest.
func ofJest() spec {
	s := scriptSpec
	s.before = with(s.before, "package.json", "{\"name\": \"x\", \"scripts\": {\"test\": \"jest\"}}\n", ".gitignore", "node_modules\n")
	words := strings.NewReplacer("const test = require('node:test');\nconst assert = require('node:assert');\n", "const assert = require('node:assert');\n")
	for name, text := range s.before {
		s.before[name] = words.Replace(text)
	}
	s.commits = nil
	for _, c := range scriptSpec.commits {
		files := map[string]string{}
		for name, text := range c.files {
			files[name] = words.Replace(text)
		}
		s.commits = append(s.commits, step{c.message, files})
	}
	for i, v := range s.verify {
		s.verify[i] = strings.Replace(v, "node --test", "node_modules/.bin/jest", 1)
	}
	return s
}

package proof

import (
	"slices"
	"testing"
)

func TestCommandsOf(t *testing.T) {
	for verify, want := range map[string][]string{
		"go test ./...": {"go test ./..."},
		"<automated>a\nb</automated>\n<manual>look</manual>": {"a\nb"},
		"Run:\n```sh\nnpm test\n```\n":                       {"npm test"},
		"`go vet ./...` and `go test ./a` are green":         {"go vet ./...", "go test ./a"},
		"Both `go vet ./...` and `go test ./a` pass":         {"go vet ./...", "go test ./a"},
		"test -n \"`ls`\"":                                   {"test -n \"`ls`\""},
		"GOOS=js go build ./...":                             {"GOOS=js go build ./..."},
	} {
		if got := commandsOf(verify); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", verify, got, want)
		}
	}
}

func TestCannotFail(t *testing.T) {
	for line, want := range map[string]bool{
		"true": true, ":": true, "exit 0": true, "exit": true, "echo ok": true, "go test ./... || true": true, "go test ./... ; true": true,
		"go test ./... | cat; exit 0": true, "go test ./... &": true, "(true)": true, "{ go test; :; }": true, "test 1 = 1": true, "[ 1 -eq 1 ]": true,
		"[ -n x ]": true, "go version": true, "node --version": true, "python3 -c pass": true, "sh -c 'true'": true, "! false": true,
		"go test ./... || echo failed": true, "true && echo ok": true,
		"false": false, "exit 1": false, "go test ./...": false, "true && go test ./...": false, "go test ./... && echo ok": false, "test -f a": false,
		"[ \"$A\" = 1 ]": false, "[ -n \"$A\" ]": false, "! grep -rn TODO src": false, "go test ./... | grep -q ok": false, "npm test -- --version x": false,
		"test $A": false, "echo $((1))": true,
		"npm test 2>&1 | tail -20": true, "go test ./... | tee out.txt": true, "set -o pipefail; go test ./... | tail -5": false, "set -eo pipefail\ngo test ./... | tail -5\necho ok": false,
		"go test ./...\necho ok": true, "set -e\ngo test ./...\necho ok": false, "set -e; echo a; true": true, "if go test ./...; then echo ok; else echo no; fi": true,
		"if ! go test ./...; then exit 1; fi": false, "for p in a b; do go test ./$p; done": false, "for p in a b; do go test ./$p || true; done": true,
		"sh -c 'go test ./... || true'": true, "bash -c 'go test ./...'": false, "timeout 60 true": true, "timeout 60 go test ./...": false, "command -v go": false,
		"trap 'exit 0' EXIT; go test ./...": true, "go test ./... & wait": true, "node -e \"console.log('ok')\"": true, "python3 -c 'print(\"ok\")'": true,
		"python3 -c 'import a; print(a.f(1))'": false, "npx vitest run -u": true, "npx vitest run -t url": false, "go test ./... -update": true, "go test ./cmd -run Update": false,
		"npx jest --updateSnapshot": true, "npx jest --ci": false, "time true": true, "time go test ./...": false,
	} {
		if got := cannotFail(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestExercises(t *testing.T) {
	for line, want := range map[string]bool{
		"test -f a && cat b": false, "git status": false, "ls src | wc -l": false, "cd a && go test ./...": true, "./script.sh": true, "grep -q x a": true,
		"cat a | python3 b.py": true,
	} {
		if got := exercises(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestRanNothing(t *testing.T) {
	for said, want := range map[string]bool{
		"ok  \tx/a\t0.01s [no tests to run]\n":                                          true,
		"testing: warning: no tests to run\nPASS\nok  \tx/a\t0.01s [no tests to run]\n": true,
		"?   \tx/a\t[no test files]\n":                                                  true,
		"?   \tx/a\t[no test files]\nok  \tx/b\t0.01s\n":                                false,
		"ok  \tx/a\t(cached)\nok  \tx/b\t0.2s [no tests to run]\n":                      false,
		"ok  \tx/a\t0.2s\tcoverage: 80.0% of statements\n?   \tx/b\t[no test files]\n":  false,
		"Ran 0 tests in 0.000s\n\nOK\n":                                                 true,
		"Ran 2 tests in 0.000s\n\nOK (skipped=2)\n":                                     true,
		"Ran 2 tests in 0.000s\n\nOK (skipped=1)\n":                                     false,
		"# tests 1\n# pass 0\n# fail 0\n# skipped 1\n":                                  true,
		"# tests 1\n# pass 0\n# fail 1\n":                                               false,
		"# tests 3\n# pass 3\n# fail 0\n":                                               false,
		"collected 0 items\n\n===== no tests ran in 0.01s =====\n":                      true,
		"===== 3 skipped in 0.01s =====\n":                                              true,
		"===== 1 passed, 3 skipped in 0.01s =====\n":                                    false,
		"running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n\nrunning 2 tests\n\ntest result: ok. 2 passed; 0 failed\n": false,
		"running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n":                                                           true,
		" Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n":                                                           true,
		" Test Files  1 passed (1)\n      Tests  1 passed | 2 skipped (3)\n":                                                 false,
		"": false,
	} {
		if got := ranNothing(said); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}

package compact

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/compact/rule"
)

// alike are outputs in which the content speaks of another rule than the
// command does, and rightly.
var alike = map[string]string{
	"files/cat-composer-json":       "files/json",
	"files/cat-package-lock":        "files/json",
	"git/log-patch":                 "git/diff",
	"git/show":                      "git/diff",
	"git/show-merge":                "git/log",
	"git/show-stat":                 "git/log",
	"git/stash-list":                "git/status", // a list of commands, status among them
	"install/cargo-network-fail":    "install/fetch",
	"lint/ruff-fail-concise":        "lint/python",
	"lint/shellcheck-fail-gcc":      "build/cc",
	"git/commit-lint-staged-fail":   "lint/eslint", // what a hook ran
	"git/commit-pre-commit-fail":    "lint/hooks",
	"lint/golangci-typecheck":       "build/go",
	"logs/app-alternating":          "logs/log",
	"logs/nginx-access":             "logs/log",
	"logs/nginx-access-tail":        "logs/log",
	"logs/dpkg":                     "logs/log",
	"logs/postgres":                 "logs/log",
	"logs/postgres-errors":          "logs/log",
	"logs/syslog":                   "logs/journal",
	"logs/syslog-grep":              "logs/journal",
	"ops/aws-s3-ls":                 "logs/log",
	"ops/curl-json":                 "files/json",
	"ops/journalctl-errors":         "logs/log",
	"ops/kubectl-get-json":          "files/json",
	"ops/kubectl-get-yaml":          "ops/manifest",
	"run/dotnet-run":                "build/dotnet", // the compiler warns before the program runs
	"run/nx-fail-test":              "tests/vitest", // nx shows what failed as it was
	"tests/cargo-test-fail-compile": "build/cargo",
	"tests/go-test-fail-build":      "build/go",
}

// Under a command that no rule knows, an output falls to its own rule or to
// none, never to that of another tool.
func TestContentPicksNoOther(t *testing.T) {
	lib := rule.Load()
	known, found := map[string]bool{}, map[string]bool{}
	for _, name := range fixtures(t) {
		f := readFixture(t, name)
		own := Compact(f.Envelope, Options{Level: Normal, Library: lib}).Meta.Rule
		f.Envelope.Command = "./ci.sh"
		got := Compact(f.Envelope, Options{Level: Normal, Library: lib}).Meta.Rule
		short := strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(name, filepath.FromSlash("testdata/fixtures/"))), ".txt")
		if got != own && got != "generic" && got != alike[short] {
			t.Errorf("%s: %s by its command, %s by its content", short, own, got)
		}
		known[own], found[got] = true, true
	}
	// And every rule that can be told by content is, at least once.
	for _, id := range lib.IDs() {
		r, err := lib.Rule(id)
		if err != nil {
			t.Fatal(err)
		}
		bash := len(r.Match.Tools) == 0 || slices.Contains(r.Match.Tools, "Bash")
		if len(r.Match.Patterns) > 0 && bash && known[id] && !found[id] {
			t.Errorf("%s: no fixture is found by its patterns", id)
		}
	}
}

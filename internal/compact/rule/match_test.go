package rule

import (
	"testing"

	"cairn/internal/compact/command"
)

func TestFindInCompounds(t *testing.T) {
	lib := Load()
	for cmd, want := range map[string]string{
		"grep -rn x .":                "files/grep",
		"echo found: && grep -rn x .": "files/grep",
		"cd sub && grep -rn x .":      "files/grep",
		"env | sort; set | grep -i x": "", // the variables are no matches in files
		"git status && grep -rn x .":  "",
		"./prepare && go test ./...":  "tests/go", // its own content tells
	} {
		if got := lib.Find(Target{Command: command.Parse(cmd)}); got != want {
			t.Errorf("%s: rule %q, want %q", cmd, got, want)
		}
	}
}

package shell

import (
	"strings"
	"testing"
)

func TestSearched(t *testing.T) {
	for cmd, want := range map[string]string{
		`grep -rn "hook" --include=*.md .`:                "hook",
		`rg -n 'TODO|FIXME|XX' src`:                       "TODO FIXME",
		`git -C sub grep -n "context\.Context" -- '*.go'`: "context Context",
		`grep -e'\bfoo_bar\b' x | head -3`:                "foo_bar",
		`cat x | grep -i --regexp=wasn.t`:                 "wasn",
		`grep -A 3 needle x`:                              "needle",
		`ls -la`:                                          "",
		`rg '\d+'`:                                        "",
	} {
		if got := strings.Join(Parse(cmd).Searched(), " "); got != want {
			t.Errorf("%s: %q, want %q", cmd, got, want)
		}
	}
}

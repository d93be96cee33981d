package guard

import (
	"strings"
	"testing"
)

// What is a commit with a message, and what its subject is.
func TestSubjects(t *testing.T) {
	tests := []struct {
		command string
		want    []string
	}{
		{`git commit -m "feat: x"`, []string{"feat: x"}},
		{`git commit -mx`, []string{"x"}},
		{`git commit -am 'two words'`, []string{"two words"}},
		{`git commit -am'two words'`, []string{"two words"}},
		{`git commit --message="a b"`, []string{"a b"}},
		{`git commit --message 'a b' -q`, []string{"a b"}},
		{`git commit -m one -m two`, []string{"one"}},
		{`git commit -q --author "a <a@b>" -m one`, []string{"one"}},
		{`git commit -m "one

the body"`, []string{"one"}},
		{`GIT_AUTHOR_NAME=x FOO=1 git commit -m one`, []string{"one"}},
		{`env -i A=1 git commit -m one`, []string{"one"}},
		{`sudo -E git commit -m one`, []string{"one"}},
		{`/usr/bin/git commit -m one`, []string{"one"}},
		{`git -C sub -c user.name=x --no-pager commit -m one`, []string{"one"}},
		{`cd sub && git add . && git commit -m one; git commit -m two || true`, []string{"one", "two"}},
		{`(git commit -m one)`, []string{"one"}},
		{`if true; then git commit -m one; fi`, []string{"one"}},
		{`x=$(git commit -m one)`, []string{"one"}},
		{`bash -c 'git commit -m one'`, []string{"one"}},
		{`env A=1 sh -ec "git commit -m 'one two'"`, []string{"one two"}},
		{"git commit -m \"$(cat <<'EOF'\none two\n\nbody $x\nEOF\n)\"", []string{"one two"}},
		{"git commit -m \"$(cat <<EOF\none\nEOF\n)\"", []string{"one"}},
		{"git commit -m $'one\\n\\nbody'", []string{"one"}},
		{`git commit -m "say \"one\""`, []string{`say "one"`}},
		{`git commit -m one\ two`, []string{"one two"}},
		{"git commit -m \"one\n$BODY\"", []string{"one"}},
		{"git commit -m \\\n  one", []string{"one"}},

		{`git commit -m "$MESSAGE"`, nil},
		{`git commit -m "$(message)"`, nil},
		{`git commit`, nil},
		{`git commit --amend --no-edit`, nil},
		{`git commit -F message.txt`, nil},
		{`git commit -C HEAD`, nil},
		{`git commit -m`, nil},
		{`git commit -- -m x`, nil},
		{`git log --grep commit -m one`, nil},
		{`git tag -m "commit"`, nil},
		{`git commit-graph write -m x`, nil},
		{`echo git commit -m one`, nil},
		{`echo "git commit -m one"`, nil},
		{`# git commit -m one`, nil},
		{`gitcommit -m one`, nil},
		{`git commit -m "unfinished`, nil},
		{"git commit -m x " + strings.Repeat("y ", maxCommand), nil},
		{"git commit -m x; " + strings.Repeat("(", maxNested+1) + ":" + strings.Repeat(")", maxNested+1), nil},
	}
	for _, tt := range tests {
		got := subjects(tt.command)
		if len(got) != len(tt.want) || len(got) > 0 && got[0] != tt.want[0] || len(got) > 1 && got[1] != tt.want[1] {
			t.Errorf("%s: %q, want %q", tt.command, got, tt.want)
		}
	}
}

func TestConventional(t *testing.T) {
	for _, good := range []string{
		"feat: x", "fix(api): x", "docs(a b): y", "refactor!: x", "perf(api)!: x", "test: : x", "ci: x", "build: x", "style: x", "chore(deps): x",
		"fixup! feat: x", "squash! anything", "amend! anything",
	} {
		if why := badSubject(good); why != "" {
			t.Errorf("%s: %s", good, why)
		}
	}
	for _, bad := range []string{
		"", "x", "feat", "feat:", "feat: ", "feat:x", "feature: x", "Feat: x", "feat(): x", "feat(api: x", "feat)api(: x", "(api): x", "feat (api): x", "wip: x", "Merge branch 'x'",
	} {
		if badSubject(bad) == "" {
			t.Errorf("%q is taken", bad)
		}
	}
	if why := badSubject(strings.Repeat("x", 1<<20)); len(why) > 300 {
		t.Errorf("a long subject: %d bytes of refusal", len(why))
	}
}

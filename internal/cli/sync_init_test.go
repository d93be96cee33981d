package cli

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"cairn/internal/command"
	"cairn/internal/team/link"
	"cairn/test/pgtest"
)

// The tables of a Supabase project are made once, and the URL of its database
// is never shown.
func TestInitProject(t *testing.T) {
	t.Parallel()
	cluster := pgtest.Shared()
	if cluster == nil {
		t.Skip(pgtest.ErrMissing)
	}
	_, owner, _, err := cluster.Project()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := cluster.Database()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(url string, args ...string) (out, talk string, err error) {
		var stdout, stderr bytes.Buffer
		getenv := func(name string) string {
			switch name {
			case "HOME", "CAIRN_HOME":
				return dir
			case link.DatabaseURL:
				if len(args) == 0 {
					return url
				}
			}
			return ""
		}
		env := &Env{Stdin: strings.NewReader(url + "\n"), Stdout: &stdout, Stderr: &stderr, Getenv: getenv}
		root := newRoot(env)
		root.SetArgs(append([]string{"sync", "init"}, args...))
		err = root.Execute()
		if err != nil {
			exitCode(env, err)
		}
		if strings.Contains(stdout.String()+stderr.String(), "127.0.0.1") {
			t.Errorf("the URL is shown: %s%s", stdout.String(), stderr.String())
		}
		return stdout.String(), stderr.String(), err
	}
	out, talk, err := run(owner, "--database", "-")
	if err != nil || !strings.Contains(out, "the team's tables are made: ") || !strings.Contains(talk, "✓ 0002_team.sql") {
		t.Fatalf("%s%s%v", out, talk, err)
	}
	if out, _, err := run(owner); err != nil || out != "the team's tables are there already\n" {
		t.Errorf("by the environment, again: %s%v", out, err)
	}
	if _, talk, err := run(plain, "--database", "-"); !errors.Is(err, command.ErrData) || !strings.Contains(talk, "this is not a Supabase project") || !strings.Contains(talk, "cairn serve --database") {
		t.Errorf("a PostgreSQL of one's own: %s%v", talk, err)
	}
	if _, talk, err := run(strings.Replace(owner, "project@", "nobody@", 1), "--database", "-"); !errors.Is(err, command.ErrAuth) {
		t.Errorf("a wrong user: %s%v", talk, err)
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("something is kept: %v", files)
	}
}

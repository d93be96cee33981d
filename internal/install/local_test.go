package install

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/host"
)

const lineOfMine = `{"type": "command", /* mine */ "command": "my-line"}`

// A user's own status line stays, unless it is asked to go; then it comes back
// as it stood, also after an edit of the file.
func TestMembersOfTheUser(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	original := "{\n  \"statusLine\": " + lineOfMine + ",\n  \"model\": \"opus\"\n}\n"
	write(t, target.Settings(), original, 0o600)
	o := version("1", pieces...)
	p := put(t, m, target, o)
	if c := p.Main(); len(c.Declined) != 1 || !strings.Contains(read(t, target.Settings()), lineOfMine) {
		t.Errorf("declined %v in\n%s", c.Declined, c.After)
	}
	o.Force = true
	put(t, m, target, o)
	text := read(t, target.Settings())
	if strings.Contains(text, "my-line") || !strings.Contains(text, `"statusLine": {`) {
		t.Errorf("forced:\n%s", text)
	}
	o.Force = false
	if p := put(t, m, target, o); p.Changed() {
		t.Errorf("what was forced once goes again\n%s", p.Diff())
	}
	write(t, target.Settings(), strings.Replace(text, "opus", "haiku", 1), 0o600)
	takeOut(t, m, target, nil, host.Plan)
	if got := read(t, target.Settings()); !strings.Contains(got, "\"statusLine\": "+lineOfMine+",\n  \"model\": \"haiku\"") || !strings.Contains(got, "--only compact") {
		t.Errorf("without the plan:\n%s", got)
	}
	takeOut(t, m, target, nil, host.Parts()...)
	if got := read(t, target.Settings()); got != strings.Replace(original, "opus", "haiku", 1) {
		t.Errorf("in the end %q", got)
	}

	// A line that the user put in the place of ours is not ours.
	put(t, m, target, o)
	takeOut(t, m, target, nil, host.Parts()...)
	write(t, target.Settings(), someSettings, 0o600)
	put(t, m, target, o)
	ours := read(t, target.Settings())
	at := strings.Index(ours, `"statusLine"`)
	write(t, target.Settings(), ours[:at]+`"statusLine": `+lineOfMine+"\n}\n", 0o600)
	takeOut(t, m, target, nil, host.Parts()...)
	if got := read(t, target.Settings()); !strings.Contains(got, lineOfMine) {
		t.Errorf("the user's is gone:\n%s", got)
	}
}

// In a repository hooks call what every machine of the team has, and are left
// out where the user's own settings have them.
func TestRepository(t *testing.T) {
	m, target := sandbox(t)
	root := filepath.Join(filepath.Dir(target.Dir), "repo")
	write(t, filepath.Join(root, "go.mod"), "module x\n", 0o644)
	before := tree(t, root)
	local := m.LocalTarget(target.Host, root)
	put(t, m, local, version("1", pieces...))
	text := read(t, local.Settings())
	if !strings.Contains(text, `"\"$HOME/.cairn/bin/cairn\" hook claude"`) || strings.Contains(text, root) || strings.Contains(text, "statusLine") {
		t.Errorf("registered:\n%s", text)
	}
	if got := read(t, at(local, pieces[2])); got != body("1", pieces[2]) {
		t.Errorf("the agent has %q", got)
	}
	t.Setenv("HOME", filepath.Dir(target.Dir))
	if got := verdicts(m.Check(context.Background(), local, root)); got != "settings:ok hooks:ok binary:ok round trip:ok" {
		t.Errorf("the doctor says %s", got)
	}
	takeOut(t, m, local, nil, host.Parts()...)
	if got := tree(t, root); got != before {
		t.Errorf("left\n%s\nwant\n%s", got, before)
	}

	put(t, m, local, version("1", pieces...))
	install(t, m, target)
	if p := put(t, m, local, version("1", pieces...)); !p.Elsewhere || exists(local.Settings()) || !exists(at(local, pieces[2])) {
		t.Errorf("called twice: %v\n%s", p.Elsewhere, tree(t, root))
	}
	uninstall(t, m, target)
	if p := put(t, m, local, version("1", pieces...)); p.Elsewhere || !exists(local.Settings()) {
		t.Error("nobody calls")
	}
	o := version("1", pieces...)
	o.Force = true
	put(t, m, local, o)
	if !strings.Contains(read(t, local.Settings()), "statusLine") {
		t.Error("the status line was asked for")
	}
	takeOut(t, m, local, nil, host.Parts()...)
	if got := tree(t, root); got != before {
		t.Errorf("left\n%s\nwant\n%s", got, before)
	}
}

// A plugin in a repository finds the binary in the home of whoever runs it.
func TestPluginInARepository(t *testing.T) {
	t.Parallel()
	ownTargets(t, func(t *testing.T, m Machine, target Target) {
		local := m.LocalTarget(target.Host, filepath.Join(filepath.Dir(target.Dir), "repo"))
		if local.Dir == "" {
			t.Skip("it looks in no directory of a repository")
		}
		install(t, m, local)
		text := read(t, local.Settings())
		if strings.Contains(text, string(m.Home)) || !strings.Contains(text, "/.cairn/bin/cairn") || strings.Contains(text, "@") {
			t.Errorf("it says\n%s", text)
		}
	})
}

func TestCall(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	bin := filepath.Dir(m.Executable)
	plain := m.Getenv
	path := "/nowhere"
	m.Getenv = func(key string) string {
		if key == "PATH" {
			return path
		}
		return plain(key)
	}
	if got := m.Call(target); got != "~/.cairn/bin/cairn" {
		t.Errorf("not on the PATH: %s", got)
	}
	path = "/nowhere:" + bin
	if got := m.Call(target); got != "cairn" {
		t.Errorf("on the PATH: %s", got)
	}
	write(t, filepath.Join(target.Dir, "cairn"), "another", 0o755)
	path = target.Dir + ":" + bin
	if got := m.Call(target); got != "~/.cairn/bin/cairn" {
		t.Errorf("behind another: %s", got)
	}
	if got := m.Call(m.LocalTarget(target.Host, "/r")); got != "~/.cairn/bin/cairn" {
		t.Errorf("in a repository: %s", got)
	}
	m.Home = "/odd dir/it's"
	if got := m.Call(target); got != `'/odd dir/it'\''s/bin/cairn'` {
		t.Errorf("elsewhere: %s", got)
	}
}

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The pages of docs/cli are what the declarations make, and nothing else is there.
func TestCommandPages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "docs", "cli")
	if *updatePages {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	known := map[string]bool{}
	for _, f := range Book().Markdown() {
		known[f.Name] = true
		file := filepath.Join(dir, f.Name)
		if *updatePages {
			if err := os.WriteFile(file, []byte(f.Text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != f.Text {
			t.Errorf("docs/cli/%s is not as the commands are declared; go generate ./internal/cli writes it (%v)", f.Name, err)
		}
	}
	there, _ := os.ReadDir(dir)
	for _, f := range there {
		if !known[f.Name()] {
			t.Errorf("docs/cli/%s is about no command", f.Name())
		}
	}
}

// Every visible command is on a page, with its flags and examples.
func TestPagesAreWhole(t *testing.T) {
	t.Parallel()
	var pages strings.Builder
	for _, f := range Book().Markdown() {
		pages.WriteString(f.Text)
	}
	var walk func(path string)
	checked := 0
	root := Commands()
	walk = func(path string) {
		cmd, _, err := root.Find(strings.Fields(path))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cmd.Commands() {
			if c.Hidden || c.Name() == "help" {
				continue
			}
			checked++
			if !strings.Contains(pages.String(), "# "+c.CommandPath()+"\n") {
				t.Errorf("no page has %s", c.CommandPath())
			}
			for _, e := range strings.Split(c.Example, "\n") {
				if !strings.Contains(pages.String(), strings.TrimPrefix(e, "  ")) {
					t.Errorf("no page has the example %s", e)
				}
			}
			walk(path + " " + c.Name())
		}
	}
	walk("")
	if checked < 150 {
		t.Errorf("only %d commands were looked at", checked)
	}
}

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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

// Every visible command is on a page and in a man page, with its flags and examples.
func TestPagesAreWhole(t *testing.T) {
	t.Parallel()
	var pages, man strings.Builder
	for _, f := range Book().Markdown() {
		pages.WriteString(f.Text)
	}
	for _, f := range Book().Man("cairn 1.2.3", "2026-11-21") {
		man.WriteString(f.Text)
	}
	minus := strings.NewReplacer(`\-`, "-", `\e`, `\`, `\(dq`, `"`, `\&`, "")
	plain := regexp.MustCompile(`\\\[u([0-9A-F]+)\]`).ReplaceAllStringFunc(minus.Replace(man.String()), func(code string) string {
		r, _ := strconv.ParseInt(code[3:len(code)-1], 16, 32)
		return string(rune(r))
	})
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
			if !strings.HasPrefix(c.CommandPath(), "cairn plan") && !strings.Contains(pages.String(), "# "+c.CommandPath()+"\n") {
				t.Errorf("no page has %s", c.CommandPath())
			}
			if !strings.Contains(plain, c.UseLine()) {
				t.Errorf("no man page has %s", c.UseLine())
			}
			for _, e := range strings.Split(c.Example, "\n") {
				if !strings.Contains(plain, strings.TrimPrefix(e, "  ")) {
					t.Errorf("no man page has the example %s", e)
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

// groff has no complaint about any man page.
func TestManPagesAreValid(t *testing.T) {
	t.Parallel()
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff here")
	}
	for _, f := range Book().Man("cairn 1.2.3", "2026-11-21") {
		cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-rLL=100n", "-z")
		cmd.Stdin = strings.NewReader(f.Text)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%.600s", f.Name, err, out)
		}
	}
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"cairn/internal/cli"
)

// Every visible command has a page that says what its help says.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir, "1.2.3", "2026-11-21"); err != nil {
		t.Fatal(err)
	}
	plain := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, "man", name))
		if err != nil {
			t.Errorf("%v", err)
		}
		return words(strings.NewReplacer(`\-`, "-", `\e`, `\`, `\(dq`, `"`, `\&`, "", `\(aq`, "'", `\(ha`, "^", `\(ti`, "~", `\(ga`, "`").Replace(string(text)))
	}
	checked := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		page := plain(name)
		checked++
		for _, part := range []string{cmd.Short, cmd.Example} {
			if !strings.Contains(page, words(part)) {
				t.Errorf("%s lacks %q", name, part)
			}
		}
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				walk(c)
			}
		}
	}
	walk(cli.Commands())
	if checked < 150 {
		t.Errorf("only %d commands were looked at", checked)
	}
	topics := plain("cairn-topics.7")
	for _, topic := range cli.Book().Topics {
		for _, r := range topic.Rows {
			if !strings.Contains(topics, words(r.Name)) {
				t.Errorf("the topics lack %q", r.Name)
			}
		}
	}
}

// groff has no complaint about any page.
func TestPagesAreValid(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff here")
	}
	dir := t.TempDir()
	if err := write(dir, "1.2.3", "2026-11-21"); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "man", "*"))
	if err != nil || len(pages) < 150 {
		t.Fatal(err, len(pages))
	}
	if out, err := exec.Command(groff, append([]string{"-k", "-t", "-man", "-Tutf8", "-ww", "-rLL=100n", "-z"}, pages...)...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%.3000s", err, out)
	}
}

var font = regexp.MustCompile(`\\f[A-Z]`)

// words is text without its formatting.
func words(text string) string {
	return strings.Join(strings.Fields(font.ReplaceAllString(text, "")), " ")
}

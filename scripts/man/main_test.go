package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/cli"
)

// Every visible command says the same on its man page, on its Markdown page and on
// the terminal: its summary, its text, its examples, its flags with their values and
// what they mean.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir, "1.2.3", "2026-11-21"); err != nil {
		t.Fatal(err)
	}
	man := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, "man", name))
		if err != nil {
			t.Errorf("%v", err)
		}
		return words(strings.NewReplacer(`\-`, "-", `\e`, `\`, `\(dq`, `"`, `\&`, "", `\(aq`, "'", `\(ha`, "^", `\(ti`, "~", `\(ga`, "`").Replace(string(text)))
	}
	markdown := map[string]string{}
	for _, f := range cli.Book().Markdown() {
		for _, section := range strings.Split(strings.ReplaceAll(f.Text, "\n## ", "\n# "), "\n# ") {
			title, text, _ := strings.Cut(section, "\n")
			markdown[title] = bare(text)
		}
	}
	checked := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		checked++
		help := words(terminal(t, cmd))
		pages := map[string]string{"man": man(strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1")}
		if cmd.HasParent() { // cairn's own page in Markdown is the index
			pages["Markdown"] = markdown[cmd.CommandPath()]
		}
		parts := append(strings.Split(cmd.Long, "\n\n"), strings.Split(cmd.Example, "\n")...)
		cmd.InheritedFlags() // merges what is declared further up
		cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if value, means := pflag.UnquoteUsage(f); !f.Hidden && f.Name != "help" {
				parts = append(parts, strings.TrimSpace("--"+f.Name+" "+value), means)
			}
		})
		for _, part := range parts {
			if !strings.Contains(help, words(part)) {
				t.Errorf("the help of %s lacks %q", cmd.CommandPath(), part)
			}
		}
		for name, page := range pages {
			for _, part := range append(parts, cmd.Short) {
				if name == "Markdown" {
					part = bare(part)
				}
				if !strings.Contains(page, strings.ReplaceAll(words(part), "`", "")) {
					t.Errorf("the %s page of %s lacks %q", name, cmd.CommandPath(), part)
				}
			}
		}
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() && c.Name() != "help" {
				walk(c)
			}
		}
	}
	walk(cli.Commands())
	if checked < 150 {
		t.Errorf("only %d commands were looked at", checked)
	}
	topics := man("cairn-topics.7")
	for _, topic := range cli.Book().Topics {
		for _, r := range topic.Rows {
			if !strings.Contains(topics, words(r.Name)) {
				t.Errorf("the topics lack %q", r.Name)
			}
		}
	}
}

// terminal is what --help prints.
func terminal(t *testing.T, cmd *cobra.Command) string {
	var b strings.Builder
	cmd.SetOut(&b)
	cmd.InitDefaultHelpFlag()
	if err := cmd.Help(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// bare is a text without what Markdown marks with, and without its escapes.
func bare(text string) string {
	return words(strings.NewReplacer("`", "", `\`, "", "*", "", "_", "", "&lt;", "<").Replace(text))
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

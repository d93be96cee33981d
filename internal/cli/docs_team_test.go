package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// What the pages about teams tell to type is there: commands, their verbs and flags.
func TestTeamPages(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile("(?m)(?:`|^|\\s|\\()cairn ((?:serve|sync|team|eval|config)(?: [^`#|)\n]*)?)")
	serveFlag := regexp.MustCompile("`(?:[a-z ]* )?(--[a-z-]+)")
	checked := 0
	for _, page := range []string{"server.md", "sync.md", "sync-errors.md", "security.md", "supabase.md"} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range command.FindAllStringSubmatch(string(text), -1) {
			words := strings.Fields(m[1])
			root := newRootFor(&Env{Getenv: os.Getenv}, words)
			cmd, rest, err := root.Find(words)
			if err != nil {
				t.Errorf("%s: cairn %s: %v", page, m[1], err)
				continue
			}
			if cmd.HasSubCommands() && len(rest) > 0 && regexp.MustCompile(`^[a-z][a-z-]+$`).MatchString(rest[0]) && strings.HasPrefix(m[1], cmd.CommandPath()[len("cairn "):]+" "+rest[0]) && cmd.Name() != "serve" {
				t.Errorf("%s: cairn %s: %s has no verb %q", page, m[1], cmd.CommandPath(), rest[0])
			}
			for _, w := range rest {
				name, isFlag := strings.CutPrefix(w, "--")
				name, _, _ = strings.Cut(name, "=")
				if isFlag && name != "" && cmd.Flags().Lookup(strings.Trim(name, ".,")) == nil && cmd.InheritedFlags().Lookup(name) == nil {
					t.Errorf("%s: cairn %s: no flag --%s", page, m[1], name)
				}
			}
			checked++
		}
		if page != "server.md" {
			continue
		}
		flags := map[string]bool{"--email": true}
		for _, words := range [][]string{{"serve"}, {"team", "token", "trust"}, {"team", "token", "create"}, {"sync", "setup"}, {"serve", "restore"},
			{"serve", "keys"}, {"serve", "keys", "rotate"}, {"serve", "user", "erase"}, {"serve", "team", "quota"}} {
			cmd, _, err := newRootFor(&Env{Getenv: os.Getenv}, words).Find(words)
			if err != nil {
				t.Fatal(err)
			}
			cmd.Flags().VisitAll(func(f *pflag.Flag) { flags["--"+f.Name] = true })
		}
		for _, m := range serveFlag.FindAllStringSubmatch(string(text), -1) {
			if !flags[m[1]] {
				t.Errorf("%s: there is no flag %s", page, m[1])
			}
			checked++
		}
	}
	if checked < 70 {
		t.Errorf("%d commands and flags were found", checked)
	}
}

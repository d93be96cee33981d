package cli

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"cairn/internal/command"
)

// everyCommands are the flags that commands have without declaring them.
var everyCommands = []string{"help", "json", "get", "csv"}

// notImperative finds summaries that do not begin with a verb that asks:
// a third person, a participle, an article, a small letter.
var notImperative = regexp.MustCompile(`^(?:[^A-Z]|(?:The|A|An|Is|It|How|What)\b|\w*[^s]s\b|\w+ing\b)`)

// Every command can be found, understood and tried from its declaration alone.
func TestDeclarations(t *testing.T) {
	all := declared(&Env{Getenv: os.Getenv})
	paths := command.Link(all)
	if len(paths) != len(all) {
		t.Errorf("%d paths of %d commands: some are declared twice", len(paths), len(all))
	}
	for _, c := range all {
		line := "cairn " + c.Path
		if c.Short == "" || strings.HasSuffix(c.Short, ".") || len([]rune(c.Short)) > 60 || notImperative.MatchString(c.Short) {
			t.Errorf("%s: the summary %q", line, c.Short)
		}
		if c.Parent() != "" && paths[c.Parent()] == nil {
			t.Errorf("%s: nothing is declared above it", line)
		}
		if c.Run == nil {
			if !slices.ContainsFunc(all, func(o *command.Command) bool { return o.Parent() == c.Path }) {
				t.Errorf("%s has no command below it", line)
			}
			continue
		}
		if c.Effect != command.Reads && c.Effect != command.Writes && !c.Raw {
			t.Errorf("%s: reads or writes?", line)
		}
		if len(c.Examples) < 2 {
			t.Errorf("%s has %d examples, two are the least", line, len(c.Examples))
		}
		cmd, _, err := newRoot(&Env{Getenv: os.Getenv}).Find(strings.Fields(c.Path))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		cmd.InheritedFlags() // merges what is declared further up
		for _, e := range c.Examples {
			if !strings.Contains(e, line) {
				t.Errorf("%s: the example %q shows something else", line, e)
			}
			_, own, _ := strings.Cut(e, line)
			own, _, _ = strings.Cut(own, " | ")
			for _, word := range strings.Fields(own) {
				name, ok := strings.CutPrefix(word, "--")
				name, _, _ = strings.Cut(name, "=")
				if ok && name != "" && !c.Lines && !c.Raw && cmd.Flags().Lookup(name) == nil && !slices.Contains(everyCommands, name) {
					t.Errorf("%s: the example %q has an unknown --%s", line, e, name)
				}
			}
		}
		for i, a := range c.Args {
			if a.Many && i < len(c.Args)-1 {
				t.Errorf("%s: only the last argument may be many", line)
			}
		}
		for _, f := range c.Flags {
			switch f.Default.(type) {
			case bool, string, int, uint64, float64, time.Duration, []string:
			default:
				t.Errorf("%s: --%s is of no kind", line, f.Name)
			}
			if f.Help == "" {
				t.Errorf("%s: --%s has no help", line, f.Name)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.HasPrefix(f.Usage, " ") || strings.HasSuffix(f.Usage, ".") {
				t.Errorf("%s: --%s: %q", line, f.Name, f.Usage)
			}
		})
	}
}

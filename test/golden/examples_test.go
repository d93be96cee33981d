package golden

import (
	"regexp"
	"strings"
	"testing"
)

// unseen are the examples of help pages that no story runs, by what they say, and why.
var unseen = map[string]string{
	"/srv/cairn":        "a directory of root",
	"/var/lib/cairn":    "a directory of root",
	"/backups/":         "a directory of root",
	"--listen :443":     "a port of root, and a certificate from the internet",
	"serve health":      "a port that another server may have",
	"--claim TOKEN":     "the claim of a server is random; the world team runs the line that a server prints",
	"join?token=…":      "an invitation is random; the world team runs the line that cairn prints",
	"token revoke cair": "how a token begins is random",
	"restore cairn.db":  "the server of the world runs",
	"--issuer":          "the server of the world takes no issuer of its own",

	"sync otlp-headers http": "the address of the world's server is random; the story sync/forms asks for it",

	"plan run ":          "it starts a coding agent; the story plan/step has it with --dry-run",
	"eval judge latest":  "a language model answers",
	"--outputs - --jud":  "a language model answers",
	"compact verify":     "a language model answers",
	"eval watch -":       "it follows until ctrl-C; the story eval has it with --idle",
	"/backup/.gstack":    "a directory of root",
	"channel test evals": "a server sends nothing to its own machine, and no other is there",
	"update --check":     "a binary that was built from source knows no release page",

	"team alerts check":   "the database of a Supabase project",
	"team alerts confirm": "the database of a Supabase project",
	"team digest send":    "the database of a Supabase project",
	"sync init --data":    "the database of a Supabase project",

	"team delete platform":          "it asks on a terminal; the example with --yes is run",
	"team remove grace@example.com": "it asks on a terminal; the example with --yes is run",
	"team leave":                    "it asks on a terminal; the example with --yes is run",
	"user remove grace@example.com": "it asks on a terminal; the example with --yes is run",
	"user erase grace@example.com":  "it asks on a terminal; the example with --yes is run",
}

// checkExamples checks that a story runs each example of the help, and that it is
// good: it succeeds, or says no (5).
func checkExamples(t *testing.T, stories []*story) {
	pages := map[string]string{}
	var good []string
	for _, s := range stories {
		for _, l := range s.lines {
			text, ok := l.is("$")
			path, help := strings.CutSuffix(text, " --help")
			switch {
			case help:
				pages[path] = l.out
			case ok && (l.code == 0 || l.code == 5):
				good = append(good, text)
			}
		}
	}
	calls := strings.Join(good, "\n")
	used := map[string]bool{}
	for path, page := range pages {
		for _, example := range examplesOf(page) {
			if regexp.MustCompile(`(?m)(?:^|[\s'"|;&])` + regexp.QuoteMeta(example) + `(?:$|['"]|\s*[|&;<>])`).MatchString(calls) {
				continue
			}
			why := ""
			for part := range unseen {
				if strings.Contains(example, part) {
					why, used[part] = part, true
				}
			}
			if why == "" {
				t.Errorf("%s: no story runs the example %s with success", path, example)
			}
		}
	}
	for part := range unseen {
		if !used[part] {
			t.Errorf("the exception %q is needed no more", part)
		}
	}
}

// examplesOf lists the examples of a help page.
func examplesOf(page string) (examples []string) {
	_, rest, ok := strings.Cut(page, "\nExamples:\n")
	for l := range strings.Lines(rest) {
		example, more := strings.CutPrefix(strings.TrimRight(l, "\n"), "  ")
		if !ok || !more {
			break
		}
		examples = append(examples, example)
	}
	return examples
}

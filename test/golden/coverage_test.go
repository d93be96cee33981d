package golden

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// runnable are the words with commands below them that do something themselves.
var runnable = []string{"dashboard", "eval judge", "plan claim", "serve", "serve keys", "spend", "spend budget", "team alerts", "team digest"}

// hidden are the commands that no help lists, and hiddenFlags the flags.
var (
	hidden      = []string{"hook", "shell-exit", "shim"}
	hiddenFlags = map[string][]string{
		"compact install":   {"core-only", "minimal"},
		"install":           {"claude", "codex", "core-only", "minimal"},
		"serve":             {"background"},
		"sync drain":        {"detached", "early"},
		"uninstall":         {"claude", "codex"},
		"update":            {"renew"},
		"doctor":            {"claude"},
		"compact doctor":    {"claude"},
		"compact uninstall": {"claude"},
	}
)

// exceptions are what no call shows, with the reason. A command stands for itself,
// "COMMAND --flag" for a flag, "COMMAND: what" for one kind of call.
var exceptions = map[string]string{
	"compact verify: success":           "a language model of this machine answers it",
	"compact verify: json":              "a language model of this machine answers it",
	"team alerts channel test: success": "a server sends nothing to its own machine, and no other is there",
	"team alerts channel test: json":    "a server sends nothing to its own machine, and no other is there",
	"plan query: usage":                 "it answers as gsd-tools did, which ends with 1",
	"shim: usage":                       "its arguments belong to the tool that it runs",
	"serve --background":                "cairn up starts its server with it",
	"update --renew":                    "an update has the new binary do it",
}

// A command, as its help declares it.
type command struct {
	path  string
	group bool
	flags map[string]string // its value's kind, "" for a switch
	short map[string]string
}

// A use is a call of a command in a story.
type use struct {
	*line
	story, world string
	flags        []string
}

// answers says whether the call is about what a command does, rather than its help
// or its mistakes.
func (u use) answers() bool {
	return !strings.HasPrefix(u.story, "help/") && !strings.HasPrefix(u.story, "usage/")
}

// checkCoverage checks that every command, as the help has them, is called.
func checkCoverage(t *testing.T, stories []*story) {
	pages := map[string]string{}
	for _, s := range stories {
		for _, l := range s.lines {
			if path, ok := strings.CutPrefix(l.text, "$ cairn"); ok && strings.HasSuffix(path, " --help") && l.code == 0 {
				pages[strings.TrimSpace(strings.TrimSuffix(path, "--help"))] = l.now
			}
		}
	}
	commands := map[string]*command{}
	var walk func(path string)
	walk = func(path string) {
		page, ok := pages[path]
		if !ok {
			t.Errorf("no call of %q", strings.TrimSpace("cairn "+path+" --help"))
			return
		}
		c, below := parseHelp(path, page)
		commands[path] = c
		for _, name := range below {
			walk(strings.TrimSpace(path + " " + name))
		}
	}
	walk("")
	for _, path := range hidden {
		walk(path)
	}
	for path, flags := range hiddenFlags {
		for _, f := range flags {
			commands[path].flags[f] = ""
		}
	}

	checkExamples(t, stories)
	checkShapes(t, commands, stories)

	uses := map[string][]use{}
	for _, s := range stories {
		world := ""
		for _, l := range s.lines {
			if name, ok := l.is("@ world"); ok {
				world = name
			}
			if text, ok := l.is("$"); ok {
				for path, flags := range called(commands, text) {
					uses[path] = append(uses[path], use{l, s.name, world, flags})
				}
			}
		}
	}

	used := map[string]bool{}
	missing := func(key, what string) {
		if _, ok := exceptions[key]; ok {
			used[key] = true
			return
		}
		t.Errorf("cairn %s: %s", key, what)
	}
	for path, c := range commands {
		if c.group && !slices.Contains(runnable, path) || path == "" || path == "help" {
			continue
		}
		has := func(good func(use) bool) bool { return slices.ContainsFunc(uses[path], good) }
		if !has(func(u use) bool { return u.answers() && u.code == 0 }) {
			missing(path+": success", "no call succeeds")
		}
		if !has(func(u use) bool { return u.answers() && u.world == "empty" }) {
			missing(path+": empty", "no call in the empty world")
		}
		if !has(func(u use) bool { return u.code == 2 }) {
			missing(path+": usage", "no call is wrong")
		}
		if _, ok := c.flags["json"]; ok && !has(func(u use) bool {
			return u.answers() && u.code == 0 && slices.Contains(u.flags, "json")
		}) {
			missing(path+": json", "no call with --json succeeds")
		}
		for flag, kind := range c.flags {
			if !has(func(u use) bool { return u.answers() && slices.Contains(u.flags, flag) }) {
				missing(path+" --"+flag, "no call has this flag")
			}
			if slices.Contains([]string{"int", "uint", "float", "duration", "number"}, kind) && !has(func(u use) bool {
				return u.code == 2 && slices.Contains(u.flags, flag)
			}) {
				missing(path+" --"+flag+": wrong", "no call gives it a value of another kind")
			}
		}
	}
	for key := range exceptions {
		if !used[key] {
			t.Errorf("the exception %q is needed no more", key)
		}
	}
}

var (
	section = regexp.MustCompile(`^\| (\S.*):$`)
	below   = regexp.MustCompile(`^\|   ([a-z][a-z-]*) +\S`)
	flagOf  = regexp.MustCompile(`^\| +(?:-(\w), )?--([\w-]+)(?: (\w+))?(?:  |$)`)
)

// parseHelp reads the commands below one, and its flags, from its help.
func parseHelp(path, page string) (c *command, names []string) {
	c = &command{path: path, flags: map[string]string{}, short: map[string]string{}}
	part, usage := "", false
	for l := range strings.Lines(page) {
		l = strings.TrimSuffix(l, "\n")
		if m := section.FindStringSubmatch(l); m != nil {
			part = m[1]
			usage = usage || part == "Usage"
			continue
		}
		switch {
		case !usage, part == "Usage", part == "Examples", part == "Aliases":
		case strings.HasSuffix(part, "Flags"):
			if m := flagOf.FindStringSubmatch(l); m != nil && m[2] != "help" {
				c.flags[m[2]] = m[3]
				if m[1] != "" {
					c.short[m[1]] = m[2]
				}
			}
		default:
			if m := below.FindStringSubmatch(l); m != nil && l != "| " {
				c.group = true
				names = append(names, m[1])
			}
		}
	}
	return c, names
}

// called finds the commands of cairn in a line for sh, and the flags that each has.
func called(commands map[string]*command, text string) map[string][]string {
	found := map[string][]string{}
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		if words[i] != "cairn" {
			continue
		}
		path := ""
		for i+1 < len(words) && commands[strings.TrimSpace(path+" "+words[i+1])] != nil {
			path = strings.TrimSpace(path + " " + words[i+1])
			i++
		}
		flags := found[path]
		for i+1 < len(words) && !strings.ContainsAny(words[i+1][:1], "|&;<>") && words[i+1] != "--" {
			i++
			if name, ok := strings.CutPrefix(words[i], "--"); ok {
				name, _, _ = strings.Cut(name, "=")
				flags = append(flags, name)
			} else if short := strings.TrimPrefix(words[i], "-"); short != words[i] && short != "" {
				flags = append(flags, commands[path].short[short[:1]])
			}
		}
		found[path] = flags
	}
	return found
}

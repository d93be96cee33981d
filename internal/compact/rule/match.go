package rule

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"sort"
	"strings"

	"cairn/internal/compact/shell"
)

// A Target is what a rule is chosen for.
type Target struct {
	Tool    string // "Bash" when ""
	Command shell.Parsed
	Around  shell.Parsed  // what showed the output of this and other commands, "" for none
	Sample  func() string // the beginning, and if known the end, of the output; nil: none. Called when content decides
}

func (t Target) sample() string {
	if t.Sample == nil {
		return ""
	}
	return t.Sample()
}

// Find returns the id of the rule for t, or "" when only the generic one
// fits. The commands decide: the longest matching prefix, ties by id. When no
// command matches or the one that does runs another tool, the content decides
// among all rules; when several commands of different rules wrote the output,
// it decides among theirs. Of several, a rule for source code comes first: it
// cuts least, unless what is shown is a file that another command's output
// went to. A rule whose content cannot be told (a listing, matches) is not
// for an output that a command without a rule wrote as well.
func (l *Library) Find(t Target) string {
	entries := l.entries(cmp.Or(t.Tool, "Bash"))
	var own []entry // of the commands, each once
	open := false   // any rule may fit
	foreign := false
	saved := true // every file shown is a saved output
	for _, call := range t.Command.Calls {
		if call.Silent {
			continue
		}
		e := matchCall(entries, call)
		if e == nil {
			open, foreign = true, true
			continue
		}
		open = open || e.Match.Wrapper
		saved = saved && e.Match.Source && showsSaved(call)
		if !slices.ContainsFunc(own, func(o entry) bool { return o.ID == e.ID }) {
			own = append(own, *e)
		}
	}
	if i := slices.IndexFunc(own, func(e entry) bool { return e.Match.Source }); i >= 0 {
		if saved && !foreign && !dated(t.sample()) {
			if id := sniff(tools(entries), t.sample()); id != "" {
				return id
			}
		}
		return own[i].ID
	}
	if len(own) == 0 && len(t.Around.Calls) > 0 {
		return l.within(entries, t)
	}
	switch {
	case len(own) == 1 && !open:
		if own[0].Match.Hooks || own[0].Data && len(own[0].Match.Patterns) > 0 {
			return fetched(entries, own[0], t.sample())
		}
		return own[0].ID
	case len(own) > 1 && !open:
		slices.SortFunc(own, func(a, b entry) int { return strings.Compare(a.ID, b.ID) })
		return sniff(own, t.sample())
	}
	if id := sniff(entries, t.sample()); id != "" || len(own) != 1 {
		return id
	}
	if foreign && len(own[0].Match.Patterns) == 0 {
		return "" // a listing's rule cannot tell its part from that of a command we do not know
	}
	return own[0].ID
}

// fetched is the id of the rule for what a command fetched or listed, or its
// hooks printed: its own, unless the content is plainly a tool's output, which
// it may as well be.
func fetched(entries []entry, own entry, sample string) string {
	if sniff([]entry{own}, sample) != "" || content(entries, sample) != "" {
		return own.ID
	}
	id, hits := sniffed(tools(entries), sample)
	if hits < plainHits {
		return own.ID
	}
	return id
}

// plainHits is how many patterns of another rule make an output plainly another's.
const plainHits = 2

// showsSaved reports whether call shows files that hold what a tool printed,
// by their names.
func showsSaved(call shell.Call) bool {
	files := 0
	for _, arg := range call.Words()[1:] {
		switch ext := path.Ext(arg); {
		case ext == ".log", ext == ".out", ext == ".err", ext == ".stdout", ext == ".stderr", ext == ".output",
			ext == ".txt" && strings.HasPrefix(arg, "/tmp/"):
			files++
		case strings.ContainsAny(arg, "./"):
			return false
		}
	}
	return files > 0
}

// dated reports whether most lines begin with a date, as those of a program's
// own log do. It may hold traces, but it is no output of a tool.
func dated(sample string) bool {
	all, with := 0, 0
	for line := range strings.Lines(sample) {
		if strings.TrimSpace(line) == "" || line[0] == ' ' || line[0] == '\t' {
			continue // what is told below an entry
		}
		all++
		if s := strings.TrimLeft(line, "["); len(s) > 10 && digits(s[:4]) && (s[4] == '-' || s[4] == '/') && digits(s[5:7]) {
			with++
		}
	}
	return with > all/2
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// tools returns the rules for what tools print: not those for what a log or
// any file holds, which are no better than the one for files as they are.
func tools(entries []entry) []entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return !e.prints() })
}

func (e *entry) prints() bool {
	return !e.Match.Source && e.Family != "logs" && e.Family != "files"
}

// matchCall returns the rule whose command prefix of call is longest, or nil.
func matchCall(entries []entry, call shell.Call) (match *entry) {
	best := 0
	for i := range entries {
		for _, prefix := range entries[i].Match.Commands {
			if !strings.HasPrefix(prefix, call.Name) {
				continue
			}
			words := strings.Fields(prefix)
			if len(words) > best && call.HasPrefix(words) {
				best, match = len(words), &entries[i]
			}
		}
	}
	return match
}

// entries returns what matching needs of every rule for a tool, by id.
func (l *Library) entries(tool string) []entry {
	out := make([]entry, 0, len(index)+len(l.user)+len(l.project))
	for i := range index {
		if l.top(index[i].ID) == nil && forTool(index[i].Match.Tools, tool) {
			out = append(out, index[i])
		}
	}
	for _, id := range l.own() {
		r, err := l.Rule(id)
		if err != nil || r == nil || !forTool(r.Match.Tools, tool) {
			continue
		}
		e := entry{Rule: r}
		for _, p := range r.Match.Patterns {
			sets, _ := Needs(p) // what cannot be parsed cannot match either
			e.needs = append(e.needs, sets)
		}
		out = append(out, e)
	}
	if len(l.user)+len(l.project) == 0 {
		return out
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

func forTool(tools []string, tool string) bool {
	if len(tools) == 0 {
		return tool == "Bash" || tool == "TaskOutput"
	}
	return slices.ContainsFunc(tools, func(t string) bool {
		return t == tool || strings.HasSuffix(t, "*") && strings.HasPrefix(tool, t[:len(t)-1])
	})
}

// Generic is the rule for what no rule fits: clean, fold repeats, keep both
// ends and every failure.
func Generic() *Rule {
	return &Rule{
		ID: "generic", Source: "built-in", Parser: "guess",
		Primitives: Primitives{
			Dedupe:   &Dedupe{Normalize: true},
			Truncate: &Truncate{HeadLines: 40, TailLines: 40, OnFailure: &Window{HeadLines: 40, TailLines: 60}},
		},
		Tee: &Tee{OnExit: "always"}, // nobody knows what matters in it
	}
}

// JSON returns r as a rule file would hold it.
func (r *Rule) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // a person reads it
	e.SetIndent("", "  ")
	err := e.Encode(r)
	return bytes.TrimSpace(b.Bytes()), err
}

// within returns the id of the rule for a piece of an output that another
// command showed: by its content, and where that tells nothing by that command if
// it is one that runs tools.
func (l *Library) within(entries []entry, t Target) string {
	sample := t.sample()
	if id := content(entries, sample); id != "" {
		return id
	}
	if id := sniff(entries, sample); id != "" {
		return id
	}
	if code(sample) {
		for _, e := range entries {
			if e.Match.Source {
				return e.ID
			}
		}
	}
	for _, call := range t.Around.Calls {
		switch e := matchCall(entries, call); {
		case e == nil || call.Silent:
		case e.Match.Wrapper && (e.Family != "ops" || e.Parser == "script"): // compose says nothing of what its services print
			return e.ID
		case e.Parser == "tasks":
			return "run/npm-script"
		}
	}
	return ""
}

// content returns the id of the rule for a document that sample begins with.
func content(entries []entry, sample string) string {
	documents := slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return !e.Data })
	return sniff(documents, firstLines(sample, headLines))
}

// Content reports whether sample begins as a document does that is shown as it is.
func (l *Library) Content(tool, sample string) bool {
	return content(l.entries(cmp.Or(tool, "Bash")), sample) != ""
}

// headLines are those in which content that is shown as it is, a diff or a
// document, tells what it is.
const headLines = 12

func firstLines(s string, n int) string {
	at := 0
	for ; n > 0; n-- {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			return s
		}
		at += i + 1
	}
	return s[:at]
}

// code reports whether most lines are those of a program's source: they end or
// begin with what separates statements, and some are indented.
func code(sample string) bool {
	all, marked, indented := 0, 0, 0
	for l := range strings.Lines(sample) {
		t := strings.TrimSpace(l)
		if t == "" {
			continue
		}
		all++
		if l[0] == ' ' || l[0] == '\t' {
			indented++
		}
		if strings.IndexByte("{}();,:[]\\*", t[len(t)-1]) >= 0 || strings.HasPrefix(t, "//") || t[0] == '#' || t[0] == '*' || t[0] == '@' || strings.HasPrefix(t, "/*") {
			marked++
		}
	}
	return all >= 10 && marked*10 >= all*6 && indented*4 >= all
}

// A Kind says whose output a command shows.
type Kind uint8

const (
	Any    Kind = iota // that of any tool: it runs or shows others, or nobody knows
	Misfit             // its own, but this is not what that looks like
	Logs               // what programs logged
	Known              // its own
)

// OfCommand returns who wrote the rule of a command, and whose output it shows.
func (l *Library) OfCommand(t Target) (tier Tier, kind Kind) {
	entries := l.entries(cmp.Or(t.Tool, "Bash"))
	for _, call := range t.Command.Calls {
		e := matchCall(entries, call)
		if call.Silent || e == nil {
			continue
		}
		tier = max(tier, e.Tier)
		switch {
		case e.Match.Wrapper, e.Match.Source, e.Parser == "tasks":
		case e.Family == "logs":
			kind = max(kind, Logs)
		case len(e.Match.Patterns) > 0 && !e.fits(t.sample()):
			if !e.Data { // else it is whatever was fetched
				kind = max(kind, Misfit)
			}
		default:
			kind = max(kind, Known)
		}
	}
	return tier, kind
}

// Knows reports whether a command has a rule, and whether that is one for runners of
// many tasks.
func (l *Library) Knows(cmd shell.Parsed) (known, runner bool) {
	entries := l.entries("Bash")
	for _, call := range cmd.Calls {
		if e := matchCall(entries, call); e != nil && !call.Silent {
			known, runner = true, e.Parser == "tasks"
		}
	}
	return known, runner
}

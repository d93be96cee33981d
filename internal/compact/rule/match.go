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
	switch {
	case len(own) == 1 && !open:
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
	return slices.DeleteFunc(slices.Clone(entries), func(e entry) bool {
		return e.Match.Source || e.Family == "logs" || e.Family == "files"
	})
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

package detail

import (
	"hash/maphash"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"cairn/internal/team/db/ledger"
	"cairn/internal/tokens"
	"cairn/internal/transcript"
)

// An item is a text that entered a context behind a request.
type item struct {
	behind int // the request's number in its file, -1 for the first
	source Source
	tokens int
	recap  bool // it replaces what was before
}

// A talk is the requests and texts of one conversation in a file: the session's own,
// or a subagent's.
type talk struct {
	agent    string
	requests []asked
	items    []item
}

// asked is a request in a file.
type asked struct {
	transcript.Request
	number int // in its file
	spent  int // which of the ledger's it is, -1 for none: another session pays
}

// A reading collects what the files of a session tell.
type reading struct {
	ids   map[string][]int // the ledger's requests, by the ids that a file has
	talks []*talk

	memory map[string]int // tokens of files that are sent with requests, by name

	file  string
	of    map[string]*talk  // those of the file that is read, by subagent
	had   map[string]bool   // results, by context
	fails map[string]string // the call that failed last, by context, until there is another
}

var seed = maphash.MakeSeed()

func newReading(requests []ledger.Spent, memory map[string]int) *reading {
	r := &reading{ids: map[string][]int{}, memory: memory}
	for i := range requests {
		id := requests[i].ID
		if requests[i].Agent == transcript.Codex {
			id = id[strings.LastIndexByte(id, '/')+1:]
		} else {
			id, _, _ = strings.Cut(id, "/")
		}
		r.ids[id] = append(r.ids[id], i)
	}
	return r
}

func (r *reading) begin(file string) {
	r.file, r.of, r.had, r.fails = file, map[string]*talk{}, map[string]bool{}, map[string]string{}
}

func (r *reading) talk(agent string) *talk {
	if r.of[agent] == nil {
		r.of[agent] = &talk{agent: agent}
		r.talks = append(r.talks, r.of[agent])
	}
	return r.of[agent]
}

func (r *reading) entered(e transcript.Entry) {
	source := Source{Start, string(e.Kind)}
	switch e.Kind {
	case transcript.Server:
		source.Name = strings.TrimSpace("MCP server " + e.Name)
	case transcript.Prompt:
		source = Source{Prompts, "prompts"}
	case transcript.Summary:
		source = Source{Summary, "summaries"}
	case transcript.Environment:
		if e.Request >= 0 {
			source = Source{Prompts, "reminders that the agent added"}
		}
	}
	t := r.talk(e.Agent)
	t.items = append(t.items, item{e.Request, source, e.Tokens, e.Kind == transcript.Summary})
}

func (r *reading) called(c *transcript.Call) {
	name := c.Tool
	if c.Tool == "Bash" {
		name = program(c.Command)
	} else if server, ok := strings.CutPrefix(c.Tool, "mcp__"); ok {
		server, tool, _ := strings.Cut(server, "__")
		name = server + " " + tool
	}
	source := Source{Results, name}
	context := c.Agent + " " + string(rune('0'+c.Context)) + " "
	call := digest(c.Tool + "\x00" + string(c.Args))
	result := context + digest(c.Tool+"\x00"+c.File+"\x00"+c.Body)
	const telling = 200 // bytes: a shorter result costs nothing
	switch {
	case r.fails[context] == call:
		source.Kind = Retries
	case len(c.Body) >= telling && r.had[result]:
		source.Kind = Again
		if c.File != "" {
			source.Name = filepath.Base(c.File)
		}
	}
	r.had[result] = true
	if r.fails[context] = ""; c.Failed || c.Exit != nil && *c.Exit != 0 {
		r.fails[context] = call
	}
	t := r.talk(c.Agent)
	t.items = append(t.items, item{c.Request, source, tokens.Estimate(c.Output), false})
}

func digest(s string) string {
	n := maphash.String(seed, s)
	return string([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24), byte(n >> 32), byte(n >> 40), byte(n >> 48), byte(n >> 56)})
}

// remember adds files that are sent with the requests of a session itself, where its
// own file does not have them.
func (r *reading) remember(memory map[string]int) {
	t := r.of[""]
	if t == nil || slices.ContainsFunc(t.items, func(i item) bool { return i.source == (Source{Start, string(transcript.Memory)}) }) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(memory)) {
		t.items = append(t.items, item{-1, Source{Start, name}, memory[name], false})
	}
}

// end takes the requests of a file.
func (r *reading) end(requests []transcript.Request) {
	for n, q := range requests {
		spent := -1
		if left := r.ids[q.ID]; len(left) > 0 && !q.Copied {
			spent, r.ids[q.ID] = left[0], left[1:]
		}
		t := r.talk(q.Agent)
		t.requests = append(t.requests, asked{q, n, spent})
	}
	r.remember(r.memory)
	for _, t := range r.of {
		slices.SortStableFunc(t.items, func(a, b item) int { return a.behind - b.behind })
	}
}

// wrappers are programs that run another.
var wrappers = map[string]bool{"sudo": true, "env": true, "time": true, "timeout": true, "nice": true, "nohup": true, "command": true, "exec": true, "xargs": true, "cairn": true}

// families are programs whose first word says what they do.
var families = map[string]bool{"git": true, "go": true, "npm": true, "pnpm": true, "yarn": true, "cargo": true, "docker": true, "kubectl": true, "gh": true, "make": true}

var (
	programs = regexp.MustCompile(`^[\w.+-]{1,30}$`)
	verbs    = regexp.MustCompile(`^[a-z][a-z-]{0,20}$`)
)

// program is the kind of a command: its program, and of some the verb. None of its
// other words is in it.
func program(command string) string {
	for _, part := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(";&|\n", r) }) {
		words := strings.Fields(part)
		for len(words) > 0 && (strings.Contains(words[0], "=") || wrappers[words[0]] || strings.HasPrefix(words[0], "-") || strings.Trim(words[0], "0123456789smh") == "") {
			words = words[1:]
		}
		if len(words) == 0 || words[0] == "cd" || words[0] == "export" || words[0] == "set" || words[0] == "source" {
			continue
		}
		name := filepath.Base(words[0])
		if !programs.MatchString(name) {
			break
		}
		if families[name] && len(words) > 1 && verbs.MatchString(words[1]) {
			name += " " + words[1]
		}
		return name
	}
	return "shell"
}

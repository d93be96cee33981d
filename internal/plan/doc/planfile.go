package doc

import (
	"slices"
	"strings"
)

// Plan is what a PLAN.md says: its frontmatter and its tasks.
type Plan struct {
	Phase, Plan  string
	Type         string // execute or tdd
	Wave         int    // 0 when it declares none
	DependsOn    []string
	Files        []string // files_modified, or files-modified
	Autonomous   bool     // without a word about it, true
	Requirements []string
	GapClosure   bool
	MustHaves    MustHaves
	Objective    string // the first line of <objective>, else of the frontmatter
	Tasks        []Task
}

// Built counts the tasks that change files of the project: each is a commit.
func (p Plan) Built() (n int) {
	for _, t := range p.Tasks {
		if !t.Checkpoint() && slices.ContainsFunc(t.Files, func(f string) bool { return !strings.HasPrefix(strings.TrimPrefix(f, "./"), ".planning/") }) {
			n++
		}
	}
	return n
}

// MustHaves is what has to hold when the plan was executed.
type MustHaves struct {
	Truths    []string
	Artifacts []Artifact
	KeyLinks  []KeyLink
}

// Artifact is a file that has to be there.
type Artifact struct {
	Path     string
	Provides string
	MinLines int      // 0 for any
	Contains []string // texts that must be in it
	Exports  []string // names that must be in it
}

// KeyLink is a connection between two places: From must use To.
type KeyLink struct {
	From, To string
	Via      string
	Pattern  string // a regular expression that is in From or in To; "" for none
}

// Task is a <task> of a plan. An element it lacks is "".
type Task struct {
	Line     int    // of its opening tag
	Type     string // auto, tdd, checkpoint:human-verify, …
	Name     string
	Files    []string
	Action   string
	Verify   string
	Done     string
	Behavior string
	TDD      bool
	Gate     string // blocking, or ""
	Text     string // between the tags
}

// Checkpoint reports whether the task waits for a person.
func (k Task) Checkpoint() bool { return strings.HasPrefix(k.Type, "checkpoint") }

// ReadPlan reads a plan. It never fails: what is not there is empty.
func ReadPlan(t *Text) Plan {
	f := t.Front()
	p := Plan{
		Phase: f.Get("phase").Text(), Plan: f.Get("plan").Text(), Type: f.Get("type").Text(),
		Wave: f.Get("wave").Int(0), DependsOn: f.either("depends_on", "depends-on").names(),
		Files: f.either("files_modified", "files-modified").names(), Autonomous: f.Get("autonomous").Bool(true),
		Requirements: f.Get("requirements").names(), GapClosure: f.Get("gap_closure").Bool(false),
		MustHaves: readMustHaves(f.either("must_haves", "must-haves")),
		Objective: f.Get("objective").Text(),
	}
	for _, b := range t.Blocks(t.Body(), t.Len(), "objective") {
		if text := strings.TrimSpace(b.Text); text != "" {
			p.Objective, _, _ = strings.Cut(text, "\n")
			p.Objective = strings.TrimSpace(p.Objective)
			break
		}
	}
	for _, b := range t.Blocks(t.Body(), t.Len(), "task") {
		p.Tasks = append(p.Tasks, readTask(b))
	}
	return p
}

// either returns the value of the first key that is there.
func (n *Node) either(keys ...string) *Node {
	for _, key := range keys {
		if v := n.Get(key); v != nil {
			return v
		}
	}
	return nil
}

// names returns the strings of a list of ids or paths, which people also write
// as `01-01, 01-02`.
func (n *Node) names() []string {
	if n == nil || n.Kind != Scalar {
		return n.Strings()
	}
	var names []string
	for name := range strings.SplitSeq(n.Value, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// list returns the items of a list, or nil.
func (n *Node) list() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func readMustHaves(n *Node) MustHaves {
	m := MustHaves{Truths: n.Get("truths").Strings()}
	for _, it := range n.Get("artifacts").list() {
		a := Artifact{
			Path: it.Get("path").Text(), Provides: it.Get("provides").Text(), MinLines: it.Get("min_lines").Int(0),
			Contains: it.Get("contains").Strings(), Exports: it.Get("exports").Strings(),
		}
		if it.Kind == Scalar {
			a.Path = it.Value
		}
		m.Artifacts = append(m.Artifacts, a)
	}
	for _, it := range n.either("key_links", "key-links").list() {
		m.KeyLinks = append(m.KeyLinks, KeyLink{
			From: it.Get("from").Text(), To: it.Get("to").Text(), Via: it.Get("via").Text(), Pattern: it.Get("pattern").Text(),
		})
	}
	return m
}

// ReadTask reads the first <task> in text, which need not be a whole plan.
func ReadTask(text string) (Task, bool) {
	bs := Elements(text, "task")
	if len(bs) == 0 {
		return Task{}, false
	}
	return readTask(bs[0]), true
}

func readTask(b Block) Task {
	k := Task{Line: b.Line, Type: b.Attrs["type"], TDD: b.Attrs["tdd"] == "true", Gate: b.Attrs["gate"], Text: b.Text}
	inner := Parse([]byte(b.Text))
	element := func(name string) string {
		if bs := inner.Blocks(0, inner.Len(), name); len(bs) > 0 {
			return strings.TrimSpace(bs[0].Text)
		}
		return ""
	}
	k.Name, k.Action, k.Verify = element("name"), element("action"), element("verify")
	k.Done, k.Behavior = element("done"), element("behavior")
	k.Files = fileList(element("files"))
	return k
}

// fileList reads the files of a task's <files>: one per line or separated by
// commas, perhaps as list items, in backquotes, or with a remark in
// parentheses.
func fileList(text string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' }) {
		part = strings.TrimSpace(part)
		part = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(part, "- "), "* "), " ")
		if name, _, ok := strings.Cut(part, " ("); ok {
			part = name
		}
		if part = strings.Trim(part, "` \t\r"); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// Package content is what coding agents are told: the prompts of the commands
// and of the agents they spawn, written once for every runtime. A piece is a
// Markdown file with a template in it (see Style); Expand makes the text that
// one runtime reads. It also counts what a command costs (budget.go), checks
// that everything a prompt names exists (check.go), and knows where each job
// of the older planning tool went (inventory.go).
//
//	commands/    what a user calls; each is a whole workflow
//	workflows/   parts of one command, read when their step or mode comes
//	agents/      the roles, each with a context window of its own
//	references/  knowledge that several prompts send for when they need it
//	partials/    sentences that several pieces contain
//
// The verbs of `cairn plan content` and install/render import it; it imports
// plan/doc, and to check names plan/agent, plan/settings and plan/template.
// The tables of budgets and jobs are read by tests, which hold the prompts to
// them and make the pages of docs. File formats and directories of a coding agent never
// belong here, and no document of a project: those are plan/template.
package content

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

//go:embed commands workflows agents references partials
var files embed.FS

// Kind is what a piece is for: the directory it is in.
type Kind string

const (
	Command   Kind = "commands"
	Workflow  Kind = "workflows"
	Agent     Kind = "agents"
	Reference Kind = "references"
	Partial   Kind = "partials"
)

// Kinds returns all of them.
func Kinds() []Kind { return []Kind{Command, Workflow, Agent, Reference, Partial} }

// A Piece is one file, as it was written.
type Piece struct {
	Kind Kind
	Name string // the file without its kind and suffix: plan-phase, discuss-phase/power
	Head
	Body string // with the template in it
}

// Path returns where the piece is, and how it is named: commands/plan-phase.
func (p *Piece) Path() string { return string(p.Kind) + "/" + p.Name }

// Head is a piece's frontmatter.
type Head struct {
	Description string   // one line: what it is for; a runtime shows it to its model
	Arguments   string   // of a command, as help shows them
	Profile     string   // of a command: the smallest profile that has it
	Tools       []string // what it needs: see Tools
	Agents      []string // roles a command spawns in an ordinary run
	Loads       []string // pieces that are read in an ordinary run, by their path
}

// Profiles are how much is installed, each with all of the one before.
func Profiles() []string { return []string{"core", "standard", "full"} }

// Tools are what a prompt may need, in words of ours; a runtime has its own.
func Tools() []string {
	return []string{"read", "write", "edit", "shell", "search", "fetch", "web", "ask", "spawn", "todo"}
}

// All returns every piece, by kind and name.
func All() ([]*Piece, error) {
	var all []*Piece
	for _, kind := range Kinds() {
		err := fs.WalkDir(files, string(kind), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path.Ext(name) != ".md" {
				return err
			}
			p, err := read(name)
			all = append(all, p)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Of returns the pieces of a kind, by name.
func Of(kind Kind) ([]*Piece, error) {
	all, err := All()
	return slices.DeleteFunc(all, func(p *Piece) bool { return p.Kind != kind }), err
}

// UnknownError says that there is no piece of a name.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no piece of content %q", e.Name) }

// Find returns the piece of a path. Without a kind, commands are looked
// through first, then the others in the order of Kinds. A name may be as a coding agent
// knows it: agents/cairn-planner.
func Find(name string) (*Piece, error) {
	name = path.Clean(strings.TrimSuffix(name, ".md"))
	if dir, base := path.Split(name); strings.HasPrefix(base, "cairn-") {
		name = dir + strings.TrimPrefix(base, "cairn-")
	}
	for _, kind := range Kinds() {
		for _, full := range []string{name, string(kind) + "/" + name} {
			if strings.HasPrefix(full, string(kind)+"/") && isFile(full+".md") {
				return read(full + ".md")
			}
		}
	}
	return nil, &UnknownError{name}
}

func isFile(name string) bool {
	fi, err := fs.Stat(files, name)
	return err == nil && !fi.IsDir()
}

func read(name string) (*Piece, error) {
	data, err := files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	kind, rest, _ := strings.Cut(name, "/")
	p := &Piece{Kind: Kind(kind), Name: strings.TrimSuffix(rest, ".md"), Body: string(data)}
	if p.Kind == Partial {
		return p, nil
	}
	_, body, ok := strings.Cut(strings.TrimPrefix(p.Body, "---\n"), "\n---\n")
	if !ok {
		return nil, fmt.Errorf("%s: it has no frontmatter", name)
	}
	front := doc.Parse(data).Front()
	p.Body = strings.TrimPrefix(body, "\n")
	p.Head = Head{
		Description: front.Get("description").Text(), Arguments: front.Get("arguments").Text(),
		Profile: front.Get("profile").Text(), Tools: front.Get("tools").Strings(),
		Agents: front.Get("agents").Strings(), Loads: front.Get("loads").Strings(),
	}
	return p, nil
}

// Package runtimes is what domains may know of the coding agents, as data: their
// names, where their files are, and the models behind a tier. Package host makes
// each row a whole one, with hooks and codecs, for the edges; the domains (plan)
// and what reads transcripts import this leaf. docs/adr/0018 says why.
//
// Nobody else may name an agent's directory or variable: a test of the
// architecture looks for them.
package runtimes

import (
	"path/filepath"
	"strings"
)

// A Runtime is one coding agent.
type Runtime struct {
	Name string // what a user types: `cairn install NAME`, and "runtime" in a plan's settings

	ConfigDirEnv string // environment variable that moves the configuration directory, or ""
	ConfigDirSub string // where it is below the directory that the variable names, with slashes; "" is that one
	ConfigDir    string // the directory without that variable, relative to the user's home, with slashes
	LocalDir     string // the directory of the same kind in a repository, with slashes

	Agents      string   // where agents are in these; "": it has none, and its own model does their work
	Transcripts []string // where transcripts that we can read are in the configuration directory

	// Usage says where it writes what its requests used, below the configuration
	// directory or, with Data, below that; nil where nobody knows.
	Usage []string
	Data  *DataDir

	Models [3]Choice // behind opus, sonnet and haiku; without any, the tier's own name is used
	Effort bool      // it can be told how hard to think
}

// A DataDir is where a runtime keeps what it does not want edited.
type DataDir struct {
	Env  string // environment variable that moves its parent
	Home string // the parent without it, relative to the user's home, with slashes
	Sub  string // below that
}

// UsageDirs are the directories, or files, that hold what a user's requests used,
// whether or not they are there.
func (r *Runtime) UsageDirs(home string, getenv func(string) string) (dirs []string) {
	top := r.Dir(home, getenv)
	if d := r.Data; d != nil {
		if top = getenv(d.Env); top == "" && home != "" {
			top = filepath.Join(home, filepath.FromSlash(d.Home))
		}
		if top != "" {
			top = filepath.Join(top, d.Sub)
		}
	}
	if top == "" {
		return nil
	}
	for _, below := range r.Usage {
		dirs = append(dirs, filepath.Join(top, below))
	}
	return dirs
}

// A Choice is a model and how hard it should think; empty means that the
// runtime is told no model.
type Choice struct {
	Model  string
	Effort string
}

// Find returns the runtime of that name; "" is the usual one.
func Find(name string) (*Runtime, bool) {
	if name == "" {
		return Usual(), true
	}
	for _, r := range all {
		if strings.EqualFold(r.Name, name) {
			return r, true
		}
	}
	return &Runtime{}, false
}

// Usual is the runtime where the settings name none.
func Usual() *Runtime { return all[0] }

// All returns all of them, the usual one first.
func All() []*Runtime { return all[:] }

// Choice returns the model of a tier.
func (r *Runtime) Choice(tier string) Choice {
	switch tier {
	case "opus":
		return r.Models[0]
	case "sonnet":
		return r.Models[1]
	case "haiku":
		return r.Models[2]
	}
	return Choice{}
}

// Dir is the configuration directory of a user with that home; "" if there is
// neither a home nor the variable.
func (r *Runtime) Dir(home string, getenv func(string) string) string {
	if r.ConfigDirEnv != "" {
		if moved := getenv(r.ConfigDirEnv); moved != "" {
			return filepath.Join(moved, filepath.FromSlash(r.ConfigDirSub))
		}
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, filepath.FromSlash(r.ConfigDir))
}

// SessionVars are the variables in which runtimes tell one session from another,
// in the order of the older planning tool, with which a session is shared.
var SessionVars = [...]string{
	"CODEX_THREAD_ID", "CLAUDE_SESSION_ID", "CLAUDE_CODE_SSE_PORT", "OPENCODE_SESSION_ID",
	"GEMINI_SESSION_ID", "CURSOR_SESSION_ID", "WINDSURF_SESSION_ID",
}

// A SkillDir is where skills may be, with slashes: in a project, or Global, in the
// user's home.
type SkillDir struct {
	Dir        string
	Global     bool
	Deprecated bool
}

// SkillDirs are those that the older planning tool lists, in its order.
var SkillDirs = [...]SkillDir{
	{Dir: ".claude/skills"}, {Dir: ".agents/skills"}, {Dir: ".cursor/skills"}, {Dir: ".github/skills"}, {Dir: ".codex/skills"},
	{Dir: ".claude/skills", Global: true}, {Dir: ".codex/skills", Global: true},
	{Dir: ".claude/get-shit-done/skills", Global: true, Deprecated: true},
}

// OldCommands is where the first versions of that tool put its commands, in the user's home.
const OldCommands = ".claude/commands/gsd"

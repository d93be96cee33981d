// Package command is how a command of cairn is declared: once, as a value, from
// which the command line, its help, its pages, its completion, the check of its
// arguments and the tools of the MCP server are all made. What it does answers
// with an answer.Answer, which is printed in one place.
//
// The packages that declare commands stand beside their domains; package cli
// puts them together. This one knows no domain, and of all libraries only cobra.
package command

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/outside"
)

// Env is what a command may touch of the outside.
type Env = outside.Env

// A Command is what follows the word cairn. One without Run is a word that others
// stand below, whose flags they take, too.
type Command struct {
	Path     string // without cairn: "plan phase add"
	Args     []Arg
	Flags    []Flag
	Short    string   // one line in the imperative, no full stop
	Long     string   // more, or ""
	Examples []string // command lines
	Exits    string   // exit codes that mean more than everywhere: "5 if the gate fails"
	Effect   Effect
	Hidden   bool
	Aliases  []string // other names, which help does not list
	Local    bool     // its flags are not those of the commands below it
	Text     bool     // prints text only: no --json and --get
	CSV      bool     // its table can be had as CSV
	Lines    bool     // flags end where arguments begin: these belong to another program
	Raw      bool     // reads its arguments itself
	Waits    bool     // for a network or a person: Ctrl-C ends its context, a second one the process
	Tool     *Tool
	// Exclusive are lists of flags of which a line may have only one.
	Exclusive [][]string
	// Run may end with an error by package must, too.
	Run func(*Call) (*answer.Answer, error)

	above *Command // of which the flags are ours, too: see Link
	word  bool     // others stand below it
}

// Effect is what a command does to the world.
type Effect string

const (
	Reads  Effect = "reads"
	Writes Effect = "writes"
)

// Arg is a positional argument. Only the last may be many.
type Arg struct {
	Name     string // as help shows it: PHASE, FILE, TEXT
	Help     string
	Optional bool
	Many     bool     // one or more; with Optional none or more
	Files    bool     // may name a file, whatever it is called in help
	OneOf    []string // the only values
	Values   Offer
}

// Flag is an option. Its kind follows from Default: bool, int, float64, string,
// time.Duration, or a list ([]string(nil), given several times; with Commas
// several at once).
type Flag struct {
	Name     string
	Short    string // one letter, or ""
	Default  any
	Help     string // a name in `backquotes` stands for the value
	Required bool
	Hidden   bool
	Commas   bool
	Min      int      // of an int: less is a usage error
	OneOf    []string // the only values beside the default
	Values   Offer
}

// SinceFlag is --since, of which Since reads the value.
func SinceFlag(def string) Flag {
	return Flag{
		Name: "since", Default: def, Help: "how far to look back: 30d, 12h, 2w, a date, or all",
		Values: func(*Call) []string { return []string{"24h", "7d", "30d", "90d", "all"} },
	}
}

// An Offer is what a shell offers as values. It looks at files of this machine
// only, and finds nothing when anything goes wrong. The arguments are those before.
type Offer func(*Call) []string

// Name is the last word of the path.
func (c *Command) Name() string { return c.Path[strings.LastIndexByte(c.Path, ' ')+1:] }

// Parent is the path without its last word.
func (c *Command) Parent() string { return c.Path[:max(strings.LastIndexByte(c.Path, ' '), 0)] }

// Use is the name and the arguments.
func (c *Command) Use() string {
	use := c.Name()
	if c.Lines {
		use += " [flags] --"
	}
	for _, a := range c.Args {
		name := a.Name
		if a.Many {
			name += "..."
		}
		if a.Optional {
			name = "[" + name + "]"
		}
		use += " " + name
	}
	return use
}

// Takes returns how many arguments a command needs and takes, -1 for any number.
func (c *Command) Takes() (least, most int) {
	for _, a := range c.Args {
		if !a.Optional {
			least++
		}
		if most++; a.Many {
			return least, -1
		}
	}
	return least, most
}

// A Call is one call of a command.
type Call struct {
	context.Context
	*Env
	Command *Command
	args    []string
	flags   map[string]any
	given   map[string]bool // the flags that stood on the line
}

// NewCall makes a call of a command. Flags that are not among those given have
// their defaults.
func NewCall(ctx context.Context, env *Env, cmd *Command, args []string, flags map[string]any) *Call {
	c := &Call{Context: ctx, Env: env, Command: cmd, args: args, flags: map[string]any{}, given: map[string]bool{}}
	for name, v := range flags {
		c.flags[name], c.given[name] = v, true
	}
	return c
}

// Args are all arguments, as they came.
func (c *Call) Args() []string { return c.args }

// Arg returns a positional argument by name, "" when it was not given.
func (c *Call) Arg(name string) string {
	if i := c.index(name); i < len(c.args) {
		return c.args[i]
	}
	return ""
}

// Rest returns the arguments of one that takes many.
func (c *Call) Rest(name string) []string {
	return c.args[min(c.index(name), len(c.args)):]
}

func (c *Call) index(name string) int {
	i := slices.IndexFunc(c.Command.Args, func(a Arg) bool { return a.Name == name })
	if i < 0 {
		panic("cairn " + c.Command.Path + " declares no argument " + name)
	}
	return i
}

// Has reports whether the command has a flag: several may share one Run.
func (c *Call) Has(flag string) bool { return c.Command.flag(flag) != nil }

// Given reports whether the flag stood on the line.
func (c *Call) Given(flag string) bool { return c.given[flag] }

// AsText reports whether the answer is printed for a person.
func (c *Call) AsText() bool {
	return c.flags["json"] != true && c.flags["csv"] != true && (c.flags["get"] == nil || c.flags["get"] == "")
}

// Set reports whether the flag has another value than its default.
func (c *Call) Set(flag string) bool {
	switch v := value[any](c, flag).(type) {
	case bool:
		return v
	case string:
		return v != ""
	case []string:
		return len(v) > 0
	default:
		return v != c.flag(flag).Default
	}
}

// Bool and the others return a flag's value.
func (c *Call) Bool(flag string) bool              { return value[bool](c, flag) }
func (c *Call) String(flag string) string          { return value[string](c, flag) }
func (c *Call) Int(flag string) int                { return value[int](c, flag) }
func (c *Call) Uint(flag string) uint64            { return value[uint64](c, flag) }
func (c *Call) Float(flag string) float64          { return value[float64](c, flag) }
func (c *Call) Duration(flag string) time.Duration { return value[time.Duration](c, flag) }
func (c *Call) List(flag string) []string          { return value[[]string](c, flag) }

func value[T any](c *Call, flag string) T {
	v, ok := c.flags[flag]
	if !ok {
		v = c.flag(flag).Default
	}
	t, ok := v.(T)
	if !ok {
		panic(fmt.Sprintf("the flag --%s of cairn %s is a %T", flag, c.Command.Path, v))
	}
	return t
}

// flag finds a declaration: the command's own, or one of a word above it.
func (c *Call) flag(name string) *Flag {
	if f := c.Command.flag(name); f != nil {
		return f
	}
	panic("cairn " + c.Command.Path + " declares no flag --" + name)
}

func (c *Command) flag(name string) *Flag {
	for f := range c.allFlags() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// allFlags are the command's own flags, and those of the words above it.
func (c *Command) allFlags() iter.Seq[*Flag] {
	return func(yield func(*Flag) bool) {
		for at := c; at != nil; at = at.above {
			for i := range at.Flags {
				if (at == c || !at.Local) && !yield(&at.Flags[i]) {
					return
				}
			}
		}
	}
}

// Link tells each command which one is above it, and returns them by their path.
func Link(all []*Command) map[string]*Command {
	paths := make(map[string]*Command, len(all))
	for _, c := range all {
		paths[c.Path] = c
	}
	for _, c := range all {
		if c.above = paths[c.Parent()]; c.above != nil {
			c.above.word = true
		}
	}
	return paths
}

// Reachable returns the commands that a line with these words may mean: to build
// all takes longer than most of them run.
func Reachable(all []*Command, words []string) []*Command {
	for n := min(len(words), 2); n > 0; n-- {
		path := strings.Join(words[:n], " ")
		some := slices.DeleteFunc(slices.Clone(all), func(c *Command) bool {
			return c.Path != path && !strings.HasPrefix(c.Path, path+" ") && !strings.HasPrefix(path, c.Path+" ")
		})
		if slices.ContainsFunc(some, func(c *Command) bool { return c.Path == path }) {
			return some
		}
	}
	return all
}

// Kinds of failure that have an exit code of their own. A command wraps its
// error in one of them, or returns an error of a domain that the command line
// has a code for.
const (
	ErrUsage kind = "usage"
	ErrData  kind = "bad input data"
	ErrAuth  kind = "not signed in"
	ErrGate  kind = "check said no"
	ErrNet   kind = "network"

	ErrUnchecked kind = "not checked"
)

// A kind is an error that costs nothing before it happens: hooks start many times a minute.
type kind string

func (k kind) Error() string { return string(k) }

// kinded puts a kind behind an error without changing what it says.
type kinded struct {
	error
	kind error
}

func (k kinded) Unwrap() []error { return []error{k.error, k.kind} }

func withKind(kind, err error) error {
	if err == nil {
		return nil
	}
	return kinded{err, kind}
}

// Usage, Data, Auth, Gate and Net put their kind behind an error; nil stays nil.
func Usage(err error) error { return withKind(ErrUsage, err) }
func Data(err error) error  { return withKind(ErrData, err) }
func Auth(err error) error  { return withKind(ErrAuth, err) }
func Gate(err error) error  { return withKind(ErrGate, err) }
func Net(err error) error   { return withKind(ErrNet, err) }

// Unchecked is of a check that could not be made, though nothing else is wrong.
func Unchecked(err error) error { return withKind(ErrUnchecked, err) }

// Usagef and Dataf are Usage and Data of a new error.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }
func Dataf(format string, args ...any) error  { return Data(fmt.Errorf(format, args...)) }

// Status ends the process with a code without a word, such as the exit code of
// the tool that `cairn run` ran.
type Status int

func (Status) Error() string { return "exit status" }

// The exit codes of every command.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitUsage  = 2
	ExitData   = 3
	ExitAuth   = 4
	ExitGate   = 5
	ExitNet    = 6

	ExitUnchecked = 7
)

package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Tree makes cobra's commands of the declarations and puts them below root, each
// after the words above it.
func Tree(env *Env, root *cobra.Command, all []*Command) {
	Link(all)
	made := map[string]*cobra.Command{"": root}
	for _, c := range all {
		cmd, above := c.cobra(env), made[c.Parent()]
		made[c.Path] = cmd
		above.AddCommand(cmd)
		if above.Example == "" { // a word's are those of the first command below it
			above.Example = cmd.Example
		}
	}
}

// JSONFlag and GetFlag are of all commands whose answer is data.
var (
	JSONFlag = Flag{Name: "json", Default: false, Help: "print JSON"}
	GetFlag  = Flag{Name: "get", Default: "", Help: "print one value of the JSON: phases[0].name"}
	csvFlag  = Flag{Name: "csv", Default: false, Help: "print the table as CSV"}
)

func (c *Command) cobra(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: c.Use(), Short: c.Short, Long: c.long(), Hidden: c.Hidden, Aliases: c.Aliases, DisableFlagParsing: c.Raw, Args: KnownCommand,
	}
	if len(c.Examples) > 0 {
		cmd.Example = "  " + strings.Join(c.Examples, "\n  ")
	}
	if c.Run == nil {
		c.declare(cmd.PersistentFlags(), c.Flags)
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		return cmd
	}
	if c.word && !c.Local {
		c.declare(cmd.PersistentFlags(), c.Flags)
	} else {
		c.declare(cmd.Flags(), c.Flags)
	}
	if !c.Text {
		for _, f := range []Flag{JSONFlag, GetFlag, csvFlag} {
			if c.flag(f.Name) == nil && (f.Name != "csv" || c.CSV) {
				c.declare(cmd.Flags(), []Flag{f})
			}
		}
	}
	cmd.Flags().SetInterspersed(!c.Lines)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if cmd.HasSubCommands() && len(c.Args) == 0 {
			return KnownCommand(cmd, args)
		}
		return Usage(term.Hint(c.checkArgs(args), "usage: %s", cmd.UseLine()))
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if c.Raw && len(args) == 1 && (args[0] == "-h" || args[0] == "--help") {
			return cmd.Help()
		}
		return c.run(cmd, env, args)
	}
	return cmd
}

// call reads the flags of a line.
func (c *Command) call(cmd *cobra.Command, ctx context.Context, env *Env, args []string) *Call {
	call := NewCall(ctx, env, c, args, nil)
	cmd.Flags().Visit(func(f *pflag.Flag) { call.flags[f.Name], call.given[f.Name] = read(cmd.Flags(), f), true })
	return call
}

// form is how the answer is to be printed.
func (c *Command) form(call *Call) (form answer.Form) {
	if c.Text {
		return form
	}
	form.JSON, _ = call.flags["json"].(bool)
	form.Get, _ = call.flags["get"].(string)
	if c.CSV {
		form.CSV, _ = call.flags["csv"].(bool)
	}
	return form
}

func (c *Command) run(cmd *cobra.Command, env *Env, args []string) error {
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	if c.Waits {
		var stop context.CancelFunc
		ctx, stop = Interruptible(ctx)
		defer stop()
	}
	call := c.call(cmd, ctx, env, args)
	if err := c.checkFlags(call); err != nil {
		return Usage(term.Hint(err, "%s --help lists the flags", cmd.CommandPath()))
	}
	a, err := c.answer(call)
	if err != nil || a == nil {
		return err
	}
	err = a.Print(env.Stdout, env.Stderr, c.form(call), term.NewPaint(env.Stdout, env.Getenv))
	if missing := new(answer.NoValueError); errors.As(err, &missing) {
		return Data(err)
	}
	switch {
	case err != nil:
		return err
	case a.Err != nil:
		return a.Err
	case a.No:
		return Status(ExitGate)
	}
	return nil
}

// answer is Run; whatever it must not go on without ends it, see package must.
func (c *Command) answer(call *Call) (a *answer.Answer, err error) {
	if stopped := must.Catch(func() { a, err = c.Run(call) }); stopped != nil {
		return nil, stopped
	}
	return a, err
}

// checkArgs checks how many arguments are given, and names what is missing.
func (c *Command) checkArgs(args []string) error {
	for i, a := range c.Args {
		if i >= len(args) && !a.Optional {
			return fmt.Errorf("%s is missing", a.Name)
		}
		if i < len(args) && len(a.OneOf) > 0 && !slices.Contains(a.OneOf, args[i]) {
			return fmt.Errorf("%s must be %s, not %q", a.Name, either(a.OneOf), term.Line(args[i]))
		}
	}
	if n := len(c.Args); len(args) > n && (n == 0 || !c.Args[n-1].Many) && !c.Raw {
		return fmt.Errorf("%q is one argument too many", args[n])
	}
	return nil
}

func (c *Command) checkFlags(call *Call) error {
	for _, list := range c.Exclusive {
		given := slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !call.given[name] })
		if len(given) > 1 {
			return fmt.Errorf("--%s and --%s exclude each other", given[0], given[1])
		}
	}
	for f := range c.allFlags() {
		if f.Required && (!call.given[f.Name] || call.flags[f.Name] == "") {
			return fmt.Errorf("--%s is missing", f.Name)
		}
		if err := f.check(call.flags[f.Name]); err != nil {
			return fmt.Errorf("--%s %w", f.Name, err)
		}
	}
	return nil
}

// check says what a value of the flag must be.
func (f *Flag) check(value any) error {
	switch v := value.(type) {
	case int:
		if v < f.Min {
			return fmt.Errorf("must be %d or more, not %d", f.Min, v)
		}
	case string:
		if len(f.OneOf) > 0 && v != f.Default && !slices.Contains(f.OneOf, v) {
			return fmt.Errorf("must be %s, not %q", either(f.OneOf), term.Line(v))
		}
	}
	return nil
}

// Fill gives a flag that is not on the line a value from elsewhere, such as a
// variable or a file; a list may have several. The error says what it must be.
func (c *Call) Fill(flag string, values ...string) error {
	f := c.flag(flag)
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Command.declare(set, []Flag{*f})
	made := set.Lookup(flag)
	if _, list := made.Value.(pflag.SliceValue); !list && len(values) != 1 {
		return errors.New("must be one value")
	}
	for _, v := range values {
		if set.Set(flag, v) != nil {
			return fmt.Errorf("must be %s, not %q", wants(made.Value.Type()), term.Line(v))
		}
	}
	v := read(set, made)
	if err := f.check(v); err != nil {
		return err
	}
	c.flags[flag] = v
	return nil
}

// either is a, b or c.
func either(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// KnownCommand is for a word with commands below it: an argument that gets to it
// is a command that is not there.
func KnownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	hint := cmd.CommandPath() + " --help lists the commands"
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ")
	}
	return Usage(term.Hint(fmt.Errorf("unknown command %q", args[0]), "%s", hint))
}

// long is the text of help: what the command does, its arguments, its exit codes.
func (c *Command) long() string {
	long := c.Long
	if long == "" {
		long = c.Short
	}
	for _, a := range c.Args {
		if a.Help != "" {
			long += fmt.Sprintf("\n\n%s: %s", a.Name, a.Help)
		}
	}
	if c.Exits != "" {
		long += "\n\nExits " + c.Exits + "."
	}
	return text.Wrap(long, 78)
}

func (c *Command) declare(flags *pflag.FlagSet, list []Flag) {
	for _, f := range list {
		switch d := f.Default.(type) {
		case bool:
			flags.BoolP(f.Name, f.Short, d, f.Help)
		case int:
			flags.IntP(f.Name, f.Short, d, f.Help)
		case uint64:
			flags.Uint64P(f.Name, f.Short, d, f.Help)
		case float64:
			flags.Float64P(f.Name, f.Short, d, f.Help)
		case time.Duration:
			flags.DurationP(f.Name, f.Short, d, f.Help)
		case string:
			flags.StringP(f.Name, f.Short, d, f.Help)
		case []string:
			if f.Commas {
				flags.StringSliceP(f.Name, f.Short, d, f.Help)
			} else {
				flags.StringArrayP(f.Name, f.Short, d, f.Help)
			}
		default:
			panic(fmt.Sprintf("the flag --%s of cairn %s has a default of %T", f.Name, c.Path, d))
		}
		flags.Lookup(f.Name).Hidden = f.Hidden
	}
}

// read returns the value that a flag has, of the type of its default.
func read(flags *pflag.FlagSet, f *pflag.Flag) (v any) {
	var err error
	switch f.Value.Type() {
	case "bool":
		v, err = flags.GetBool(f.Name)
	case "int":
		v, err = flags.GetInt(f.Name)
	case "uint64":
		v, err = flags.GetUint64(f.Name)
	case "float64":
		v, err = flags.GetFloat64(f.Name)
	case "duration":
		v, err = flags.GetDuration(f.Name)
	case "string":
		v = f.Value.String()
	default:
		v = f.Value.(pflag.SliceValue).GetSlice()
	}
	if err != nil {
		panic(err)
	}
	return v
}

// FlagError says what is wrong with the flags of a line, in our words.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	hint := cmd.CommandPath() + " --help lists the flags"
	switch {
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			name = "-" + unknown.GetSpecifiedName()
		} else if near := nearest(cmd, unknown.GetSpecifiedName()); near != "" {
			hint = "did you mean --" + near
		}
		err = fmt.Errorf("unknown flag %s", name)
	case errors.As(err, &missing):
		err = fmt.Errorf("--%s needs a value", missing.GetFlag().Name)
	case errors.As(err, &syntax):
		err = fmt.Errorf("%s is not a flag", term.Line(syntax.GetSpecifiedFlag()))
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		err = fmt.Errorf("--%s must be %s, not %q", f.Name, wants(f.Value.Type()), term.Line(invalid.GetValue()))
	}
	return Usage(term.Hint(err, "%s", hint))
}

// nearest is the flag of a command that a wrong name was probably meant to be, or "".
func nearest(cmd *cobra.Command, name string) string {
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	return text.Nearest(name, known)
}

// wants says what a flag's value is, by pflag's name of its type.
func wants(kind string) string {
	switch kind {
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number from 0"
	case "float64":
		return "a number"
	case "number":
		return "none or a number, as 500, 20M or 1.5GB"
	case "duration":
		return "a duration such as 90s or 2h"
	case "stringSlice":
		return "a list such as a,b"
	}
	return "something else"
}

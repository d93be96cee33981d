package query

import (
	"slices"
	"strings"
)

// missing is the reason of an error about an argument that is not there.
const missing = "sdk_missing_arg"

// pair is --name with its value, "" when none followed.
type pair struct{ name, value string }

// parse reads the call's arguments as its command declares them, a word each:
//
//	--force         a switch
//	--id=           takes what follows
//	--name=...      takes all words up to the next option
//	--plan-file=*   may be given several times
//	#phase          the first argument, which may be named as well (--phase 2)
//	!               no other option is allowed
//	phase           by name (--phase 2), or by its place among these words
//	[phase]         by name only
//	<form>          by its place only
//
// The older tool had two ways to read its arguments, and so there are two kinds
// of words. Those with dashes are taken out of the arguments in the order they
// are declared, the rest are arguments as they stand, other options too. The
// words without dashes are for commands that skip what they do not know: every
// --name with the value behind it, unless that looks like a name as well.
func (c *call) parse(declared string) {
	c.opts = map[string][]string{}
	var named []string
	for _, word := range strings.Fields(declared) {
		name, isFlag := strings.CutPrefix(word, "--")
		name, kind, takes := strings.Cut(name, "=")
		switch {
		case word == "#phase":
			c.args = append(c.take("phase"), c.args...)
		case word == "!":
			// A model that makes up --dry-run shall not change the project.
			for _, arg := range only(c.args, isOption) {
				refuse("usage", "Unknown flag for %s: %s", c.name, arg)
			}
		case !isFlag:
			named = append(named, word)
		case !takes:
			c.opts[name] = c.takeSwitch(name)
		case kind == "...":
			c.opts[name] = c.takePhrase(name)
		case kind == "*":
			c.opts[name] = []string{}
			for v := c.take(name); v != nil; v = c.take(name) {
				c.opts[name] = append(c.opts[name], v...)
			}
		default:
			c.opts[name] = c.take(name)
		}
	}
	if named != nil {
		c.scan(named)
	}
}

// take takes `--name value` or `--name=value` out of the arguments; nil when
// there is none.
func (c *call) take(name string) []string {
	for i, arg := range c.args {
		if v, found := strings.CutPrefix(arg, "--"+name+"="); found {
			c.cut(i, i+1)
			return []string{v}
		}
		if arg == "--"+name {
			return c.cut(i, min(i+2, len(c.args)))
		}
	}
	return nil
}

func (c *call) takeSwitch(name string) []string {
	if i := slices.Index(c.args, "--"+name); i >= 0 {
		c.cut(i, i+1)
		return []string{""}
	}
	return nil
}

func (c *call) takePhrase(name string) []string {
	i := slices.Index(c.args, "--"+name)
	if i < 0 {
		return c.take(name)
	}
	end := i + 1
	for end < len(c.args) && !isOption(c.args[end]) {
		end++
	}
	return []string{strings.Join(c.cut(i, end), " ")}
}

// cut takes an option and its values out of the arguments, and returns those.
func (c *call) cut(from, to int) (values []string) {
	values = slices.Clone(c.args[from+1 : to])
	c.args = slices.Delete(slices.Clone(c.args), from, to)
	return values
}

// scan reads the arguments of a command that skips what it does not know.
func (c *call) scan(named []string) {
	var rest []string
	for i := 0; i < len(c.args); i++ {
		name, ok := strings.CutPrefix(c.args[i], "--")
		if !ok || name == "" {
			rest = append(rest, c.args[i])
			continue
		}
		name, value, hasValue := strings.Cut(name, "=")
		isSwitch := slices.Contains([]string{"dry-run", "verify", "urgent"}, name)
		if !hasValue && i+1 < len(c.args) && !isSwitch && !isOption(c.args[i+1]) {
			i++
			value = c.args[i]
		}
		c.pairs = append(c.pairs, pair{name, value})
	}
	for i, word := range named {
		name := strings.Trim(word, "<>[]")
		c.opts[name] = nil
		for _, p := range c.pairs {
			if p.name == name && word[0] != '<' {
				c.opts[name] = []string{p.value}
			}
		}
		if c.opts[name] == nil && word[0] != '[' && i < len(rest) {
			c.opts[name] = []string{rest[i]}
		}
	}
}

func isOption(arg string) bool { return strings.HasPrefix(arg, "--") && !strings.Contains(arg, " ") }

// all returns the values of an option; the command has to declare it.
func (c *call) all(name string) []string {
	values, ok := c.opts[name]
	if !ok {
		panic(c.name + " declares no option " + name)
	}
	return values
}

// opt returns the value of an option, "" without one.
func (c *call) opt(name string) string {
	if values := c.all(name); len(values) > 0 {
		return values[0]
	}
	return ""
}

// given reports whether an option, or a switch, was given.
func (c *call) given(name string) bool { return len(c.all(name)) > 0 }

// arg returns argument i, or "".
func (c *call) arg(i int) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return ""
}

// argOr returns the value of an option, without one argument i: as gsd-sdk took
// what gsd-tools has options for.
func (c *call) argOr(name string, i int) (value string, given bool) {
	if c.given(name) {
		return c.opt(name), true
	}
	return c.arg(i), i < len(c.args)
}

// words takes what is not a flag, and the files after --files, out of the
// arguments.
func (c *call) words() (words, files []string) {
	into := &words
	for _, arg := range c.args {
		switch {
		case arg == "--files":
			into = &files
		case strings.HasPrefix(arg, "--files="):
			files = append(files, strings.Split(strings.TrimPrefix(arg, "--files="), ",")...)
		case strings.HasPrefix(arg, "--"):
			into = &words
		default:
			*into = append(*into, arg)
		}
	}
	return words, files
}

package query

import (
	"slices"
	"strings"
)

// value returns --name, else positional argument i.
func (c *call) value(name string, i int) string {
	if v, ok := c.options()[name]; ok {
		return v
	}
	return c.positional(i)
}

// options returns the arguments of the form --name value and --name=value; a
// name with no value is "".
func (c *call) options() map[string]string {
	out := map[string]string{}
	c.scan(func(name, value string) { out[name] = value }, func(string) {})
	return out
}

// positional returns the i-th argument that belongs to no option, or "".
func (c *call) positional(i int) string {
	var rest []string
	c.scan(func(string, string) {}, func(v string) { rest = append(rest, v) })
	if i >= 0 && i < len(rest) {
		return rest[i]
	}
	return ""
}

// scan splits the arguments. What follows a name is its value, unless it
// looks like another name, or the name is a switch.
func (c *call) scan(option func(name, value string), positional func(string)) {
	for i := 0; i < len(c.args); i++ {
		name, ok := strings.CutPrefix(c.args[i], "--")
		if !ok || name == "" {
			positional(c.args[i])
			continue
		}
		name, value, hasValue := strings.Cut(name, "=")
		if !hasValue && i+1 < len(c.args) && !isSwitch(name) && !isOption(c.args[i+1]) {
			i++
			value = c.args[i]
		}
		option(name, value)
	}
}

func isOption(arg string) bool { return strings.HasPrefix(arg, "--") && !strings.Contains(arg, " ") }

func isSwitch(name string) bool {
	return slices.Contains([]string{"dry-run", "verify", "urgent"}, name)
}

// phrase takes `--name several words` out of the call's arguments.
func (c *call) phrase(name string) string {
	i := slices.Index(c.args, "--"+name)
	if i < 0 {
		value, _ := c.flag(name)
		return value
	}
	end := i + 1
	for end < len(c.args) && !isOption(c.args[end]) {
		end++
	}
	value := strings.Join(c.args[i+1:end], " ")
	c.args = slices.Delete(slices.Clone(c.args), i, end)
	return value
}

// flag takes `--name value` or `--name=value` out of the call's arguments.
func (c *call) flag(name string) (value string, ok bool) {
	for i, arg := range c.args {
		if v, found := strings.CutPrefix(arg, "--"+name+"="); found {
			c.args = slices.Delete(slices.Clone(c.args), i, i+1)
			return v, true
		}
		if arg == "--"+name {
			if i+1 >= len(c.args) {
				c.args = slices.Clone(c.args[:i])
				return "", false
			}
			value = c.args[i+1]
			c.args = slices.Delete(slices.Clone(c.args), i, i+2)
			return value, true
		}
	}
	return "", false
}

// switched takes `--name` out of the call's arguments.
func (c *call) switched(name string) bool {
	i := slices.Index(c.args, "--"+name)
	if i < 0 {
		return false
	}
	c.args = slices.Delete(slices.Clone(c.args), i, i+1)
	return true
}

// noMoreFlags refuses a flag that nothing took: a model that makes up
// --dry-run shall not change the project.
func (c *call) noMoreFlags(name string) error {
	if i := slices.IndexFunc(c.args, isOption); i >= 0 {
		return fail("usage", "Unknown flag for %s: %s", name, c.args[i])
	}
	return nil
}

// arg returns positional argument i, or "".
func (c *call) arg(i int) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return ""
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

// flagsOrArgs takes the values of flags, and for those that are not given the
// arguments after the file's name, as gsd-sdk took them.
func (c *call) flagsOrArgs(names ...string) (file string, values []string, given bool) {
	values = make([]string, len(names))
	var open []int
	for i, name := range names {
		var ok bool
		if values[i], ok = c.flag(name); !ok {
			open = append(open, i)
		}
	}
	given = true
	for k, i := range open {
		values[i] = c.arg(k + 1)
		given = given && k+1 < len(c.args)
	}
	return c.arg(0), values, given
}

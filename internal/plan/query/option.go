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

package install

import (
	"slices"
	"strings"

	"cairn/internal/host"
)

// registered checks that every hook of the row is there once, and returns the
// command that is registered, or "".
func (c *checkup) registered() string {
	h := c.target.Host
	ours := commandOf(h, nil)
	if !c.noted {
		c.partsOfCommand(ours)
	}
	want := c.registrations(c.target, c.parts)
	left := make([]bool, len(want)) // not registered yet
	var command string
	var in, other []string
	for _, f := range c.files {
		for _, k := range findHooks(f.doc) {
			if !ours(k.command) {
				continue
			}
			if command == "" {
				command = k.command
			} else if command != k.command && !slices.Contains(other, k.command) {
				other = append(other, k.command)
			}
			if !slices.Contains(in, f.path) {
				in = append(in, f.path)
			}
			for i, r := range want {
				left[i] = left[i] || k.event == r.event && k.matcher == r.matcher
			}
		}
	}
	fix := "cairn doctor " + h.Name + " --fix"
	if command == "" {
		c.add("hooks", Fail, "cairn install "+h.Name, "not registered in %s", c.target.Settings())
		return ""
	}
	var events []string
	for i, r := range want {
		if !left[i] {
			events = append(events, strings.TrimSuffix(r.event+" "+r.matcher, " "))
		}
	}
	switch {
	case len(events) > 0:
		c.add("hooks", Fail, fix, "%s lacks %s", strings.Join(in, " and "), strings.Join(events, ", "))
	case c.noted && len(other) == 0 && wordsOf(command) != wordsOf(want[0].handler.Command):
		c.add("hooks", Warn, fix, "%s calls for other parts than are installed: %s", strings.Join(in, " and "), command)
	case len(other) > 0:
		c.add("hooks", Warn, fix, "registered more than once: %s and %s", command, strings.Join(other, " and "))
	case binaryOf(command, h.Name) != binaryOf(want[0].handler.Command, h.Name):
		c.add("hooks", Warn, fix, "registered by %s with another binary than %s", strings.Join(in, " and "), c.Binary())
	default:
		c.add("hooks", OK, "", "%d registered by %s", len(want), strings.Join(in, " and "))
	}
	return command
}

// partsOfCommand goes by the words of what is registered where no manifest says
// what is installed.
func (c *checkup) partsOfCommand(ours func(string) bool) {
	for _, f := range c.files {
		for _, k := range findHooks(f.doc) {
			if _, only, ok := strings.Cut(k.command, " --only "); ok && ours(k.command) {
				c.parts = []host.Part{host.Part(strings.TrimSpace(only))}
				return
			}
		}
	}
}

// rivals warns of hooks that may answer for the same tools as ours.
func (c *checkup) rivals() {
	h := c.target.Host
	if h.Own != nil {
		c.ownRivals()
		return
	}
	ours := commandOf(h, nil)
	for _, f := range c.files {
		for _, k := range findHooks(f.doc) {
			if k.event != h.ReplaceEvent || k.command == "" || ours(k.command) {
				continue
			}
			var tools []string
			for _, tool := range h.ReplaceTools {
				if h.Matches(k.matcher, tool) {
					tools = append(tools, tool)
				}
			}
			if len(tools) > 0 {
				c.add("rivals", Warn, "if it replaces output too, the last one to finish wins", "%s:%d: another hook on %s: %s",
					f.path, k.line, strings.Join(tools, ", "), k.command)
			}
		}
	}
}

package compact

import (
	"fmt"
	"strconv"
	"strings"

	"cairn/internal/compact/lines"
)

// A Fixture is a captured output: a header of `key: value` lines, a blank
// line, then the bytes as the tool wrote them.
//
//	command: npx jest
//	exit: 1
//	tool: jest 29.7.0
//	cwd: /home/dev/shop
//	keep: Expected: 12
//
//	FAIL src/cart.test.js
//	…
//
// keep lines must be in the compacted output. agent-tool names another tool of
// an agent than Bash, and stands in place of command. Other keys are for people.
type Fixture struct {
	Envelope
	ToolVersion string
	Keep        []string
}

// ParseFixture reads a fixture. The error names the line.
func ParseFixture(data []byte) (Fixture, error) {
	var f Fixture
	rest := string(data)
	for n := 1; ; n++ {
		line, after, found := strings.Cut(rest, "\n")
		rest = after
		if line == "" {
			break
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || !found {
			return f, fmt.Errorf("line %d: not a `key: value` header; the output follows after a blank line", n)
		}
		value = strings.TrimPrefix(value, " ")
		switch key {
		case "command":
			f.Command = value
		case "agent-tool":
			f.Tool = value
		case "exit":
			code, err := strconv.Atoi(value)
			if err != nil {
				return f, fmt.Errorf("line %d: exit is not a number: %q", n, value)
			}
			f.ExitCode = &code
		case "tool":
			f.ToolVersion = value
		case "cwd":
			f.Cwd = value
		case "keep":
			f.Keep = append(f.Keep, value)
		}
	}
	if f.Command == "" && f.Tool == "" {
		return f, fmt.Errorf("line 1: the header has no command")
	}
	f.CombinedText = rest
	return f, nil
}

// Format is the fixture as ParseFixture reads it.
func (f Fixture) Format() []byte {
	var b strings.Builder
	if f.Tool != "" {
		b.WriteString("agent-tool: " + f.Tool + "\n")
	}
	if f.Command != "" {
		b.WriteString("command: " + strings.ReplaceAll(f.Command, "\n", " ") + "\n")
	}
	if f.ExitCode != nil {
		fmt.Fprintf(&b, "exit: %d\n", *f.ExitCode)
	}
	if f.ToolVersion != "" {
		b.WriteString("tool: " + f.ToolVersion + "\n")
	}
	for _, k := range f.Keep {
		b.WriteString("keep: " + k + "\n")
	}
	return []byte(b.String() + "\n" + f.CombinedText)
}

// Lost returns the keep lines that are not in a compacted output; spaces and
// colors do not count.
func (f Fixture) Lost(reduced string) (lost []string) {
	for _, k := range f.Keep {
		if !Shows(reduced, k) {
			lost = append(lost, k)
		}
	}
	return lost
}

func squeeze(s string) string {
	var words []string
	for _, l := range strings.Split(s, "\n") {
		words = append(words, strings.Fields(lines.Clean(l))...)
	}
	return strings.Join(words, " ")
}

// Diff shows an output line by line: what is kept ("  "), what is left out
// ("- ") and what was put in its place ("+ ").
func Diff(raw, reduced string) string {
	kept := map[string]int{}
	out := strings.SplitAfter(reduced, "\n")
	for _, l := range out {
		kept[strings.TrimSpace(l)]++
	}
	var b strings.Builder
	i := 0
	for _, l := range strings.SplitAfter(raw, "\n") {
		if l == "" {
			continue
		}
		clean := strings.TrimSpace(lines.Clean(strings.TrimSuffix(l, "\n")))
		if kept[clean] == 0 {
			b.WriteString("- " + strings.TrimSuffix(l, "\n") + "\n")
			continue
		}
		// Everything of ours before the next kept line comes first.
		for i < len(out) && strings.TrimSpace(out[i]) != clean {
			b.WriteString("+ " + strings.TrimSuffix(out[i], "\n") + "\n")
			kept[strings.TrimSpace(out[i])]--
			i++
		}
		b.WriteString("  " + strings.TrimSuffix(l, "\n") + "\n")
		kept[clean]--
		i++
	}
	for ; i < len(out); i++ {
		if out[i] != "" {
			b.WriteString("+ " + strings.TrimSuffix(out[i], "\n") + "\n")
		}
	}
	return b.String()
}

package compact

import (
	"fmt"
	"strconv"
	"strings"
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
// keep lines must be in the compacted output; other keys are for people.
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
	if f.Command == "" {
		return f, fmt.Errorf("line 1: the header has no command")
	}
	f.CombinedText = rest
	return f, nil
}

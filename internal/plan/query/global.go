package query

import (
	"strings"

	"cairn/internal/plan"
)

// global is the flags that every command takes, anywhere on the line.
type global struct {
	cwd        string
	stream     string
	project    string
	raw        bool
	pick       string
	deflt      *string
	jsonErrors bool
	help       bool
}

const usageLine = "Usage: gsd-tools <command> [args] [--raw] [--pick <field>] [--cwd <path>] [--ws <name>]"

const invalidStream = "Invalid workstream name: must be alphanumeric, hyphens, underscores, or dots"

// parse takes the global flags out of args.
func (g *global) parse(args []string) (rest []string) {
	for i := 0; i < len(args); i++ {
		name, value, hasValue := strings.Cut(args[i], "=")
		take := func(into *string) {
			if !hasValue && i+1 < len(args) && !strings.HasPrefix(args[i+1], "--") {
				i++
				value = args[i]
			}
			require(value != "", "usage", "Missing value for %s", name)
			*into = value
		}
		switch name {
		case "--cwd", "--project-dir":
			take(&g.cwd)
		case "--ws":
			take(&g.stream)
		case "--pick":
			take(&g.pick)
		case "--default":
			if !hasValue && i+1 < len(args) {
				i++
				value = args[i]
			}
			g.deflt = &value
		case "--raw":
			g.raw = true
		case "--json-errors":
			g.jsonErrors = true
		case "-h", "--help", "-?", "--h", "--usage":
			g.help = true
		case "--version", "-v":
			refuse("usage", "Unknown flag: %s", name)
		default:
			rest = append(rest, args[i])
		}
	}
	require(g.stream == "" || plan.ValidStream(g.stream), "usage", invalidStream)
	require(!strings.ContainsAny(g.project, `/\`) && !strings.Contains(g.project, ".."), "usage", "Invalid GSD_PROJECT: %s", g.project)
	return rest
}

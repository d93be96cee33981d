package query

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
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

// globals takes the global flags out of args.
func globals(env Env, args []string) (g global, rest []string, err error) {
	g.jsonErrors = env.Getenv("GSD_JSON_ERRORS") == "1"
	g.stream = env.Getenv("GSD_WORKSTREAM")
	g.project = env.Getenv("GSD_PROJECT")
	for i := 0; i < len(args); i++ {
		name, value, hasValue := strings.Cut(args[i], "=")
		take := func(into *string) error {
			if !hasValue {
				if i+1 >= len(args) || strings.HasPrefix(args[i+1], "--") {
					return fail("usage", "Missing value for %s", name)
				}
				i++
				value = args[i]
			}
			if value == "" {
				return fail("usage", "Missing value for %s", name)
			}
			*into = value
			return nil
		}
		switch name {
		case "--cwd", "--project-dir":
			err = take(&g.cwd)
		case "--ws":
			err = take(&g.stream)
		case "--pick":
			err = take(&g.pick)
		case "--default":
			var v string
			if i+1 < len(args) || hasValue {
				if v = value; !hasValue {
					i++
					v = args[i]
				}
			}
			g.deflt = &v
		case "--raw":
			g.raw = true
		case "--json-errors":
			g.jsonErrors = true
		case "-h", "--help", "-?", "--h", "--usage":
			g.help = true
		case "--version", "-v":
			err = fail("usage", "Unknown flag: %s", name)
		default:
			rest = append(rest, args[i])
		}
		if err != nil {
			return g, nil, err
		}
	}
	if g.stream != "" && !plan.ValidStream(g.stream) {
		return g, nil, fail("usage", invalidStream)
	}
	if strings.ContainsAny(g.project, `/\`) || strings.Contains(g.project, "..") {
		return g, nil, fail("usage", "Invalid GSD_PROJECT: %s", g.project)
	}
	return g, rest, nil
}

func printUsage(w io.Writer) {
	fmt.Fprintln(w, usageLine)
	fmt.Fprintf(w, "\nCommands: %s\n", strings.Join(names(), ", "))
}

// names returns the first spelling of every command, sorted.
func names() []string {
	var out []string
	for _, family := range families() {
		for _, cmd := range family {
			name, _, _ := strings.Cut(cmd.name, "|")
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// under returns a path as it is meant in dir.
func under(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

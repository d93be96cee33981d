package shell

import (
	"slices"
	"strings"
)

// A wrapper runs the command that stands behind its own flags and operands.
type wrapper struct {
	name     string // as Words gives it: "sudo", "bundle exec"
	values   string // flags that take the next argument
	operands int    // words before the command, such as timeout's duration; -1: all up to "--"
}

// wrappers are seen through: what they run wrote the output.
var wrappers = []wrapper{
	{"sudo", "-u --user -g --group -h --host -p --prompt -C -r -t -T -U -D --chdir -R", 0},
	{"doas", "-u -C", 0},
	{"env", "-u --unset -C --chdir", 0},
	{"time", "-f --format -o --output", 0},
	{"nice", "-n --adjustment", 0},
	{"ionice", "-c -n --class --classdata", 0},
	{"timeout", "-s --signal -k --kill-after", 1},
	{"gtimeout", "-s --signal -k --kill-after", 1},
	{"stdbuf", "-i --input -o --output -e --error", 0},
	{"caffeinate", "-t -w", 0},
	{"xvfb-run", "-n --server-num -s --server-args -e --error-file -f --auth-file -p --xauth-protocol", 0},
	{"xargs", "-I -n --max-args -P --max-procs -L --max-lines -d --delimiter -s --max-chars -E -a --arg-file", 0},
	{"exec", "-a", 0},
	{"npx", "-p --package -w --workspace --cache -c --call", 0},
	{"pnpx", "-p --package", 0},
	{"bunx", "-p --package", 0},
	{"uvx", uvRunValues + " --from", 0},
	{"npm exec", "-p --package -w --workspace -c --call", 0},
	{"npm x", "-p --package -w --workspace -c --call", 0},
	{"pnpm dlx", "--package", 0},
	{"yarn dlx", "-p --package", 0},
	{"bun x", "-p --package", 0},
	{"pdm run", "-p --project", 0},
	{"pixi run", "-e --environment", 0},
	{"conda run", "-n --name -p --prefix", 0},
	{"uv run", uvRunValues, 0},
	{"uv tool run", uvRunValues + " --from", 0},
	{"mise exec", "", -1},
	{"mise x", "", -1},
	{"direnv exec", "", 1},
	{"rustup run", "", 1},
}

// plainWrappers are wrappers too: they have no flags with a value, and the
// command stands right behind them.
var plainWrappers = []string{
	"nohup", "setsid", "unbuffer", "chronic", "command", "builtin", "corepack", "pnpm exec", "yarn exec", "bundle exec",
	"poetry run", "pipenv run", "hatch run", "rye run", "rbenv exec", "pyenv exec", "asdf exec",
}

// uvRunValues leaves out -m on purpose: its value is the command that runs.
const uvRunValues = "--with --with-editable --with-requirements --extra --group --only-group --no-group --env-file --index --index-url --package -p --python --project --directory"

// yarnVerbs are the words after yarn, pnpm or bun that are not the name of a
// locally installed program: their own verbs, and names that are nearly
// always scripts of the project.
const yarnVerbs = "add approve-builds audit autoclean bin cache ci config constraints create dedupe deploy dlx exec explain fetch generate-lock-entry global help i import info init install install-test it licenses link list ll ls login logout ln node npm outdated owner pack patch patch-commit patch-remove plugin pm policies prune publish rb rebuild recursive remove repl restart rm root run run-script search server set setup stage start store t tag team test tst un uninstall unlink unplug up update upgrade upgrade-interactive version versions view whoami why workspace workspaces x " +
	"bench build bundle check clean compile coverage dev develop docs e2e fix fmt format generate lint prepare preview release serve storybook type-check typecheck types unit validate verify watch"

// unwrap sees through the wrappers of argv, which is not empty. When a shell
// runs a string, as in bash -c, it returns that string instead.
func unwrap(argv []string) (call Call, script string) {
	for range 16 {
		call = Call{Name: baseName(argv[0]), Args: argv[1:]}
		switch call.Name {
		case "docker-compose":
			call = Call{Name: "docker", Args: append([]string{"compose"}, call.Args...)}
		case "bash", "sh", "zsh", "dash", "ksh":
			return call, scriptOf(call.Args)
		}
		inner := call.inner()
		if len(inner) == 0 {
			return call, ""
		}
		argv = inner
	}
	return call, ""
}

// inner returns the command that c runs, or nothing when c is the command.
func (c Call) inner() []string {
	switch c.Name {
	case "python", "pypy":
		return pythonModule(c.Args)
	case "node":
		return nodeProgram(c.Args)
	case "yarn", "pnpm", "bun":
		i := nextWord(c.Name, c.Args, 0)
		if i < len(c.Args) && c.Args[i] != "--" && !listed(yarnVerbs, c.Args[i]) && !strings.ContainsAny(c.Args[i], ":./") {
			return c.Args[i:]
		}
	case "command":
		if len(c.Args) > 0 && strings.HasPrefix(c.Args[0], "-") && strings.ContainsAny(c.Args[0], "vV") {
			return nil
		}
	}
	for _, w := range wrappers {
		if args, ok := c.behind(w.name); ok {
			return w.command(args)
		}
	}
	for _, name := range plainWrappers {
		if args, ok := c.behind(name); ok {
			return wrapper{name: name}.command(args)
		}
	}
	return nil
}

// behind returns the arguments behind the words of a wrapper's name.
func (c Call) behind(wrapper string) ([]string, bool) {
	name, sub, _ := strings.Cut(wrapper, " ")
	if name != c.Name {
		return nil, false
	}
	next := 0
	for s := range strings.FieldsSeq(sub) {
		i := nextWord(c.Name, c.Args, next)
		if i >= len(c.Args) || c.Args[i] != s {
			return nil, false
		}
		next = i + 1
	}
	return c.Args[next:], true
}

// command skips the wrapper's own arguments.
func (w wrapper) command(args []string) []string {
	for len(args) > 0 {
		a := args[0]
		switch {
		case len(a) > 1 && a[0] == '-': // also --
			if listed(w.values, a) && len(args) > 1 {
				args = args[1:]
			}
		case (w.name == "env" || w.name == "sudo") && isAssignment(a):
		default:
			if w.operands < 0 { // mise exec node@22 -- npm test
				return args[slices.Index(args, "--")+1:]
			}
			return args[min(w.operands, len(args)):]
		}
		args = args[1:]
	}
	return nil
}

func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// pythonModule returns X and its arguments for python -m X.
func pythonModule(args []string) []string {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-m":
			return args[i+1:]
		case strings.HasPrefix(a, "-m"):
			return append([]string{a[2:]}, args[i+1:]...)
		case a == "-W" || a == "-X":
			i++
		case len(a) < 2 || a[0] != '-' || a == "-c":
			return nil
		}
	}
	return nil
}

// nodeProgram returns jest for node node_modules/.bin/jest and for
// node node_modules/jest/bin/jest.js.
func nodeProgram(args []string) []string {
	i := nextWord("node", args, 0)
	if i >= len(args) || !strings.Contains(args[i], "node_modules/") || listed(strings.Join(args[:i], " "), "--test") {
		return nil
	}
	name := args[i]
	for _, ext := range []string{".js", ".mjs", ".cjs"} {
		name = strings.TrimSuffix(name, ext)
	}
	name = strings.TrimPrefix(name[strings.LastIndexByte(name, '/')+1:], "_")
	return append([]string{name}, args[i+1:]...)
}

// scriptOf returns the string that a shell with these arguments runs, or "".
func scriptOf(args []string) string {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-o" || a == "+o" || a == "-O" || a == "--rcfile" || a == "--init-file":
			i++
		case len(a) < 2 || a[0] != '-' && a[0] != '+':
			return ""
		case a[1] != '-' && strings.Contains(a, "c"): // -c, -lc, -euxc
			for i++; i < len(args); i++ {
				if a := args[i]; a == "-o" || a == "+o" { // bash -c -o pipefail '…'
					i++
				} else if len(a) == 0 || a[0] != '-' {
					return a
				}
			}
		}
	}
	return ""
}

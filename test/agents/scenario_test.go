//go:build agents

package agents

import "slices"

// A scenario is a case to prove: some calls and what must hold of them.
type scenario struct {
	name  string
	calls []call
}

// A call of a tool. By default the model must receive with cairn exactly what
// it receives without, except for times and identifiers.
type call struct {
	tool  string
	input map[string]any
	// namespace is where Codex has the tool, "" for its own.
	namespace string
	is        expectation
	keep      []string // what the model must receive with cairn, in this order
}

type expectation int

const (
	same  expectation = iota
	cut               // compacted: our header, and much smaller
	holds             // the lines of keep, whatever else is there: what is shown depends on time
)

func bash(command string) call {
	return call{tool: "Bash", input: map[string]any{"command": command, "description": "a step"}}
}

func tool(name string, input map[string]any) call { return call{tool: name, input: input} }

func (c call) cut(keep ...string) call   { c.is, c.keep = cut, keep; return c }
func (c call) holds(keep ...string) call { c.is, c.keep = holds, keep; return c }

func (c call) background() call            { c.input["run_in_background"] = true; return c }
func (c call) timeout(seconds int) call    { c.input["timeout"] = seconds * 1000; return c }
func calls(cs ...call) []call              { return cs }
func one(name string, c call) scenario     { return scenario{name, calls(c)} }
func row(name string, cs ...call) scenario { return scenario{name, cs} }

const (
	// tasks are the files that the shells of the agent write to.
	tasks = `"$(dirname "$CLAUDE_CODE_CHILD_NOTES_DIR")"/tasks/b*.output`

	buildError = "src/parse.c:12:3: error: use of undeclared identifier depth"
)

// readable waits up to 3 s for a line in the output of a running command.
func readable(line string) call {
	return bash("for i in $(seq 30); do grep -qs '" + line + "' " + tasks + " && { echo readable in time; break; }; sleep 0.1; done")
}

// failing is a call of more than 30,000 characters that fails, of which the host
// alone shows neither the cause nor the end.
func failing(command string, keep ...string) call {
	return bash(command).cut(append([]string{"[cairn: ", "error: migration 0042 refers to the missing column owner_id", "2 of 3000 checks failed"}, keep...)...)
}

// shellCases hold under every shell, and in a subagent.
var shellCases = []scenario{
	row("`./ci.sh`", failing("./ci.sh")),
	row("`python3 -m pytest`", bash("python3 -m pytest -v long").cut("Exit code 1\n[cairn: ", "E       AssertionError: row 700 has no owner", "1 failed, 999 passed")),
	row("`ninja`", failing("ninja -v", "ninja: build stopped: subcommand failed")),
	row("`npm run ci`", failing("npm run ci")),
	row("a function", failing("check() { ./ci.sh; }; check")),
	row("`bash -c`", failing("bash -c './ci.sh'"), failing("bash -c \"./ci.sh && echo 'it'\\''s good'\"")),
	row("`git commit` with a heredoc, and a hook that fails", failing("mkdir -p .git/hooks; printf '#!/bin/sh\\nexec ./ci.sh\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit\n"+
		"git -c user.name=Dev -c user.email=d@example.com commit -qam \"$(cat <<'EOF'\nA title\n\nIt's a body.\nEOF\n)\""), bash("rm .git/hooks/pre-commit; git log --oneline | wc -l")),
	row("a script in `( )`, `{ }`, `if`, a loop", failing("(./ci.sh)"), failing("{ ./ci.sh; }"), failing("if ./ci.sh; then echo passed; else exit 4; fi"), failing("for i in 1; do ./ci.sh || exit 5; done")),
	row("a script in a pipe", failing("set -o pipefail; ./ci.sh 2>&1 | cat"), bash("./ci.sh > ci.log 2>&1; tail -1 ci.log; rm ci.log; false")),
	row("a script after `cd`", failing("cd sub && ../ci.sh"), failing("cd sub; ../ci.sh; exit 3"), bash("pwd")),
	row("`set -e`, `set -u`", failing("set -e; ./ci.sh; echo never"), failing("set -eu; ./ci.sh; echo never"), bash("set -u; echo $nothing; echo never")),
	row("`set -x` in a script that fails", failing("set -x; ./ci.sh")),
	row("`trap … EXIT`", failing("trap 'echo cleaned up' EXIT; ./ci.sh", "cleaned up"), bash("trap 'echo cleaned up; exit 9' EXIT; exit 7"), bash("(trap 'echo inner' EXIT; exit 3)")),
	row("`trap … ERR` and a failure", bash("trap 'echo trapped' ERR; false; echo went on; false"), bash("set -E; trap 'echo trapped' ERR; false")),
	row("a trap for a signal", bash("trap 'echo caught' TERM; kill -TERM $$; echo went on; false"), bash("trap 'echo caught; exit 6' USR1; kill -USR1 $$; echo never")),
	row("`time`, `timeout`, `nohup`, `env`", bash("time ./ci.sh").holds("[cairn: ", "migration 0042", "2 of 3000 checks failed", "user"), failing("timeout 60 ./ci.sh"), failing("nohup ./ci.sh < /dev/null"), failing("env A=1 ./ci.sh")),
	row("`exec`", bash("exec sh -c 'echo in its place; exit 5'")),
	row("`kill $$`, `kill -9 $$`", bash("echo a; kill $$; sleep 5; echo never"), bash("echo a; kill -9 $$; sleep 5; echo never"), bash("seq 20000; kill -9 $$")),
	row("the line of an error", bash("no-such-program"), bash("echo one\nno-such-program\necho $LINENO; false"), bash("f() {\n  no-such-program\n}\nf"), bash("cd nowhere && echo never"), bash("if"), bash("echo \"open")),
	row("what a name is", bash("type make; command -v make go; type cd"), bash("[ -x \"$(command -v make)\" ] && echo a program")),
	row("where the output goes", bash("python3 -c 'import sys, os; print(sys.stdout.isatty(), sys.stdin.isatty()); os.write(2, b\"then an error\\n\"); os.write(1, b\"and more\\n\"); sys.exit(3)'")),
	row("output that is not text", bash("head -c 50000 /dev/zero | tr '\\0' '\\376'; printf '\\0\\1\\2'; false | cat; (exit 3)")),
	row("a job that outlives a call that fails", bash("(sleep 2; echo late) & ./ci.sh").holds("[cairn: ", "migration 0042", "2 of 3000 checks failed"), bash("sleep 3; grep -l '^late$' "+tasks+" | wc -l")),
	row("little memory", bash("ulimit -v 300000; ./ci.sh").holds("Exit code 1", "checked module 1 of 3000")),
	row("a directory that is gone", failing("mkdir gone && cd gone && rmdir ../gone && ../ci.sh; \"$OLDPWD/ci.sh\"")),
	row("no PATH", bash("PATH=/nonexistent; no-such-program; echo $?"), failing("PATH=/usr/bin:/bin:/nonexistent; ./ci.sh")),
	row("tests pass", bash("go test -v -count=1 ./pass").cut("ok  \tdemo/pass")),
	row("tests fail, over 100 KB", bash("go test -v -count=1 ./fail").cut(
		"Exit code 1\n[cairn: ", `parse("depth") = 7, want 8`, "--- FAIL: TestMany/case1490", "FAIL\tdemo/fail")),
	row("a build fails", bash("make fail").cut("Exit code 2\n[cairn: ", buildError, "make: *** [Makefile:")),
	row("`cd`, then another command", bash("cd sub"), bash("make here"), bash("cd .. && pwd")),
	row("`cd sub && make`", bash("cd sub && make here"), bash("pwd; cd ..")),
	row("`(cd sub && make)`", bash("(cd sub && make here); pwd")),
	row("`npm test \\| tail -5`", bash("npm test | tail -5")),
	row("`make \\| tail`", bash("make fail 2>&1 | tail -2"), bash("set -o pipefail; make fail 2>&1 | tail -2")),
	row("`VAR=$(go version)`", bash(`VAR=$(go version); echo "$VAR"`)),
	row("`n=$(make \\| wc -l)`", bash(`n=$(make ok | wc -l); echo $n`)),
	row("`{ make; } > f`", bash("{ make ok; } > group.log"), bash("tail -1 group.log")),
	row("`for …; do make; done > log`", bash("for i in 1 2 3; do make ok; done > loop.log"), bash("wc -l < loop.log")),
	row("`make 2> err.txt`", bash("make warn 2> err.txt"), bash("cat err.txt")),
	row("`make > f 2>&1`", bash("make fail > all.log 2>&1"), bash("wc -l < all.log")),
	row("`exec > f; make`", bash("exec > exec.log; make ok"), bash("wc -l < exec.log")),
	row("`make \\| tee f`", bash("make ok | tee tee.log | tail -1")),
	row("`source .venv/bin/activate && pytest`", bash("source .venv/bin/activate && pytest -v tests").cut(
		"Exit code 1\n[cairn: ", "test_in_the_environment", "AssertionError: prefix is ", "/.venv", "1 failed, 120 passed")),
	row("stdin", bash("make read < notes.txt"), bash("echo piped | make read"), bash("while read l; do make env; done < notes.txt")),
	row("the tool's environment", bash("make env"), bash("FOO=1 env | grep -v -e CLAUDE -e ANTHROPIC -e ^_= | sort"), bash("go run ./env")),
	row("`env` alone", bash("env > env.txt; sed -n 's/^_=//p' env.txt; rm env.txt")),
	row("`timeout 2 make`", bash("timeout 2 make slow").holds("Exit code 124", "tick 1\ntick 2"), bash("timeout -s KILL 2 make slow").holds("Exit code 137", "tick 1\ntick 2")),
	row("`make && …`, `make \\|\\| …`", bash("make warn && echo went on"), bash("make fail > /dev/null 2>&1 || echo failed with $?")),
	row("`set -euo pipefail`", bash("set -euo pipefail; make warn; make fail > /dev/null 2>&1; echo never")),
	row("`set -x`", bash("set -x; make warn; make fail > /dev/null 2>&1")),
	row("`trap … ERR`", bash("trap 'echo trapped' ERR; make fail > /dev/null 2>&1; echo went on")),
	row("a function of the user's", bash("make() { echo mine; }; make ok"), bash("make env")),
	row("a tool that is not there", bash("poetry --version"), bash("poetry > /dev/null 2>&1; echo $?")),
	row("`make & kill $!`", bash("make slow > killed.log & sleep 1.5; kill $!; wait $! 2> /dev/null; echo ended with $?").holds("ended with 143"),
		bash("sleep 2.5; cat killed.log")),
	row("`make & sleep 3`", bash("make slow & sleep 2.5; kill $!; wait $! 2> /dev/null").holds("tick 1\ntick 2")),
	row("`HOME=… make`", bash("mkdir other; export HOME=$PWD/other; make fail").cut("Exit code 2\n[cairn: ", buildError)),
	row("`make & wait`", bash("make warn & wait $!; echo ended with $?")),
	row("a command with quotes and lines", bash("x=\"it's\"\nmake warn # a 'comment'\necho \"$x\" | cat <<'E'\n\\n$x\nE")),
}

// agentCases are about the agent's own tools.
var agentCases = []scenario{
	row("`git diff`", bash("git diff").cut("diff --git a/source.go b/source.go", "-\treturn \"before\"", "+\treturn \"after\"")),
	row("Read of a source file", tool("Read", map[string]any{"file_path": "$CWD/source.go"})),
	row("Read of a lock file", tool("Read", map[string]any{"file_path": "$CWD/package-lock.json"}).holds("node_modules/part-1", "lines …]")),
	row("a part of a lock file", tool("Read", map[string]any{"file_path": "$CWD/package-lock.json", "offset": 1500, "limit": 100})),
	row("an MCP tool", tool("mcp__demo__big", map[string]any{"n": 3000}).cut("mcp line 0", "mcp line 2999")),
	row("an MCP tool that fails", tool("mcp__demo__fail", map[string]any{})),
	row("200 KB of output", bash("seq 1 40000").cut("\n1\n", "40000")),
	row("`cat f`, then Edit", bash("cat notes.txt"),
		tool("Edit", map[string]any{"file_path": "$CWD/notes.txt", "old_string": "second line", "new_string": "2nd line"}),
		bash("cat notes.txt")),
	row("Read of a lock file, then Edit beyond the cut",
		tool("Edit", map[string]any{"file_path": "$CWD/package-lock.json", "old_string": `"9.9.9"`, "new_string": `"9.9.10"`})),
}

// searchCases are about tools that the agent has when it is told to.
var searchCases = []scenario{
	row("Grep", tool("Grep", map[string]any{"pattern": "return", "output_mode": "content", "-n": true}).holds(header, "source.go ×", "\treturn \"same\"")),
	row("Grep in a file", tool("Grep", map[string]any{"pattern": "license", "path": "$CWD/package-lock.json", "output_mode": "content"})),
	row("Grep that finds little", tool("Grep", map[string]any{"pattern": "step1[0-9]\\(", "output_mode": "content"})),
	row("Grep for counts", tool("Grep", map[string]any{"pattern": "part-", "output_mode": "count"})),
	row("Grep for many files", bash("mkdir -p many/of/them && (cd many/of/them && for i in $(seq 150); do echo mine > a-long-name-$i.txt; done)"),
		tool("Grep", map[string]any{"pattern": "^mine$"}).holds("Found 150 files\n", header, "many/of/them/ ×150: ", " a-long-name-150.txt")),
	row("Grep for counts of many files", tool("Grep", map[string]any{"pattern": "^mine$", "output_mode": "count"}).holds(header, "many/of/them/ ×150: ", " a-long-name-150.txt:1", "across 150 files")),
	row("Glob, of many files", tool("Glob", map[string]any{"pattern": "**/*.txt", "path": "$CWD/many"}).holds(header, " ×100: ", " a-long-name-", "50 more files match")),
	row("Glob that finds little", tool("Glob", map[string]any{"pattern": "*.go"})),
}

// readCases are about a file that is read more than once: what the model has in
// its context is not sent again.
var readCases = []scenario{
	row("Read", sourceRead()),
	row("Read again", sourceRead().holds("1\t[cairn: unchanged since your Read above (lines 1–1501); Read again for the text]")),
	row("Read a third time in a row", sourceRead()),
	row("Edit after a short Read", sourceRead().holds("unchanged since your Read above"),
		tool("Edit", map[string]any{"file_path": "$CWD/source.go", "old_string": "func step20() string {", "new_string": "func step20() (word string) {"}),
		sourceRead().holds("1\t[cairn: unchanged since your own change above (lines 1–1501)")),
	row("Read of what a command changed, then Edit there", bash("sed -i 's/step90() string {/& \\/\\/ formatted/' source.go"),
		sourceRead().holds("450\t[cairn: lines 1–450 are unchanged since your own change above]\n451\t", "454\tfunc step90() string { // formatted\n", "458\t[cairn: lines 458–1501 are unchanged since"),
		tool("Read", map[string]any{"file_path": "$CWD/source.go", "offset": 900, "limit": 200}), // of the lines that were left out
		tool("Edit", map[string]any{"file_path": "$CWD/source.go", "old_string": "func step90() string { // formatted", "new_string": "func step90() (word string) {"})),
	row("Read of a lock file, twice", tool("Read", map[string]any{"file_path": "$CWD/package-lock.json"}).holds("[… Read with offset ", "lines …]"),
		tool("Read", map[string]any{"file_path": "$CWD/package-lock.json"})),
	row("Read of a file that the model wrote", tool("Write", map[string]any{"file_path": "$CWD/own.go", "content": source("own")}),
		tool("Read", map[string]any{"file_path": "$CWD/own.go"}).holds("1\t[cairn: unchanged since your own change above (lines 1–1501)")),
}

func sourceRead() call { return tool("Read", map[string]any{"file_path": "$CWD/source.go"}) }

// longCases are about commands that the agent does not wait for.
var longCases = []scenario{
	row("a command in the background", bash("make fail").background(),
		bash("sleep 1; make fail 2>&1 | cmp - <(head -n 3002 -q $(grep -ls undeclared "+tasks+")) && echo complete")),
	row("a server in the background", bash("npm run dev -- 3001").background(), readable("ready on http://localhost:3001")),
	row("`make dev` in the background", bash("make dev").background(), readable("ready on http://localhost:3000")),
	row("`npm run dev &`", bash("npm run dev -- 3002 > server.txt & for i in $(seq 80); do grep -q ready server.txt && break; sleep 0.1; done; cat server.txt; kill %1")),
	row("`npm run dev &` to the agent", bash("npm run dev -- 3003 & sleep 4; kill $!")),
	row("a server's call that ends", bash("(npm run dev -- 3004 > left.txt 2>&1 &) ; sleep 1"), bash("sleep 3; cat left.txt; pgrep -f 'server.js 3004' > /dev/null && echo still runs")),
	row("tests moved to the background by their timeout",
		bash("go test -v -count=1 ./slow").timeout(8).holds("step 0 of the migration", "moved to the background"),
		bash("sleep 9; cat $(grep -ls 'step 0 of the migration' "+tasks+" | head -1)").holds(
			"step 0 of the migration", "the last step left 3 rows behind", "FAIL\tdemo/slow", "[exited with code 1]")),
}

// ownShell is a profile that the agent takes over into its shell.
var ownShell = map[string]string{".bashrc": `alias make='echo "an alias of the user'"'"'s"; make --no-print-directory'
npm() { echo "npm of the user's: $*"; }
`}

var sessions = []session{
	{name: "bash", shell: "/bin/bash", perm: "skip", cases: slices.Concat(agentCases, longCases, shellCases)},
	{name: "its search tools", shell: "/bin/bash", perm: "skip", tools: []string{"Bash", "Read", "Grep", "Glob"}, cases: searchCases},
	{name: "repeated reads", shell: "/bin/bash", perm: "skip", cases: readCases},
	{name: "repeated reads by a subagent", shell: "/bin/bash", subagent: true, perm: "skip", cases: readCases},
	{name: "zsh", shell: "/usr/bin/zsh", perm: "skip", cases: shellCases},
	{name: "a subagent", shell: "/bin/bash", subagent: true, perm: "skip", cases: slices.Concat(longCases, shellCases)},
	{
		name: "permissions", shell: "/bin/bash", perm: "none",
		files: map[string]string{".claude/settings.json": `{"permissions": {"allow": ["Bash(make fail:*)", "Bash(make here:*)"], "deny": ["Bash(make ok:*)"], "ask": ["Bash(make env:*)"]}}` + "\n"},
		cases: []scenario{
			row("an allow rule", bash("make fail").cut("Exit code 2\n[cairn: ", buildError)),
			row("a deny rule", bash("make ok")),
			row("an ask rule, with nobody to ask", bash("make env")),
			row("no rule", bash("make warn")),
			row("reading needs no rule", bash("cat notes.txt")),
			row("an allow rule after `cd`", bash("cd sub && make here"), bash("pwd")),
		},
	},
	{
		name: "the user's own shell settings", shell: "/bin/bash", perm: "skip", files: ownShell,
		cases: []scenario{
			row("an alias", bash("make warn | cat; alias make").holds("an alias of the user's", "built")),
			row("a function in the profile", bash("npm test")),
			row("`make` in a loop with `set -u`", bash("set -u; for d in sub; do (cd $d && make here); done")),
		},
	},
	{
		name: "POSIX mode", shell: "/bin/bash", perm: "skip", env: map[string]string{"POSIXLY_CORRECT": "1"},
		cases: []scenario{
			row("a command", bash("make warn")),
			row("one that fails", bash("make fail").cut("Exit code 2\n[cairn: ", buildError)),
			row("one that succeeds is still replaced", bash("make ok").cut("compiling unit 1 of", "build complete")),
		},
	},
	{
		name: "no background", shell: "/bin/bash", perm: "skip",
		env: map[string]string{"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"},
		cases: []scenario{
			row("killed by its timeout", bash("make slow").timeout(4).holds("Exit code 143", "timed out after 4s", "tick 1\ntick 2\n")),
			row("killed by its timeout, quoted", bash(`x="it's"; make slow # "$x"`+"\ntrue").timeout(4).holds("Exit code 143", "tick 1\ntick 2\n")),
			row("what it had started is gone", bash("sleep 3; pgrep -f '[m]ake slow' || echo nothing left")),
		},
	},
	{
		name: "a short timeout for every call", shell: "/bin/bash", perm: "skip",
		env: map[string]string{"BASH_DEFAULT_TIMEOUT_MS": "4000"},
		cases: []scenario{
			row("moved to the background by the default timeout", bash("make slow").holds("tick 1\ntick 2\n", "moved to the background")),
		},
	},
}

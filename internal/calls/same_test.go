//go:build unix

package calls

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"cairn/test/cairntest"
)

// What a call prints, leaves and ends with is the same with the block as
// without: of these, nothing is long enough to be cut.
var asWithoutUs = []string{
	"echo hi", "false", "exit 3", "cd /tmp", "cd /tmp; false", "! true", "((0))", "[[ 1 = 2 ]]", "false || exit 12", "(exit 5); echo $?; ( false )",
	// The line of an error.
	"nosuch", "echo a\nnosuch\necho $LINENO; false", "cd nosuchdir && echo x", "f() {\n nosuch\n}\nf", "if", `echo "open`, "return 3", "wait 12345",
	"source /dev/null; . ./nofile", "x=$(false); echo $?; echo ${x:?gone}", "set -u; echo $nothing; echo never",
	// Pipes and streams.
	"seq 3 | grep 9", "ls nosuchfile | cat", "set -o pipefail; false | cat", "{ echo in f; exit 3; } > f", "exec > f; echo x; false",
	"exec 2> e; nosuch; false", "exec 1>&-; false", "exec 3>f; echo x >&3; false", "echo out; echo err >&2; echo out; false", "printf 'no newline'; false",
	"cat; false", `read x; echo "$x"; exit 2`, "cat <<X\nit's $((1+1))\nX\nfalse", "x=\"$(cat <<'E'\ntitle\n\nit's a body\nE\n)\"; echo \"$x\"; false",
	// Options and traps.
	"set -e; false; echo never", "set -x; true; false", "set -ex; true; (exit 4); echo no", "set -o xtrace; false",
	"trap 'echo trapped' ERR; false; echo went on; false", "set -E; trap 'echo trapped' ERR; false; echo went on; false",
	"trap 'echo bye' EXIT; false", "trap 'echo bye $?' EXIT; exit 7", "trap 'rm -f x; exit 9' EXIT; touch x; exit 7", "set -e; trap 'echo bye $?' EXIT; false",
	"(trap 'echo inner' EXIT; exit 3)", "trap 'echo got' TERM; kill -TERM $$; echo on; false", "trap 'echo got; exit 4' USR1; kill -USR1 $$; echo on",
	"trap - EXIT; false", "trap '' TERM INT; false", "set -f; set -C; false", "set -o posix 2>/dev/null; false", "set -n; false", "IFS=x; false",
	"set -a; X=1; env | grep -c CAIRN; false",
	// How a shell ends.
	"kill -9 $$", "kill $$; sleep 5; echo never", "exec sh -c 'echo in its place; exit 5'", "eval 'exit 5'", "time true; ( exit 4 )", "timeout 0.1 sleep 3",
	// Functions, names, the environment.
	"f() { echo in f; return 6; }; f", "type cd; command -v ls; false", "alias ll='echo an alias'; ll; false", "set -- a b; echo $#; false",
	"env | grep CAIRN; false", "umask 077; touch f; false", "PATH=/nonexistent; nosuch", "unset PATH; false", "mkdir gone; cd gone; rmdir ../gone; false",
	"bash -c 'echo inner; nosuch'", "export HOME=/nonexistent; false", "unset HOME; false", "TMPDIR=/nonexistent; false",
	// Jobs.
	"sleep 0.1 & wait; false", "jobs; sleep 1 & jobs | wc -l; kill %1; wait; false", "(sleep 0.2; echo late > late) & sleep 0.4; false",
}

var inBash = []string{
	"echo $BASH_SUBSHELL; false", "f() { local x=1; trap 'echo returned' RETURN; return 6; }; f", "set -T; false", "shopt -s extdebug; false",
	"set -m; sleep 0.1 & fg; false", "trap 'echo step' DEBUG; true", "coproc cat; false", "echo ${PIPESTATUS[0]}; false | true; (exit ${PIPESTATUS[0]})",
}

var inZsh = []string{"setopt xtrace; false", "setopt errexit; false; echo never", "TRAPZERR() { echo trapped }; false", "print -n x; false", "() { return 3 }", "ls *.nothing"}

// What no two runs of a shell print alike: the process that old versions of
// bash name with a job that was killed, and how long `time` took.
var (
	ended = regexp.MustCompile(`\d+ Terminated`)
	took  = regexp.MustCompile(`\d+(m\d+)?\.\d+s|\d+% cpu|\d+\.\d+ total`)
)

func settled(out string) string {
	return took.ReplaceAllString(ended.ReplaceAllString(out, "PID Terminated"), "TIME")
}

func TestAsWithoutUs(t *testing.T) {
	cairntest.Long(t)
	for _, shell := range shells(t) {
		a := newAgent(t)
		for _, command := range append(map[string][]string{"bash": inBash, "zsh": inZsh}[shell], asWithoutUs...) {
			want, got := a.withoutUs(shell, command), a.call(shell, command)
			want.out, got.out = settled(want.out), settled(got.out)
			if strings.Contains(command, "set -ex") || strings.Contains(command, "-o xtrace") || strings.Contains(command, "-x;") {
				// Behind the command, where only the trace names it.
				want.out = strings.ReplaceAll(want.out, "zsh:1>", "zsh:2>")
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s\n%+v\nwant\n%+v", shell, command, got, want)
			}
		}
	}
}

package pipeline

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/plan/content"
)

// A player is the agent: it does what a scene's model says, in a project, and
// fails the test when the model does what its words did not tell it.
type player struct {
	t     *testing.T
	dir   string   // the project
	env   []string // of its shell
	scene *scene
	next  map[string]int     // role → the part it plays next
	gates map[string][2]bool // gate → whether it was seen to pass, and to block
	lines map[string]bool    // shell calls that were played, as verbs
}

// A thread is one context window: what its model has read so far.
type thread struct {
	*player
	who    string
	piece  *content.Piece
	words  strings.Builder
	output string // of the last command
	ended  string // how it ended
	rarely bool   // what is read next is not part of an ordinary run
}

// play plays a scene: a new session, which knows nothing but its command.
func (p *player) play(s *scene) {
	p.scene, p.next = s, map[string]int{}
	style := content.Plain()
	style.Args = s.args
	th := p.thread(s.name, "commands/"+s.command, style)
	th.turns(s.turns)
	for role, parts := range s.parts {
		if p.next[role] != len(parts) {
			p.t.Errorf("%s: %d of %d parts of %s were played", s.name, p.next[role], len(parts), role)
		}
	}
}

func (p *player) thread(who, piece string, style content.Style) *thread {
	p.t.Helper()
	found, err := content.Find(piece)
	if err != nil {
		p.t.Fatal(err)
	}
	text, err := content.Expand(found, style)
	if err != nil {
		p.t.Fatal(err)
	}
	th := &thread{player: p, who: who, piece: found}
	th.words.WriteString(text)
	return th
}

func (th *thread) turns(turns []turn) {
	for _, tn := range turns {
		if th.ended != "" {
			th.failf(tn, "the thread ended before")
		}
		switch tn.verb {
		case "$":
			th.shell(tn)
		case "rarely":
			th.rarely = true
		case "prints":
			if !strings.Contains(th.output, tn.text) {
				th.failf(tn, "the last command did not print that; it printed\n%s", th.output)
			}
		case "write":
			path, file, _ := strings.Cut(tn.text, " ")
			th.write(tn, path, file)
		case "edit":
			th.edit(tn)
		case "ask":
			question, answer, _ := strings.Cut(tn.text, "=>")
			th.told(tn, "ask", "to ask "+question)
			th.words.WriteString("\n" + answer)
		case "spawn":
			th.spawn(tn)
		case "result":
			th.ended = tn.text
		case "stop":
			th.told(tn, "stop", "to stop")
			th.ended = "stop"
		case "see":
			th.see(tn)
		default:
			th.failf(tn, "no such turn")
		}
	}
}

func (th *thread) failf(tn turn, format string, args ...any) {
	th.t.Helper()
	args = append([]any{th.scene.name, tn.line, th.who, tn.verb, tn.text}, args...)
	th.t.Fatalf("%s:%d (%s): %s %s: "+format, args...)
}

// told fails unless a word is in what the thread has read.
func (th *thread) told(tn turn, word, what string) {
	th.t.Helper()
	if !strings.Contains(strings.ToLower(th.words.String()), strings.ToLower(word)) {
		th.failf(tn, "nothing told it %s", what)
	}
}

func (th *thread) run(command string) (output string, exit int) {
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir, cmd.Env = th.dir, th.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		th.t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

func (th *thread) shell(tn turn) {
	th.t.Helper()
	calls, err := content.CallsIn(tn.text)
	if err != nil {
		th.failf(tn, "%v", err)
	}
	for _, c := range calls {
		th.loads(tn, c)
		if problem := licensed(c, th.words.String()); problem != "" {
			th.failf(tn, "%s", problem)
		}
		th.lines[verbOf(c)] = true
	}
	var exit int
	if th.output, exit = th.run(tn.text); exit != tn.exit {
		th.failf(tn, "exit code %d; it printed\n%s", exit, th.output)
	}
	for _, c := range calls {
		if len(c) > 2 && c[0] == "plan" && c[1] == "gate" {
			seen := th.gates[c[2]]
			th.gates[c[2]] = [2]bool{seen[0] || exit == 0, seen[1] || exit == 5}
		}
	}
	th.words.WriteString("\n" + th.output)
}

// loads checks that a piece which this ordinary run reads is among those that
// the budget counts.
func (th *thread) loads(tn turn, call []string) {
	th.t.Helper()
	if verbOf(call) != "plan content show" {
		return
	}
	p, err := content.Find(call[3])
	if err != nil {
		th.failf(tn, "%v", err)
	}
	counted := func(name string) bool {
		known, err := content.Find(name)
		return err == nil && known.Path() == p.Path()
	}
	rarely := th.rarely
	th.rarely = false
	if p.Kind != content.Command && !rarely && !slices.ContainsFunc(th.piece.Loads, counted) {
		th.failf(tn, "%s does not say in its head that it loads %s", th.piece.Path(), p.Path())
	}
}

// see is the test looking, not the model acting.
func (th *thread) see(tn turn) {
	th.t.Helper()
	command, want, _ := strings.Cut(tn.text, "=>")
	got, _ := th.run(command)
	want = strings.TrimSpace(want)
	if ok := want == "nothing" && got == "" || want != "nothing" && strings.Contains(got, want); !ok {
		th.failf(tn, "it printed\n%s", got)
	}
}

func (th *thread) write(tn turn, path, file string) {
	th.t.Helper()
	data, ok := th.scene.files[file]
	if !ok {
		th.failf(tn, "the scene has no file %q", file)
	}
	if strings.HasPrefix(path, ".planning/") && strings.HasSuffix(path, ".md") {
		th.told(tn, document(path), "of "+document(path))
	}
	full := filepath.Join(th.dir, filepath.FromSlash(path))
	if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(data), 0o644)); err != nil {
		th.t.Fatal(err)
	}
}

// document is a path as prompts speak of it: CONTEXT.md, pr-NN.md.
func document(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if trimmed := strings.TrimLeft(name, "0123456789-"); trimmed != name {
		return trimmed
	}
	return strings.ReplaceAll(name, "01", "NN")
}

func (th *thread) edit(tn turn) {
	th.t.Helper()
	path, change, _ := strings.Cut(tn.text, " ")
	old, with, ok := strings.Cut(change, " => ")
	full := filepath.Join(th.dir, filepath.FromSlash(path))
	data, err := os.ReadFile(full)
	if err != nil || !ok {
		th.failf(tn, "cannot edit: %v", err)
	}
	unescape := strings.NewReplacer(`\n`, "\n").Replace
	old, with = unescape(old), unescape(with)
	if n := strings.Count(string(data), old); n != 1 {
		th.failf(tn, "%q is there %d times:\n%s", old, n, data)
	}
	if err := os.WriteFile(full, []byte(strings.Replace(string(data), old, with, 1)), 0o644); err != nil {
		th.t.Fatal(err)
	}
}

// spawn starts agents with prompts of their own and windows of their own.
func (th *thread) spawn(tn turn) {
	th.t.Helper()
	for role := range strings.FieldsSeq(tn.text) {
		if !strings.Contains(th.words.String(), `"role":"`+role+`"`) { // a row of the step
			th.told(tn, "cairn-"+role, "of the agent "+role)
		}
		parts, at := th.scene.parts[role], th.next[role]
		if at >= len(parts) {
			th.failf(tn, "the scene has no part %d of %s", at+1, role)
		}
		th.next[role]++
		sub := th.thread(role, "agents/"+role, content.Plain())
		for path := range strings.FieldsSeq(parts[at].given) {
			th.told(tn, document(path), "to give that to "+role)
		}
		sub.words.WriteString("\n" + parts[at].given + "\n")
		sub.turns(parts[at].turns)
		if sub.ended == "" {
			th.failf(tn, "%s ended without a result", role)
		}
		th.words.WriteString("\nRESULT: " + sub.ended)
	}
}

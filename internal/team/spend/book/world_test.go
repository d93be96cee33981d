package book_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/home"
	"cairn/internal/mark"
)

// A world is a machine on which people and agents work, with a clock of its own,
// and the truth of what each request was for.
type world struct {
	t     *testing.T
	home  string
	now   time.Time
	rnd   *rand.Rand
	repos []*repository
	all   []*asked
	n     int
	gone  map[*asked]string // commits of repositories that were removed
}

type repository struct {
	name string
	dir  string
	n    int64 // pull requests
}

// asked is a request, and where it belongs.
type asked struct {
	id     string
	usd    float64
	repo   *repository
	branch string // as it is called in the end
	file   string // that the session's next commit there adds, "" for none
	pull   int64
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, home: t.TempDir(), now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), rnd: rand.New(rand.NewPCG(seed, 7))}
	for _, name := range []string{"shop", "site"} {
		r := &repository{name: "acme/" + name, dir: filepath.Join(w.home, "src", name)}
		must(t, os.MkdirAll(r.dir, 0o755))
		w.git(r.dir, "init", "-q", "-b", "main")
		w.git(r.dir, "remote", "add", "origin", "https://example.com/acme/"+name+".git")
		w.repos = append(w.repos, r)
		w.commit(r.dir, "begin")
	}
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) pass(d time.Duration) { w.now = w.now.Add(d) }

// try runs git at the world's time.
func (w *world) try(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	at := fmt.Sprintf("%d +0000", w.now.Unix())
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE=" + at, "GIT_COMMITTER_DATE=" + at,
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_EDITOR=true"}
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (w *world) git(dir string, args ...string) string {
	w.t.Helper()
	out, err := w.try(dir, args...)
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// commit adds a file of its own, by which the commit is known whatever becomes of it.
func (w *world) commit(dir, message string) (file, printed string) {
	w.n++
	file = fmt.Sprintf("f%d.txt", w.n)
	must(w.t, os.WriteFile(filepath.Join(dir, file), []byte(fmt.Sprintf("%d\n", w.rnd.Uint64())), 0o644))
	w.git(dir, "add", file)
	return file, w.git(dir, "commit", "-m", message)
}

// A session is one agent's, of one of two kinds of files.
type session struct {
	w      *world
	id     string
	sub    string
	codex  bool
	file   string
	dir    string
	repo   *repository
	open   []*asked // waiting for a commit
	model  string
	loud   bool   // its commits print their hash
	hooked bool   // our hook looks at HEAD behind each call
	quiet  bool   // its commits print nothing
	branch string // when it asked last
}

func (w *world) session(r *repository, dir string, codex bool) *session {
	w.n++
	s := &session{w: w, id: fmt.Sprintf("%08d-aaaa-bbbb-cccc-0123456789ab", w.n), codex: codex, dir: dir, repo: r, model: []string{"claude-opus-4-5", "claude-sonnet-4-5"}[w.n%2]}
	if codex {
		s.model = "gpt-5"
		s.file = filepath.Join(w.home, ".codex/sessions/2026/11/02/rollout-"+s.id+".jsonl")
		s.write(map[string]any{"type": "session_meta", "payload": map[string]any{"id": s.id, "cwd": dir, "git": map[string]any{"branch": w.branch(dir)}}})
		s.write(map[string]any{"type": "turn_context", "payload": map[string]any{"cwd": dir, "model": s.model}})
		return s
	}
	s.file = filepath.Join(w.home, ".claude/projects/x", s.id+".jsonl")
	s.write(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": "please CANARYPROMPT"}})
	return s
}

// subagent works in a place of its own and is paid for by the session.
func (s *session) subagent(dir string) *session {
	s.w.n++
	sub := *s
	sub.sub, sub.dir, sub.open = fmt.Sprintf("a%d", s.w.n), dir, nil
	if s.codex {
		id := fmt.Sprintf("%08d-aaaa-bbbb-cccc-0123456789ab", s.w.n)
		sub.file = filepath.Join(filepath.Dir(s.file), "rollout-"+id+".jsonl")
		sub.write(map[string]any{"type": "session_meta", "payload": map[string]any{"id": id, "cwd": dir, "git": map[string]any{"branch": s.w.branch(dir)},
			"source": map[string]any{"subagent": map[string]any{"thread_spawn": map[string]any{"parent_thread_id": s.id}}}}})
		sub.prompt()
		return &sub
	}
	sub.file = filepath.Join(strings.TrimSuffix(s.file, ".jsonl"), "subagents", "agent-"+sub.sub+".jsonl")
	sub.write(map[string]any{"type": "user", "isSidechain": true, "message": map[string]any{"role": "user", "content": "look"}})
	return &sub
}

func (s *session) write(line map[string]any) {
	line["timestamp"] = s.w.now.Format("2006-01-02T15:04:05.000Z")
	if !s.codex {
		line["sessionId"], line["cwd"], line["gitBranch"] = s.id, s.dir, s.branch
		if s.sub != "" {
			line["agentId"] = s.sub
		}
	}
	data, _ := json.Marshal(line)
	must(s.w.t, os.MkdirAll(filepath.Dir(s.file), 0o755))
	f, err := os.OpenFile(s.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	must(s.w.t, err)
	defer f.Close()
	_, err = f.Write(append(data, '\n'))
	must(s.w.t, err)
}

// branch is the one that is checked out in a directory, "" for none.
func (w *world) branch(dir string) string {
	name, _ := w.try(dir, "symbolic-ref", "--short", "-q", "HEAD")
	return name
}

// ask is a request whose answer calls a tool: do is what the tool does, and what it
// prints.
func (s *session) ask(command string, do func() string) *asked {
	w := s.w
	w.n++
	branch := w.branch(s.dir)
	s.branch = cmp.Or(branch, "HEAD")
	q := &asked{id: fmt.Sprintf("msg_%d", w.n), repo: s.repo, branch: branch}
	w.all, s.open = append(w.all, q), append(s.open, q)
	w.pass(time.Duration(100+w.rnd.IntN(900)) * time.Millisecond)
	input, read, five, hour, out := w.rnd.IntN(900), 20000+w.rnd.IntN(90000), w.rnd.IntN(5000), w.rnd.IntN(800), 50+w.rnd.IntN(1500)
	call := fmt.Sprintf("toolu_%d", w.n)
	if s.codex {
		q.usd = (float64(input)*1.25 + float64(read)*0.125 + float64(out)*10) / 1e6
		s.write(map[string]any{"type": "response_item", "payload": map[string]any{"type": "function_call", "name": "exec_command", "call_id": call, "arguments": fmt.Sprintf(`{"cmd":%q}`, command)}})
		w.pass(2 * time.Millisecond)
		s.write(map[string]any{"type": "token_usage_record", "payload": map[string]any{"response_id": q.id, "usage": map[string]any{
			"input_tokens": input + read, "cached_input_tokens": read, "output_tokens": out}}})
	} else {
		p := map[string][2]float64{"claude-opus-4-5": {5, 25}, "claude-sonnet-4-5": {3, 15}}[s.model]
		q.usd = (float64(input)*p[0] + float64(read)*p[0]*0.1 + float64(five)*p[0]*1.25 + float64(hour)*p[0]*2 + float64(out)*p[1]) / 1e6
		usage := map[string]any{"input_tokens": input, "cache_read_input_tokens": read, "cache_creation_input_tokens": five + hour, "output_tokens": out,
			"cache_creation": map[string]any{"ephemeral_5m_input_tokens": five, "ephemeral_1h_input_tokens": hour}, "service_tier": "standard"}
		early := map[string]any{}
		for k, v := range usage {
			early[k] = v
		}
		early["output_tokens"] = 9 // as 2.1.39 wrote the lines before the last
		message := func(usage map[string]any, block map[string]any) map[string]any {
			return map[string]any{"type": "assistant", "message": map[string]any{"id": q.id, "model": s.model, "usage": usage, "content": []any{block}}}
		}
		s.write(message(early, map[string]any{"type": "text", "text": "CANARYANSWER"}))
		w.pass(time.Millisecond)
		s.write(message(usage, map[string]any{"type": "tool_use", "id": call, "name": "Bash", "input": map[string]any{"command": command}}))
	}
	w.pass(time.Duration(w.rnd.IntN(400)) * time.Millisecond)
	printed := do()
	if branch, head, ok := mark.Look(s.dir); ok && s.hooked {
		must(w.t, mark.Append(home.Home(filepath.Join(w.home, ".cairn")).Marks(), mark.Mark{At: w.now.Add(time.Millisecond), Agent: "claude", Session: s.id, Sub: s.sub, Dir: s.dir, Branch: branch, Head: head}))
	}
	w.pass(time.Duration(5+w.rnd.IntN(300)) * time.Millisecond)
	if s.codex {
		s.write(map[string]any{"type": "response_item", "payload": map[string]any{"type": "function_call_output", "call_id": call, "output": "Output:\n" + printed}})
	} else {
		s.write(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "tool_result", "tool_use_id": call, "content": printed}}}})
	}
	w.pass(time.Duration(5+w.rnd.IntN(40)) * time.Millisecond)
	return q
}

// work edits something, and commits makes a commit of it, quietly or not.
func (s *session) work() { s.ask("sed -i s/a/CANARYFILE/ x.txt", func() string { return "ok" }) }

func (s *session) commit() string {
	var file string
	quiet := s.quiet || s.w.rnd.IntN(2) == 0 && !s.loud
	branch := ""
	s.ask("git add -A && git commit -m work", func() string {
		branch = s.w.branch(s.dir)
		var printed string
		file, printed = s.w.commit(s.dir, fmt.Sprintf("work %d", s.w.n))
		if quiet {
			return ""
		}
		return printed
	})
	s.committed(branch, file)
	return file
}

// committed says that what the session has asked for on a branch became a commit.
func (s *session) committed(branch, file string) {
	of := func(q *asked) bool { return q.repo == s.repo && q.branch == branch }
	for _, q := range s.open {
		if of(q) {
			q.file = file
		}
	}
	s.open = slices.DeleteFunc(s.open, of)
}

func (s *session) checkout(args ...string) {
	s.ask("git checkout "+strings.Join(args, " "), func() string {
		return s.w.git(s.dir, append([]string{"checkout", "-q"}, args...)...)
	})
}

// merged says that a branch was merged as a pull request.
func (w *world) merged(r *repository, branch string, n int64) {
	for _, q := range w.all {
		if q.repo == r && q.branch == branch && q.file != "" {
			q.pull = n
		}
	}
}

// commitOf is what a commit is called today, by the file that it adds: where the
// main branch has it, there.
func (w *world) commitOf(q *asked) string {
	if q.file == "" {
		return ""
	}
	if c, ok := w.gone[q]; ok && q.repo == w.repos[1] {
		return c
	}
	if q.file == "-" {
		return w.git(q.repo.dir, "log", "--merges", "--format=%H", "-1", "main")
	}
	for _, where := range [][]string{{"main"}, {"--all"}, {"--all", "--reflog"}} {
		out, _ := w.try(q.repo.dir, append(append([]string{"log", "--no-merges", "--diff-filter=A", "--format=%H"}, where...), "--", q.file)...)
		if all := strings.Fields(out); len(all) > 0 {
			return all[0]
		}
	}
	return "?"
}

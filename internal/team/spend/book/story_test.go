package book_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cairn/test/cairntest"
)

// A story is what people and agents do to one repository; all of its dollars have to
// be found where they belong.
type story struct {
	*world
	r *repository
	s *session // of an agent in the main working tree
}

// step is git, and some time behind it.
func (y *story) step(args ...string) string { return y.stepIn(y.r.dir, args...) }

func (y *story) stepIn(dir string, args ...string) string {
	y.t.Helper()
	out := y.git(dir, args...)
	y.pass(2 * time.Second)
	return out
}

// shell is a call of the agent that does several things.
func (s *session) shell(command string, do func()) *asked {
	return s.ask(command, func() string { do(); return "" })
}

// cd moves the session to another directory, and repository.
func (s *session) cd(dir string, r *repository) {
	s.ask("cd "+dir, func() string { return "" })
	s.dir, s.repo = dir, r
	if s.codex {
		s.prompt() // its next turn is there
	}
}

// prompt is what a person types.
func (s *session) prompt() {
	if s.codex {
		s.write(map[string]any{"type": "turn_context", "payload": map[string]any{"cwd": s.dir, "model": s.model}})
		return
	}
	s.write(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": "go on"}})
	s.w.pass(time.Millisecond)
}

// begin makes a branch, works on it and makes commits.
func (y *story) begin(branch string, commits int) (files []string) {
	y.s.checkout("-b", branch)
	for range commits {
		y.s.work()
		files = append(files, y.s.commit())
	}
	y.pass(time.Minute)
	return files
}

// squash has the host merge a branch as one commit.
func (y *story) squash(branch, title string) {
	y.step("checkout", "-q", "main")
	y.step("merge", "-q", "--squash", branch)
	y.step("commit", "-q", "-m", title)
}

// merge has the host merge a branch as pull request 9.
func (y *story) merge(branch string) {
	y.step("checkout", "-q", "main")
	y.step("merge", "-q", "--no-ff", "-m", "Merge pull request #9 from acme/x", branch)
	y.merged(y.r, branch, 9)
}

// rebase edits the list of an interactive rebase with a program of sed.
func (y *story) rebase(program string) {
	y.step("-c", "sequence.editor=sed -i -e "+program, "rebase", "-q", "-i", "main")
}

// write writes a file and commits it, as a person.
func (y *story) write(dir, name, text, message string) {
	must(y.t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	y.stepIn(dir, "add", name)
	y.stepIn(dir, "commit", "-q", "-m", message)
}

// forget says that what was for some commits is for none that a merge brought.
func (y *story) forget(files ...string) {
	for _, q := range y.all {
		for _, f := range files {
			if q.file == f {
				q.pull = 0
			}
		}
	}
}

// into says that what was for one commit is for another today.
func (y *story) into(from, to string) {
	for _, q := range y.all {
		if q.file == from {
			q.file = to
		}
	}
}

// TestStories plays what people and agents do to a history, each alone.
func TestStories(t *testing.T) {
	for name, play := range stories {
		for agent, codex := range map[string]bool{"claude": false, "codex": true} {
			t.Run(name+", "+agent, func(t *testing.T) {
				if codex {
					cairntest.Long(t)
				}
				t.Parallel()
				w := newWorld(t, 11)
				y := &story{world: w, r: w.repos[0]}
				y.s = w.session(y.r, y.r.dir, codex)
				w.pass(time.Minute)
				play(y)
				w.check(w.open())
			})
		}
	}
}

// TestStaysFound: what was found once stays so when the place is gone.
func TestStaysFound(t *testing.T) {
	w := newWorld(t, 12)
	y := &story{world: w, r: w.repos[0]}
	y.s = w.session(y.r, y.r.dir, false)
	side := w.repos[1]
	y.s.cd(side.dir, side)
	y.s.work()
	y.s.commit()
	y.s.cd(y.r.dir, y.r)
	y.s.work()
	b := w.open()
	w.check(b)
	want := map[*asked]string{}
	for _, q := range w.all {
		want[q] = w.commitOf(q)
	}
	must(t, os.RemoveAll(side.dir))
	y.s.work()
	y.s.commit()
	_, err := b.Refresh(context.Background(), quiet{})
	must(t, err)
	w.gone = want
	w.check(b)
}

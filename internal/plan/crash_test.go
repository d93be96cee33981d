package plan

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/must"
	"cairn/test/cairntest"
)

// rework is a change with every kind of step: a directory removed, the next
// one taking its name, a file in it renamed, edited, and new ones.
func rework(tx *Tx) error {
	w := tx.Workspace
	edit := func(rel, line string) { must.Get(tx.Read(rel)).SetLine(0, line) }
	tx.Remove(w.Path("phases/02-fix"))
	tx.Move(w.Path("phases/03-fix"), w.Path("phases/02-fix"))
	tx.Move(w.Path("phases/04-fix"), w.Path("phases/03-fix"))
	tx.Move(w.Path("phases/02-fix/03-PLAN.md"), w.Path("phases/02-fix/02-PLAN.md"))
	edit(w.Path("phases/02-fix/02-PLAN.md"), "was three")
	edit(w.Path("STATE.md"), "# T")
	tx.Write(w.Path("todos/pending/a.md"), []byte("a\n"))
	return nil
}

func reworkable(t *testing.T) *Workspace {
	return project(t, map[string]string{
		".planning/phases/02-fix/02-PLAN.md": "two\n",
		".planning/phases/03-fix/03-PLAN.md": "three\r\n",
		".planning/phases/03-fix/pic.png":    "\x00\xff",
		".planning/phases/04-fix/04-PLAN.md": "four",
		".planning/STATE.md":                 "# S\r\n\xff",
	})
}

// cut does the first steps of a change, as a process does that is killed then:
// before or after it told of the last one. It returns how many there are.
func cut(t *testing.T, w *Workspace, change func(*Tx) error, done int, told bool) (all int) {
	t.Helper()
	tx := newTx(w)
	tx.trash = w.trash(1)
	if err := change(tx); err != nil {
		t.Fatal(err)
	}
	j, err := w.openJournal()
	if err != nil {
		t.Fatal(err)
	}
	c := tx.change()
	e := entry{ID: 1, Command: "killed", Ops: c.ops}
	if err := j.append(e, true); err != nil {
		t.Fatal(err)
	}
	content := map[string][]byte{}
	for _, f := range c.Files {
		content[f.Path] = f.After
	}
	for i, o := range c.ops[:done] {
		if err := w.do(o, content[o.Path]); err != nil {
			t.Fatal(err)
		}
		if unclear(c.ops)[i] && (i < done-1 || told) {
			if err := j.append(entry{ID: e.ID, At: i + 1}, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	return len(c.ops)
}

// cutBack takes back the last so many of ops, as a process does that is killed then:
// before or after it told of the last one.
func cutBack(t *testing.T, j *journal, id int, ops []op, back int, told bool) {
	t.Helper()
	for n := len(ops) - 1; n >= len(ops)-back; n-- {
		err := j.w.takeBack(ops[n], true)
		if err == nil && unclearBack(ops)[n] && n > 0 && (told || n > len(ops)-back) {
			err = j.append(entry{ID: id, Left: n}, false)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// However names go round in a change, it can be cut short at each step, while it is
// done and while it is taken back, and the next one finds all or nothing of it.
func TestRandomChangeCutShort(t *testing.T) {
	cairntest.Long(t)
	for seed := range uint64(30) {
		change := func(tx *Tx) error { return shuffle(tx, rand.New(rand.NewPCG(seed, 1))) }
		for i, all := 0, 1; i <= 2*all+1; i++ {
			done, told := i/2, i%2 == 1
			w := reworkable(t)
			before := tree(t, w)
			all = cut(t, w, change, done, told)
			after := tree(t, w)
			update(t, w, func(*Tx) error { return nil })
			if done == all && maps.Equal(tree(t, w), after) {
				break
			}
			equalTrees(t, tree(t, w), before)
			for back := range done + 1 { // it failed there, and what was done is taken back
				w := reworkable(t)
				cut(t, w, change, done, told)
				j, err := w.openJournal()
				if err == nil {
					err = j.load()
				}
				if err != nil {
					t.Fatal(err)
				}
				cutBack(t, j, 1, j.entries[0].Ops[:done], back, told)
				update(t, w, func(*Tx) error { return nil })
				equalTrees(t, tree(t, w), before)
				if t.Failed() {
					t.Fatalf("seed %d: %d of %d steps, %d taken back, told: %v\n%+v", seed, done, all, back, told, j.entries[0].Ops)
				}
			}
			if t.Failed() {
				t.Fatalf("seed %d: %d of %d steps, told: %v", seed, done, all, told)
			}
		}
	}
}

// shuffle moves, removes and writes under few names.
func shuffle(tx *Tx, r *rand.Rand) error {
	at := func() string {
		dir := tx.Path("phases", []string{"02-fix", "03-fix", "04-fix", "aside"}[r.IntN(4)])
		if r.IntN(2) == 0 {
			return dir
		}
		return dir + "/" + []string{"02-PLAN.md", "03-PLAN.md", "04-PLAN.md"}[r.IntN(3)]
	}
	for range 6 {
		from, to := at(), at()
		switch is := tx.Has(from); {
		case is && r.IntN(6) == 0:
			tx.Remove(from)
		case is && !tx.Has(to) && !within(to, from) && path.Ext(to) == path.Ext(from) && tx.Has(path.Dir(to)):
			tx.Move(from, to)
		case !is && path.Ext(from) != "" && tx.Has(path.Dir(from)):
			tx.Write(from, []byte("new\n"))
		}
	}
	return nil
}

// Whenever a change is cut short, the next one finds all or nothing of it.
func TestChangeCutShortAnywhere(t *testing.T) {
	swap := func(tx *Tx) error { // two directories by a third name
		tx.Move(".planning/phases/02-fix", ".planning/phases/aside")
		tx.Move(".planning/phases/03-fix", ".planning/phases/02-fix")
		tx.Move(".planning/phases/aside", ".planning/phases/03-fix")
		tx.Write(".planning/STATE.md", []byte("swapped\n"))
		return nil
	}
	for name, change := range map[string]func(*Tx) error{"rework": rework, "swap": swap} {
		for i, all := 0, 1; i <= 2*all+1; i++ {
			done, told := i/2, i%2 == 1
			w := reworkable(t)
			before := tree(t, w)
			all = cut(t, w, change, done, told)
			reached := tree(t, w)
			update(t, w, func(*Tx) error { return nil })
			if done == all {
				equalTrees(t, tree(t, w), reached)
				if _, err := w.Undo(t.Context(), false); err != nil {
					t.Error(err)
				}
			}
			equalTrees(t, tree(t, w), before)
			if t.Failed() {
				t.Fatalf("%s: %d of %d steps, told: %v", name, done, all, told)
			}
		}
	}
}

// A journal may end anywhere, and hold what no cairn wrote.
func TestDamagedJournal(t *testing.T) {
	for _, tail := range []string{"", "{", `{"id":2,"do`, "\x00\xff\n\n[]\n{}\n", `{"id":2}` + "\n", strings.Repeat("x", 1<<20)} {
		w := reworkable(t)
		before := tree(t, w)
		update(t, w, rework)
		after := tree(t, w)
		f, err := os.OpenFile(w.Abs(w.Path(journalName)), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(tail); err != nil {
			t.Fatal(err)
		}
		f.Close()
		update(t, w, func(tx *Tx) error { tx.Write(w.Path("empty.md"), nil); return nil })
		for _, want := range []map[string]string{after, before} {
			if _, err := w.Undo(t.Context(), false); err != nil {
				t.Fatalf("%.20q: %v", tail, err)
			}
			equalTrees(t, tree(t, w), want)
		}
	}
}

func TestUndoCutShort(t *testing.T) {
	for i, all := 0, 1; i <= 2*all+1; i++ {
		back, told := i/2, i%2 == 1
		w := reworkable(t)
		before := tree(t, w)
		update(t, w, rework)
		j, err := w.openJournal()
		if err != nil {
			t.Fatal(err)
		}
		if err := j.load(); err != nil {
			t.Fatal(err)
		}
		ops := j.entries[0].Ops
		all = len(ops)
		if err := j.append(entry{ID: 2, Command: "undo", Undoes: 1}, true); err != nil {
			t.Fatal(err)
		}
		cutBack(t, j, 2, ops, back, told)
		update(t, w, func(*Tx) error { return nil })
		equalTrees(t, tree(t, w), before)
		if _, err := w.Undo(t.Context(), false); !errors.Is(err, ErrNothingToUndo) {
			t.Errorf("undo again: %v", err)
		}
		if t.Failed() {
			t.Fatalf("%d of %d steps, told: %v", back, all, told)
		}
	}
}

// Another program's write between our read and our write is kept, what we had
// done is taken back, and the change before can still be undone.
func TestWriteByAnotherProgramMeanwhile(t *testing.T) {
	w := reworkable(t)
	before := tree(t, w)
	update(t, w, func(tx *Tx) error { tx.Write(w.Path("first.md"), []byte("1\n")); return nil })
	_, err := w.Update(t.Context(), "test", func(tx *Tx) error {
		must.OK(rework(tx))
		tx.Write(w.Path("zz.md"), []byte("ours\n"))
		return os.WriteFile(w.Abs(w.Path("zz.md")), []byte("theirs\n"), 0o644)
	})
	if err == nil || !strings.Contains(err.Error(), ".planning/zz.md was changed by another program") {
		t.Errorf("got %v", err)
	}
	if got := tree(t, w)[".planning/zz.md"]; got != "theirs\n" {
		t.Errorf("theirs is %q", got)
	}
	if _, err := w.Undo(t.Context(), false); err != nil {
		t.Error(err)
	}
	if err := os.Remove(w.Abs(w.Path("zz.md"))); err != nil {
		t.Fatal(err)
	}
	equalTrees(t, tree(t, w), before)
}

func TestLockFileRemovedWhileHeld(t *testing.T) {
	w := reworkable(t)
	before := tree(t, w)
	_, err := w.Update(t.Context(), "test", func(tx *Tx) error {
		return errors.Join(rework(tx), os.RemoveAll(w.Abs(w.Path(ownDir))))
	})
	if !errors.Is(err, ErrLocked) {
		t.Errorf("got %v", err)
	}
	equalTrees(t, tree(t, w), before)
	update(t, w, rework)
}

// Without its journal a plan can still be changed; the trash is kept.
func TestJournalLost(t *testing.T) {
	w := reworkable(t)
	for range 2 {
		update(t, w, func(tx *Tx) error { tx.Remove(w.Path("phases/02-fix")); return nil })
		if err := os.Remove(w.Abs(w.Path(journalName))); err != nil {
			t.Fatal(err)
		}
		update(t, w, func(tx *Tx) error { tx.Write(w.Path("phases/02-fix/02-PLAN.md"), []byte("two\n")); return nil })
		if err := os.Remove(w.Abs(w.Path(journalName))); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := filepath.Glob(w.Abs(w.Path(ownDir, "trash", "*", "*", "02-fix", "02-PLAN.md")))
	if err != nil || len(kept) != 2 {
		t.Errorf("the trash holds %v, %v", kept, err)
	}
}

// A journal that came with somebody's repository does not reach out of the plan.
func TestJournalOfSomebodyElse(t *testing.T) {
	for _, line := range []string{
		`{"id":1,"command":"x","ops":[{"op":"write","path":"../victim","after":"` + hash([]byte("v\n")) + `","before":"!"}]}`,
		`{"id":1,"command":"x","ops":[{"op":"write","path":"src","after":"` + hash([]byte("v\n")) + `","before":"!"}]}`,
		`{"id":1,"command":"x","ops":[{"op":"move","path":"src","from":".planning/a.md"},{"op":"mkdir","path":".planning/none"}]}`,
		`{"id":1,"command":"x","ops":[{"op":"move","path":".planning/STATE.md","from":"../b"},{"op":"mkdir","path":".planning/none"}]}`,
		`{"id":1,"command":"x","ops":[{"op":"write","path":".planning/out/v","after":"` + hash([]byte("v\n")) + `","before":"!"}]}`,
	} {
		for _, done := range []string{"", `{"id":1,"done":true}`} {
			before := map[string]string{"p/.planning/STATE.md": "# S\n", "p/src": "v\n", "victim": "v\n", "out/v": "v\n", "p/.planning/.gitignore": ownIgnored}
			w := project(t, before)
			journal := filepath.Join(w.Root, "p/.planning", journalName)
			if err := os.WriteFile(journal, []byte(line+"\n"+done), 0o644); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(w.Root, "p/.planning/out")
			if err := os.Symlink("../../out", link); err != nil {
				t.Skip(err)
			}
			p, err := At(filepath.Join(w.Root, "p"), "", "")
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Update(t.Context(), "test", func(*Tx) error { return nil })
			_, uerr := p.Undo(t.Context(), true)
			var input *InputError
			if !errors.As(errors.Join(err, uerr), &input) {
				t.Errorf("%s: %v, %v", line, err, uerr)
			}
			for name, want := range before {
				if b, _ := os.ReadFile(filepath.Join(w.Root, name)); string(b) != want {
					t.Errorf("%s: %s is %q", line, name, b)
				}
			}
		}
	}
}

// What stands in the place of a file of cairn's own is neither opened nor
// followed.
func TestOwnFilesAreFiles(t *testing.T) {
	for _, name := range []string{journalName, ".gitignore", ownDir + "/lock", ownDir} {
		for kind, put := range map[string]func(at, outside string) error{
			"directory": func(at, _ string) error { return os.MkdirAll(filepath.Join(at, "x"), 0o755) },
			"link":      func(at, outside string) error { return os.Symlink(outside, at) },
			"loop":      func(at, _ string) error { return os.Symlink(at, at) },
			"nothing":   func(at, outside string) error { return os.Symlink(outside+"-no", at) },
			"pipe":      pipe,
		} {
			if name == ownDir && kind == "directory" {
				continue
			}
			w := reworkable(t)
			outside := filepath.Join(t.TempDir(), "mine")
			if err := os.WriteFile(outside, []byte("mine\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			at := w.Abs(w.Path(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), put(at, outside)); err != nil {
				t.Skip(err)
			}
			before := tree(t, w)
			_, err := w.Update(context.Background(), "test", rework)
			var input *InputError
			if !errors.As(err, &input) || !strings.Contains(input.Path, name) {
				t.Errorf("%s is a %s: %v", name, kind, err)
			}
			equalTrees(t, tree(t, w), before)
			if b, _ := os.ReadFile(outside); string(b) != "mine\n" {
				t.Errorf("%s is a %s: outside there is %q", name, kind, b)
			}
		}
	}
}

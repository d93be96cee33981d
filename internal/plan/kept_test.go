package plan

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// large is a change of more than the journal holds in a line: a file that moves
// and is rewritten, one that is rewritten, a new one.
func large(tx *Tx) error {
	tx.Move(".planning/big.md", ".planning/moved.md")
	tx.Write(".planning/moved.md", []byte("short\n"))
	tx.Write(".planning/STATE.md", []byte("# T\n"))
	tx.Write(".planning/new.md", []byte("new\n"))
	return nil
}

func largeProjectOf(t *testing.T) *Workspace {
	return project(t, map[string]string{".planning/big.md": strings.Repeat("big\r\n", maxInline/4), ".planning/STATE.md": "# S\n"})
}

func journalOf(t *testing.T, w *Workspace) string {
	t.Helper()
	b, err := os.ReadFile(w.Abs(w.Path(journalName)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What a large change replaced is not in the journal, and comes back.
func TestLargeChangeIsKeptApart(t *testing.T) {
	w := largeProjectOf(t)
	before := tree(t, w)
	for range 2 {
		update(t, w, large)
		if n := len(journalOf(t, w)); n > 8<<10 {
			t.Errorf("the journal has %d bytes", n)
		}
		if _, err := w.Undo(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		equalTrees(t, tree(t, w), before)
	}
}

// What was kept and is not there any more, or another file, is not put back.
func TestKeptFileThatIsDamaged(t *testing.T) {
	for _, damage := range []func(name string) error{
		os.Remove,
		func(name string) error { return os.WriteFile(name, []byte("other\n"), 0o644) },
	} {
		w := largeProjectOf(t)
		update(t, w, large)
		after := tree(t, w)
		j := &journal{w: w, name: w.Abs(w.Path(journalName))}
		if err := j.load(); err != nil {
			t.Fatal(err)
		}
		ops := j.entries[0].Ops
		kept := ops[len(ops)-2].Kept
		if kept == "" {
			t.Fatalf("nothing is kept of %+v", ops)
		}
		if err := damage(w.Abs(kept)); err != nil {
			t.Fatal(err)
		}
		var input *InputError
		if _, err := w.Undo(t.Context(), false); !errors.As(err, &input) || !strings.Contains(input.What, "is not what was kept of") {
			t.Errorf("got %v", err)
		}
		equalTrees(t, tree(t, w), after)
	}
}

// A large change that is cut short, and a large undo, end as all or nothing.
func TestLargeChangeCutShortAnywhere(t *testing.T) {
	for done, all := 0, 1; done <= all; done++ {
		w := largeProjectOf(t)
		before := tree(t, w)
		tx := newTx(w)
		if err := large(tx); err != nil {
			t.Fatal(err)
		}
		j, err := w.openJournal()
		if err != nil {
			t.Fatal(err)
		}
		c := tx.change()
		e := entry{ID: 1, Command: "killed", Ops: c.ops}
		if err := errors.Join(j.keep(&e), j.append(e, true)); err != nil {
			t.Fatal(err)
		}
		content := map[string][]byte{}
		for _, f := range c.Files {
			content[f.Path] = f.After
		}
		all = len(c.ops)
		for i, o := range e.Ops[:done] {
			err := w.do(o, content[o.Path])
			if unclear(e.Ops)[i] {
				err = errors.Join(err, j.append(entry{ID: e.ID, At: i + 1}, false))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		update(t, w, func(*Tx) error { return nil })
		if done < all {
			equalTrees(t, tree(t, w), before)
			if exists(w.Abs(w.kept(1))) {
				t.Error("what was kept for it is still there")
			}
			continue
		}
		j2 := &journal{w: w, name: j.name}
		if err := j2.load(); err != nil {
			t.Fatal(err)
		}
		ops := j2.entries[0].Ops
		mark := entry{ID: 2, Command: "undo", Undoes: 1, Ops: replaced(ops, w.current(ops))}
		if err := errors.Join(j2.keep(&mark), j2.append(mark, true), w.takeBack(ops[len(ops)-2], true)); err != nil {
			t.Fatal(err)
		}
		update(t, w, func(*Tx) error { return nil })
		equalTrees(t, tree(t, w), before)
	}
}

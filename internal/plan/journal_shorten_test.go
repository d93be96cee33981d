package plan

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A journal that has grown keeps its newest entries, at least one, each whole; a line
// that is not the journal's goes with those beside it.
func TestLastEntries(t *testing.T) {
	line := func(id, size int) string {
		return fmt.Sprintf(`{"id":%d,"command":"%s"}`+"\n", id, strings.Repeat("x", size)) + fmt.Sprintf(`{"id":%d,"done":true}`+"\n", id)
	}
	for _, c := range []struct {
		journal     string
		first, from int
	}{
		{line(1, 10) + line(2, 10), 1, 0},
		{line(1, 100) + line(2, 100), 2, len(line(1, 100))},
		{line(1, 100) + "no line\n" + line(2, 100), 2, len(line(1, 100))},
		{line(1, 10) + line(2, 500), 2, len(line(1, 10))},
		{line(7, 500), 7, 0},
		{line(1, 500) + line(9, 10) + line(10, 10), 9, len(line(1, 500))},
		{line(1, 500) + line(2, 10) + `{"id":3,"comm`, 2, len(line(1, 500))},
		{"", 0, 0},
	} {
		if from, first := lastEntries([]byte(c.journal), 200); from != c.from || first != c.first {
			t.Errorf("%q: from %d, first %d", c.journal, from, first)
		}
	}
}

// What was kept for entries that are dropped goes with them, that of the others stays,
// and the newest changes can still be undone.
func TestJournalThatHasGrown(t *testing.T) {
	w := project(t, map[string]string{".planning/STATE.md": "# S\n"})
	before := tree(t, w)
	var b strings.Builder
	for id := 1; id <= 9; id++ {
		fmt.Fprintf(&b, `{"id":%d,"command":"c","ops":[{"op":"write","path":".planning/none.md","new":true,"after":"%s"}]}`+"\n"+`{"id":%d,"done":true}`+"\n",
			id, strings.Repeat("0", 1<<20), id)
	}
	for _, dir := range []string{w.trash(3), w.trash(9), w.kept(1), w.kept(8)} {
		if err := os.MkdirAll(w.Abs(dir+"/0"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(w.Abs(w.Shared(journalName)), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	update(t, w, func(tx *Tx) error { tx.Write(".planning/STATE.md", []byte("# T\n")); return nil })
	if j := journalOf(t, w); len(j) > maxJournal/2+1<<10 || !strings.HasPrefix(j, `{"id":7,`) || !strings.Contains(j, `{"id":10,`) {
		t.Errorf("the journal has %d bytes and begins %.20s", len(j), j)
	}
	for dir, want := range map[string]bool{w.trash(3): false, w.trash(9): true, w.kept(1): false, w.kept(8): true} {
		if exists(w.Abs(dir)) != want {
			t.Errorf("%s is there: %v", dir, !want)
		}
	}
	if _, err := w.Undo(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, w)[".planning/STATE.md"]; got != before[".planning/STATE.md"] {
		t.Errorf("undone to %q", got)
	}
}

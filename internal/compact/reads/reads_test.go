package reads

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func begin(t *testing.T) *Ledger {
	t.Helper()
	root := t.TempDir()
	if err := Begin(root, "session"); err != nil {
		t.Fatal(err)
	}
	l := Open(root, "session", "", noon)
	if l == nil {
		t.Fatal("no ledger after the session began")
	}
	return l
}

func numbered(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("line %d of the file, with some words to it", i+1))
	}
	return all
}

func whole(lines []string) string { return strings.Join(lines, "\n") }

// ask reads lines of a file, from 1, and says what the answer would show:
// "whole", "nothing", or the lines.
func ask(t *testing.T, l *Ledger, file []string, first, last int) string {
	t.Helper()
	k := l.Look("/p/f.go", View{First: first, Total: len(file), Text: whole(file[first-1 : last])})
	from, to, ok := k.News()
	var err error
	said := "whole"
	switch {
	case !ok:
		err = k.ShowAll()
	case from == 0:
		said = "nothing"
		err = k.Show(0, 0)
	default:
		said = fmt.Sprintf("%d-%d", from, to)
		err = k.Show(from, to)
	}
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func TestRepeated(t *testing.T) {
	replaced := func(file []string, at ...int) []string {
		file = slices.Clone(file)
		for _, n := range at {
			file[n-1] = "another line in the place of it, and it is about as long"
		}
		return file
	}
	file := numbered(200)
	type step struct {
		file        []string
		first, last int
		want        string
	}
	all := func(f []string, want string) step { return step{f, 1, len(f), want} }
	tests := map[string][]step{
		"nothing new, then once more":     {all(file, "whole"), all(file, "nothing"), all(file, "whole"), all(file, "nothing")},
		"a part of what was shown":        {all(file, "whole"), {file, 50, 150, "nothing"}, {file, 50, 150, "whole"}},
		"another part is no second ask":   {all(file, "whole"), {file, 1, 90, "nothing"}, {file, 100, 190, "nothing"}},
		"a part, then the whole":          {{file, 1, 150, "whole"}, all(file, "148-200")},
		"a part, then one that overlaps":  {{file, 1, 100, "whole"}, {file, 20, 120, "98-120"}},
		"two parts make a whole":          {{file, 1, 100, "whole"}, {file, 101, 200, "whole"}, all(file, "nothing")},
		"a changed line":                  {all(file, "whole"), all(replaced(file, 90), "87-93")},
		"a change at the start":           {all(file, "whole"), all(replaced(file, 1), "1-4")},
		"a change at the end":             {all(file, "whole"), all(replaced(file, 200), "197-200")},
		"two changes, one run":            {all(file, "whole"), all(replaced(file, 90, 110), "87-113")},
		"two changes far apart":           {all(file, "whole"), all(replaced(file, 10, 190), "whole")},
		"lines taken out":                 {all(file, "whole"), all(slices.Delete(slices.Clone(file), 99, 120), "97-103")},
		"the first lines taken out":       {all(file, "whole"), all(file[20:], "1-4")},
		"the last lines taken out":        {all(file, "whole"), all(file[:180], "177-180")},
		"lines put in":                    {all(file, "whole"), all(slices.Insert(slices.Clone(file), 100, "one", "two"), "98-105")},
		"a part of a file that has grown": {all(file, "whole"), {slices.Insert(slices.Clone(file), 100, "one"), 10, 90, "whole"}},
		"a part with a change":            {all(file, "whole"), {replaced(file, 50), 10, 110, "47-53"}},
		"lines that moved":                {all(file, "whole"), all(slices.Concat(file[:20], file[30:150], file[20:30], file[150:]), "whole")},
		"after the rest of a change":      {all(file, "whole"), all(replaced(file, 90), "87-93"), all(replaced(file, 90), "whole"), all(replaced(file, 90), "nothing")},
		"a change after a short answer":   {all(file, "whole"), all(file, "nothing"), all(replaced(file, 90), "87-93"), all(replaced(file, 90, 95), "92-98"), all(replaced(file, 90, 95), "whole")},
		"little is never left out":        {all(file[:20], "whole"), all(file[:20], "whole")},
		"little of a large file":          {all(file, "whole"), {file, 5, 15, "whole"}},
		"an unseen line taken out":        {{file, 1, 150, "whole"}, {file, 160, 200, "whole"}, all(slices.Delete(slices.Clone(file), 150, 159), "148-154")},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			l := begin(t)
			for i, s := range steps {
				if got := ask(t, l, s.file, s.first, s.last); got != s.want {
					t.Errorf("step %d shows %s, want %s", i+1, got, s.want)
				}
			}
		})
	}
}

// What lies too far back, by tokens or by the clock, is shown again; so is all
// of it when the context was replaced, and to another agent or session.
func TestForgotten(t *testing.T) {
	file := numbered(200)
	seen := func(t *testing.T) *Ledger {
		l := begin(t)
		ask(t, l, file, 1, 200)
		return l
	}
	want := func(t *testing.T, l *Ledger, want string) {
		t.Helper()
		if got := ask(t, l, file, 1, 200); got != want {
			t.Errorf("it shows %s, want %s", got, want)
		}
	}
	t.Run("tokens", func(t *testing.T) {
		l := seen(t)
		for range 50 {
			if err := l.Spent(1000); err != nil {
				t.Fatal(err)
			}
		}
		want(t, l, "nothing")
		l = seen(t)
		_ = l.Spent(Far + 1)
		want(t, l, "whole")
	})
	t.Run("a short answer is no sight of it", func(t *testing.T) {
		l := seen(t)
		_ = l.Spent(30_000)
		want(t, l, "nothing")
		if err := l.Changed("/p/f.go", whole(file), whole(file), false); err != nil { // so that the next ask is no second one
			t.Fatal(err)
		}
		_ = l.Spent(30_000)
		want(t, l, "whole")
	})
	t.Run("time", func(t *testing.T) {
		l := seen(t)
		_ = l.Spent(100)
		for range 3 { // at work all the time
			l.now = l.now.Add(50 * time.Minute)
			_ = l.Spent(100)
		}
		want(t, l, "nothing")
		l = seen(t)
		_ = l.Spent(100)
		l.now = noon.Add(61 * time.Minute) // a pause
		want(t, l, "whole")
		_ = l.Spent(100)
		want(t, l, "nothing")
	})
	t.Run("a new context", func(t *testing.T) {
		l := seen(t)
		root := filepath.Dir(filepath.Dir(l.dir))
		if err := Begin(root, "session"); err != nil {
			t.Fatal(err)
		}
		want(t, Open(root, "session", "", noon), "whole")
	})
	t.Run("a subagent", func(t *testing.T) {
		l := seen(t)
		root := filepath.Dir(filepath.Dir(l.dir))
		sub := Open(root, "session", "a0ac03d4a22ff38a3", noon)
		want(t, sub, "whole")
		want(t, sub, "nothing")
		want(t, l, "nothing")
	})
	t.Run("a session whose beginning nobody saw", func(t *testing.T) {
		l := seen(t)
		if Open(filepath.Dir(filepath.Dir(l.dir)), "another", "", noon) != nil {
			t.Error("it has a ledger")
		}
	})
	t.Run("a ledger that is gone", func(t *testing.T) {
		l := seen(t)
		if err := os.RemoveAll(filepath.Dir(l.dir)); err != nil {
			t.Fatal(err)
		}
		k := l.Look("/p/f.go", View{First: 1, Total: 200, Text: whole(file)})
		if _, _, ok := k.News(); ok {
			t.Error("it says what was shown")
		}
		if err := k.ShowAll(); err == nil {
			t.Error("it was kept")
		}
	})
	t.Run("a damaged file", func(t *testing.T) {
		l := seen(t)
		data, err := os.ReadFile(l.file("/p/f.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, broken := range [][]byte{data[:len(data)/2], {}, append(data[:len(data)-20:len(data)-20], make([]byte, 20)...)} {
			if err := os.WriteFile(l.file("/p/f.go"), broken, 0o600); err != nil {
				t.Fatal(err)
			}
			if l.load("/p/f.go") != nil {
				t.Errorf("%d of %d bytes are read", len(broken), len(data))
			}
		}
	})
}

// Old sessions go when another begins, and nothing of a file's text is stored.
func TestBounded(t *testing.T) {
	l := begin(t)
	root := filepath.Dir(filepath.Dir(l.dir))
	ask(t, l, numbered(200), 1, 200)
	old := time.Now().Add(-sessions - time.Hour)
	if err := os.Chtimes(filepath.Dir(l.dir), old, old); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(l.file("/p/f.go"))
	if len(data) == 0 || strings.Contains(string(data), "some words") {
		t.Errorf("%d bytes are kept, with text in them", len(data))
	}
	if err := Begin(root, "next"); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(root); len(left) != 1 {
		t.Errorf("%d sessions are left", len(left))
	}
	next := Open(root, "next", "", noon)
	ask(t, next, numbered(mostLines+1), 1, mostLines+1)
	if got := ask(t, next, numbered(mostLines+1), 1, mostLines+1); got != "whole" {
		t.Errorf("a file of %d lines shows %s", mostLines+1, got)
	}
}

// reader is a model that follows its eyes: what it believes a file to be, line
// by line, "" for what it was never shown.
type reader struct{ lines []string }

// follow takes an answer in as it reads.
func (r *reader) follow(said string, file []string, first, last int) {
	var from, to int
	switch said {
	case "whole":
		from, to = first, last
	case "nothing":
		return
	default:
		fmt.Sscanf(said, "%d-%d", &from, &to)
	}
	shown := file[from-1 : to]
	switch {
	case first == 1 && last == len(file): // the whole file was read
		var head, tail []string
		if said != "whole" {
			head, tail = r.lines[:from-1], r.lines[len(r.lines)-(last-to):]
		}
		r.lines = slices.Concat(head, shown, tail)
	case len(r.lines) != len(file):
		r.lines = make([]string, len(file))
		fallthrough
	default:
		r.lines = slices.Clone(r.lines)
		copy(r.lines[from-1:], shown)
	}
}

// Whatever happens to a file, by the agent or by others, a model that believes
// what it is told has the file's true text.
func TestFollowsItsEyes(t *testing.T) {
	told := map[string]int{}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		l := begin(t)
		file := numbered(80 + rng.IntN(120))
		for i := range file {
			if rng.IntN(3) == 0 {
				file[i] = []string{"}", "\t}", "", "return nil", "\tif err != nil { return fmt.Errorf(\"reading: %w\", err) }"}[rng.IntN(5)]
			}
		}
		var r reader
		history := ""
		for step := range 12 {
			switch rng.IntN(7) {
			case 0, 1: // by others
				file = changed(rng, file, step)
				history += " other"
			case 2, 3: // by the agent, where it knows the lines
				if len(r.lines) != len(file) || slices.Contains(r.lines, "") && !slices.Equal(r.lines, file) {
					continue
				}
				if !slices.Equal(r.lines, file) {
					continue // the host would not let it
				}
				after := changed(rng, file, step)
				if err := l.Changed("/p/f.go", whole(file), whole(after), false); err != nil {
					t.Fatal(err)
				}
				file, r.lines = after, after
				history += " own"
			default:
				first, last := 1, len(file)
				if rng.IntN(2) == 0 {
					first = 1 + rng.IntN(len(file)/2)
					last = min(len(file), first+55+rng.IntN(60))
				}
				said := ask(t, l, file, first, last)
				told[strings.TrimRight(said, "0123456789-")]++
				history += fmt.Sprintf(" %d-%d:%s", first, last, said)
				if said == "nothing" && (len(r.lines) != len(file) || !slices.Equal(r.lines[first-1:last], file[first-1:last])) {
					t.Fatalf("seed %d, step %d: it is told that nothing is new, and does not know the lines:%s", seed, step, history)
				}
				r.follow(said, file, first, last)
				if !slices.Equal(r.lines[first-1:last], file[first-1:last]) {
					t.Fatalf("seed %d, step %d: it believes in another text:%s", seed, step, history)
				}
			}
		}
	}
	if told["nothing"] < 100 || told[""] < 50 || told["whole"] < 100 {
		t.Errorf("answers by kind: %v", told)
	}
}

// changed is the file with a few lines replaced, put in or taken out.
func changed(rng *rand.Rand, file []string, step int) []string {
	file = slices.Clone(file)
	for range 1 + rng.IntN(2) {
		at := rng.IntN(len(file) - 6)
		n := rng.IntN(5)
		var put []string
		for i := range rng.IntN(5) {
			put = append(put, []string{"}", "return nil", fmt.Sprintf("new %d.%d of step %d", at, i, step)}[rng.IntN(3)])
		}
		file = slices.Replace(file, at, at+n, put...)
	}
	return file
}

// Hooks of parallel calls run at once: what one loses is shown again, and what
// is kept was shown.
func TestAtOnce(t *testing.T) {
	l := begin(t)
	file := numbered(200)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			first := 1 + 100*(i%2)
			k := l.Look("/p/f.go", View{First: first, Total: 200, Text: whole(file[first-1 : first+99])})
			if _, _, ok := k.News(); ok {
				return
			}
			if err := k.ShowAll(); err != nil {
				t.Error(err)
			}
			if err := l.Spent(10); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	known := l.load("/p/f.go")
	if known == nil || len(known.lines) != 200 {
		t.Fatalf("nothing is kept: %v", known)
	}
	seen := 0
	for i, h := range hashes(whole(file)) {
		if known.lines[i].hash == h {
			seen++
		} else if known.lines[i].hash != 0 {
			t.Errorf("line %d is another", i+1)
		}
	}
	if seen < 100 {
		t.Errorf("%d lines are known", seen)
	}
	if got := l.clock(); got%10 != 0 || got > 160 {
		t.Errorf("%d tokens were counted", got)
	}
}

// What the agent writes it knows; what is left of a line that it never saw it
// does not.
func TestOwnChanges(t *testing.T) {
	file := numbered(200)
	t.Run("an edit", func(t *testing.T) {
		l := begin(t)
		ask(t, l, file, 1, 200)
		after := slices.Replace(slices.Clone(file), 100, 103, "its own line", "and another")
		if err := l.Changed("/p/f.go", whole(file), whole(after), false); err != nil {
			t.Fatal(err)
		}
		k := l.Look("/p/f.go", View{First: 1, Total: len(after), Text: whole(after)})
		if !k.Edited() {
			t.Error("the change is not known")
		}
		if got := ask(t, l, after, 1, len(after)); got != "nothing" {
			t.Errorf("after its own edit it gets %s", got)
		}
		// A formatter makes another of it.
		l = begin(t)
		ask(t, l, file, 1, 200)
		_ = l.Changed("/p/f.go", whole(file), whole(after), false)
		formatted := slices.Clone(after)
		formatted[100] = "its own line, formatted"
		if got := ask(t, l, formatted, 1, len(after)); got != "98-104" {
			t.Errorf("after the formatter it gets %s", got)
		}
	})
	t.Run("an edit where it has not looked", func(t *testing.T) {
		l := begin(t)
		ask(t, l, file, 1, 149)
		ask(t, l, file, 151, 200)
		after := slices.Clone(file)
		after[149] = "part of this line it never saw"
		_ = l.Changed("/p/f.go", whole(file), whole(after), false)
		if got := ask(t, l, after, 1, 100); got != "nothing" {
			t.Errorf("of the lines that it saw it gets %s", got)
		}
		if got := ask(t, l, after, 101, 200); got != "147-153" {
			t.Errorf("of the others it gets %s", got)
		}
	})
	t.Run("an edit of a file that others changed too", func(t *testing.T) {
		l := begin(t)
		ask(t, l, file, 1, 200)
		before := slices.Insert(slices.Clone(file), 20, "by others")
		after := slices.Clone(before)
		after[150] = "its own"
		_ = l.Changed("/p/f.go", whole(before), whole(after), false)
		if got := ask(t, l, after, 1, len(after)); got != "18-24" {
			t.Errorf("it gets %s", got)
		}
	})
	t.Run("a file that it wrote", func(t *testing.T) {
		l := begin(t)
		if err := l.Changed("/p/f.go", "", whole(file), true); err != nil {
			t.Fatal(err)
		}
		if got := ask(t, l, file, 1, 200); got != "nothing" {
			t.Errorf("it gets %s", got)
		}
	})
	t.Run("an edit of a file that it never read", func(t *testing.T) {
		l := begin(t)
		_ = l.Changed("/p/f.go", whole(file), whole(file[:150]), false)
		if got := ask(t, l, file[:150], 1, 150); got != "whole" {
			t.Errorf("it gets %s", got)
		}
	})
}

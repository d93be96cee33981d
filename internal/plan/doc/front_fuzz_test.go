package doc

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// FuzzFront holds for every file and value: nothing panics, what is set is
// read back, only the lines of the key change, and removing a new key
// restores the file.
func FuzzFront(f *testing.F) {
	files, _ := filepath.Glob("testdata/front/*.md")
	for _, name := range files {
		b, _ := os.ReadFile(name)
		f.Add(string(b), "new", "v")
		f.Add(string(b), "must_haves.truths", "a: b\nc\n")
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		f.Add("---\n"+makeYAML(r)+"---\n", "k0.k1", makeScalar(r, false))
	}
	for _, s := range []string{"---\na: [b,\n{\n---\n", "---\na: |9+\n\n - \"\\x\n---", "---\n? a\n: b\n- c\n---\r\n", "---\n{a\n---\n", "---\na: \"b\n c\\\n---\n"} {
		f.Add(s, "a", "x")
	}
	f.Fuzz(func(t *testing.T, s, key, value string) {
		d := Parse([]byte(s))
		hadFront := d.Front() != nil
		path := strings.Split(key, ".")
		isNew, parent := d.Front().Get(path...) == nil, d.Front().Get(path[:len(path)-1]...)
		before := d.Clone()
		if err := d.SetFront(value, path...); err != nil {
			if string(d.Bytes()) != s {
				t.Fatalf("an error changed the file: %v", err)
			}
			return
		}
		got := d.Front().Get(path...)
		if got == nil || got.Value != value {
			t.Fatalf("%q is %+v after\n%s", key, got, d)
		}
		if string(d.Bytes()) == s {
			return
		}
		from, end := changed(before, d)
		if hadFront && (from < 1 || end > d.Body()-1) {
			t.Fatalf("lines %d to %d changed in\n%s", from, end, d)
		}
		if hadFront && !isNew && (from < got.key.line && from < end || end > got.end.line+1) {
			t.Fatalf("lines %d to %d changed for %d to %d in\n%s", from, end, got.key.line, got.end.line, d)
		}
		if isNew && hadFront && parent != nil && parent.Kind == Map {
			if d.UnsetFront(path...); string(d.Bytes()) != s {
				t.Fatalf("%q became %q", s, d.Bytes())
			}
		}
	})
}

// changed returns the lines of b, [from, end), that are not in a too.
func changed(a, b *Text) (from, end int) {
	for from < a.Len() && from < b.Len() && a.lines[from] == b.lines[from] {
		from++
	}
	end = b.Len()
	for k := a.Len(); end > from && k > from && a.lines[k-1] == b.lines[end-1]; k-- {
		end--
	}
	return from, end
}

// What is hostile takes no longer than what is long.
func TestFrontIsLinear(t *testing.T) {
	for _, line := range []string{"a: b\n", "k%d: v\n", "  more\n", "- [a,\n", "- [\n", "- {a\n", "- \"x\n", "  a: 'x\n", "a:\n", "\n", "#\n", "- - - a\n", "? a\n", "x: [a,\n  b\n", "k%d: {a: [\n", "- |\n", "\ta\n"} {
		var b strings.Builder
		for i := range 10_000 {
			b.WriteString(strings.Replace(line, "%d", strconv.Itoa(i), 1))
		}
		for _, head := range []string{"", "k: [\n"} {
			d := Parse([]byte("---\n" + head + b.String() + "---\n"))
			before := d.String()
			if d.Front().JSON() == nil {
				t.Errorf("%q: nothing was read", head+line)
			}
			if err := d.SetFront("x", "new"); err == nil && !d.UnsetFront("new") || d.String() != before {
				t.Errorf("%q: a new key stays", head+line)
			}
		}
	}
}

package record

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestChores(t *testing.T) {
	var b strings.Builder
	b.WriteString("Listing 'lib'...\n")
	for i := range 8 {
		fmt.Fprintf(&b, "Compiling 'lib/a/m%d.py'...\n", i)
	}
	b.WriteString("*** Error compiling 'lib/a/m7.py'...\n")
	b.WriteString("adding 'pkg/a.py'\nadding 'pkg/b.py'\nall done\n")
	recs := parse(t, "", b.String())
	equal(t, groups(recs), "Listing : lib", "Compiling lib/a/: m0.py", "Compiling lib/a/: m1.py", "Compiling lib/a/: m2.py", "Compiling lib/a/: m3.py",
		"Compiling lib/a/: m4.py", "Compiling lib/a/: m5.py", "Compiling lib/a/: m6.py")
	equal(t, shown(recs, Body, Failure), "Compiling 'lib/a/m7.py'...", "*** Error compiling 'lib/a/m7.py'...", "adding 'pkg/a.py'", "adding 'pkg/b.py'", "all done")
	for line, want := range map[string]string{
		"  inflating: app/lib/x.jar": "inflating app/lib/x.jar", "Copying a.txt": "Copying a.txt", "Nothing to do": "", "Building wheels for collected packages": "",
		"Missing semicolon.": "", "writing manifest file 'a/b'": "", "error: a/b.c": "", "Downloading 12.5%": "", "Testing 3/10": "", "Installing x-1.2.3": "", "Waiting 0.5s": "", "Ending https://a/b?c=d": "",
	} {
		doing, name := chore(line)
		if got := strings.TrimSpace(doing + " " + name); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	scramble(t, "", b.String())
}

func TestPairs(t *testing.T) {
	recs := parse(t, "pairs", "app a@1\napp b@2\nb@2 c@3\ngo: downloading x v1\n")
	equal(t, groups(recs), "app : a@1", "app : b@2", "b@2 : c@3")
	equal(t, rows(recs), "go: downloading x v1")
}

func TestSizes(t *testing.T) {
	var rising, mixed strings.Builder
	for i := range 15 {
		fmt.Fprintf(&rising, "%dK\t./lib/d%d\n", i+1, i)
		fmt.Fprintf(&mixed, "%dK\t./lib/d%d\n", i*7%5+1, i)
	}
	equal(t, groups(parse(t, "sizes", rising.String())))
	recs := parse(t, "sizes", mixed.String()+"88K\t./lib\n2K\t./bin\n88K\t.\n9K\tx/y\ndu: ./x: Permission denied\n")
	all := groups(recs)
	equal(t, append(all[:2:2], all[15:]...), "./lib/: 1K d0", "./lib/: 3K d1", "./: 88K lib", "./: 2K bin")
	equal(t, shown(recs, Keep), "88K\t.", "9K\tx/y", "du: ./x: Permission denied")
	if n := len(groups(parse(t, "sizes", mixed.String()[:60]))); n > 0 {
		t.Errorf("%d of a few are folded", n)
	}
	scramble(t, "sizes", mixed.String())
}

// Of sizes that are sorted those with one figure in one directory are one row, in
// their place; of a long list the largest stand first and the others by directory.
func TestSortedSizes(t *testing.T) {
	var few, many, rising strings.Builder
	for i := range 15 {
		fmt.Fprintf(&few, "%dK\t./lib/%c/f%d\n", 9-i/5, 'a'+i%2, i)
	}
	equal(t, rows(parse(t, "sizes", few.String())), "9K ./lib/a/{f0,f2,f4}", "9K ./lib/b/{f1,f3}", "8K ./lib/b/{f5,f7,f9}", "8K ./lib/a/{f6,f8}", "7K ./lib/a/{f10,f12,f14}", "7K ./lib/b/{f11,f13}")
	for i := range 200 {
		fmt.Fprintf(&many, "  %d ./a/directory/with/%c/and/more/file%d.go\n", 1000-i, 'a'+i%2, i)
		fmt.Fprintf(&rising, "  %d ./a/directory/with/%c/and/more/file%d.go\n", 1000+i, 'a'+i%2, i)
	}
	recs := parse(t, "sizes", many.String())
	if got := rows(recs); len(got) != topSizes || got[0] != "1000 ./a/directory/with/a/and/more/file0.go" {
		t.Errorf("%d rows: %q", len(got), got)
	}
	if got := groups(recs); len(got) != 200-topSizes || got[0] != "./a/directory/with/a/and/more/: 980 file20.go" {
		t.Errorf("%d rows by directory: %q", len(got), got[0])
	}
	if got := shown(recs, Keep); !slices.Contains(got, "[… all but the 20 largest by directory, in their order …]") {
		t.Errorf("the order is not told: %q", got)
	}
	recs = parse(t, "sizes", rising.String())
	if got := rows(recs); len(got) != topSizes || got[topSizes-1] != "1199 ./a/directory/with/b/and/more/file199.go" {
		t.Errorf("%d rows: %q", len(got), got)
	}
	scramble(t, "sizes", many.String())
}

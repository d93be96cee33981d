package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var goFile = strings.Split(`package cart

// Total adds up the prices.
func Total(prices []int, discount int) int {
	total := 0
	for _, price := range prices {
		total += price
	}
	if discount > total {
		return 0
	}
	return total - discount
}
`, "\n")

// A fault is one line, in code, that a slip explains.
func TestRandomFault(t *testing.T) {
	t.Parallel()
	files := map[string][]string{"cart.go": goFile}
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := map[string]int{}
	for range 5000 {
		f, ok := randomFault(rng, "go", files)
		if !ok {
			continue
		}
		kinds[f.kind]++
		if f.was != goFile[f.line-1] || f.now == f.was || f.line == 3 || strings.TrimSpace(f.was) == "" {
			t.Errorf("%+v", f)
		}
	}
	for _, k := range faultKinds {
		if kinds[k.name] == 0 && k.name != "missing quote" {
			t.Errorf("no %s", k.name)
		}
	}
}

// The repairer finds the line by what the tool says, in its own form and in that of a
// list of places, and by nothing else.
func TestRepairer(t *testing.T) {
	t.Parallel()
	is := func(file, was, now, said string) bool {
		lines := slices.Clone(goFile)
		at := slices.Index(lines, was)
		lines[at] = now
		r := repairer{language: "go", files: map[string][]string{file: lines}, words: vocabulary("go", map[string][]string{file: lines})}
		return slices.Contains(r.read(said), repair{file, at + 1, was})
	}
	slip := [2]string{"\treturn total - discount", "\treturn total - dicount"}
	for said, want := range map[string]bool{
		"./cart.go:12:17: undefined: dicount\n":            true,
		"cart.go\n (12,17): oops\n":                        true,
		"cart.go(3,1)(12,17): oops\n":                      false, // no form of Go's
		"cart.go:2:1: undefined: dicount":                  true,  // the name is there once
		"cart.go:2:1: undefined: discount":                 true,  // and is a slip of this one
		"cart.go:2:1: oops":                                false,
		"/home/dev/shop/cart.go:12:17: undefined: dicount": true,
		"cart.go\n  12:17  undefined: dicount\n":           true,
		"a.go:3, cart.go:4:1, :12:17: undefined: dicount":  true,
		"error: undefined: dicount":                        true,
		"undefined: dicount":                               false,
		"cart.go:5:17: oops":                               false,
		"other/heart.go:12:17: oops":                       false,
		"":                                                 false,
	} {
		if got := is("cart.go", slip[0], slip[1], said); got != want {
			t.Errorf("%q: repaired %v", said, got)
		}
	}
	for now, was := range map[string]string{
		"func Total(prices []int, discount int int {": "func Total(prices []int, discount int) int {",
		"\tfor _, price := range prices":              "\tfor _, price := range prices {",
	} {
		if at := slices.Index(goFile, was); !is("cart.go", was, now, fmt.Sprintf("cart.go:%d:3: syntax error", at+1)) {
			t.Errorf("%q is not repaired", now)
		}
	}
}

func TestSlip(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"discont": true, "dicsount": true, "discount": false, "discounts": false, "discnt": false} {
		if slip("discount", text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// A bracket that a line of its own lacks is noticed further below; the indentation says
// where it is.
func TestUnbalanced(t *testing.T) {
	t.Parallel()
	two := strings.Split("package cart\n\nfunc one() {\n\tif ok {\n\t\tcall(func() {\n\t\t\tx()\n\t\t})\n\t}\n}\n\nfunc two() {\n}\n", "\n")
	for now, was := range map[string]string{"\t": "\t}", "": "}", "\t\t}": "\t\t})", "\tif ok": "\tif ok {"} {
		lines := slices.Clone(two)
		at := slices.Index(lines, was)
		lines[at] = now
		r := repairer{language: "go", files: map[string][]string{"cart.go": lines}, words: vocabulary("go", map[string][]string{"cart.go": lines})}
		if said := "cart.go:11:6: syntax error: unexpected name two"; !slices.Contains(r.read(said), repair{"cart.go", at + 1, was}) {
			t.Errorf("%q is not repaired", now)
		}
		if said := "cart.go:11:6: too long"; slices.Contains(r.read(said), repair{"cart.go", at + 1, was}) {
			t.Errorf("%q is repaired, though no message says that the syntax is wrong", now)
		}
	}
	if all := gaps("go", two, len(two)-1); all != nil {
		t.Errorf("%v", all)
	}
}

// A quote that is missing is the end of a string or its beginning; a column says where a
// bracket is missing.
func TestRepairs(t *testing.T) {
	t.Parallel()
	r := repairer{language: "go", words: map[string]int{}}
	for _, c := range []struct {
		now, was string
		column   int
	}{
		{`	s = strings.Trim(s, "[])`, `	s = strings.Trim(s, "[]")`, 0},
		{`	s = strings.Trim(s, []")`, `	s = strings.Trim(s, "[]")`, 0},
		{`	s = a[b[c(d(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)]]`, `	s = a[b[c(d(1), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)]]`, 16},
	} {
		if !slices.Contains(r.repairs(c.now, c.column), c.was) {
			t.Errorf("%q is not repaired: %q", c.now, r.repairs(c.now, c.column))
		}
	}
}

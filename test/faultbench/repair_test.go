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
		r := repairer{language: "go", files: map[string][]string{file: lines}, words: vocabulary("go", map[string][]string{file: goFile})}
		return slices.Contains(r.read(said), repair{file, at + 1, was})
	}
	slip := [2]string{"\treturn total - discount", "\treturn total - dicount"}
	for said, want := range map[string]bool{
		"./cart.go:12:17: undefined: dicount\n":            true,
		"/home/dev/shop/cart.go:12:17: undefined: dicount": true,
		"cart.go\n  12:17  undefined: dicount\n":           true,
		"a.go:3, cart.go:4:1, :12:17: undefined: dicount":  true,
		"cart.go:5:17: undefined: dicount":                 false,
		"undefined: dicount":                               false,
		"other/heart.go:12:17: undefined: dicount":         false,
		"": false,
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

// The table counts what was repaired from one of the two only.
func TestSum(t *testing.T) {
	t.Parallel()
	s := &sum{}
	for _, o := range []outcome{{Whole: true, Cut: true, Before: 100, After: 10}, {Whole: true, Before: 50, After: 50}, {Before: 50, After: 0}} {
		s.add(o)
	}
	if got := s.row("x"); got != "x\t3\t2\t1\t1\t0\t200\t60\t70.0 %\t" {
		t.Errorf("%q", got)
	}
}

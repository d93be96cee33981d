package install

import (
	"fmt"
	"strings"
)

const diffContext = 3

// Diff returns what the plan changes, as unified diffs; "" when nothing.
func (p *Plan) Diff() string {
	var b strings.Builder
	for _, c := range p.Settings {
		if c.Changed() {
			b.WriteString(diff(c.Path, c.Before, c.After))
		}
	}
	for _, f := range p.Files {
		b.WriteString(diff(f.Name, f.Before, f.After))
	}
	return b.String()
}

// diff is of one file; nil is no file.
func diff(name string, before, after []byte) string {
	from, to := name, name
	if before == nil {
		from = "/dev/null"
	}
	if after == nil {
		to = "/dev/null"
	}
	return fmt.Sprintf("--- %s\n+++ %s\n", from, to) + unified(lines(before), lines(after))
}

// lines splits a text into lines with their ends; one without is marked.
func lines(text []byte) []string {
	all := strings.SplitAfter(string(text), "\n")
	if last := len(all) - 1; all[last] == "" {
		all = all[:last]
	} else {
		all[last] += "\n\\ no newline at end of file\n"
	}
	return all
}

// A step is one line of an edit script.
type step struct {
	op   byte // ' ', '-' or '+'
	line string
}

// unified renders the changes with some lines around each, under headings
// that say where in a and b they are.
func unified(a, b []string) string {
	script := editScript(a, b)
	var out strings.Builder
	atA, atB := 0, 0
	for i := 0; i < len(script); {
		if script[i].op == ' ' {
			i, atA, atB = i+1, atA+1, atB+1
			continue
		}
		start := max(0, i-diffContext)
		for back := i; back > start; back-- {
			if script[back-1].op != ' ' {
				start = back
			}
		}
		end := hunkEnd(script, i)
		atA, atB = atA-(i-start), atB-(i-start)
		nA, nB := 0, 0
		var body strings.Builder
		for _, s := range script[start:end] {
			if s.op != '+' {
				nA++
			}
			if s.op != '-' {
				nB++
			}
			body.WriteByte(s.op)
			body.WriteString(s.line)
		}
		fmt.Fprintf(&out, "@@ -%s +%s @@\n%s", extent(atA, nA), extent(atB, nB), body.String())
		i, atA, atB = end, atA+nA, atB+nB
	}
	return out.String()
}

// hunkEnd returns the end of the hunk that has the change at i: changes with
// little between them share one.
func hunkEnd(script []step, i int) int {
	end := i
	for j := i; j < len(script) && j <= end+2*diffContext; j++ {
		if script[j].op != ' ' {
			end = j
		}
	}
	return min(len(script), end+1+diffContext)
}

func extent(at, n int) string {
	if n > 0 {
		at++
	}
	return fmt.Sprintf("%d,%d", at, n)
}

// editScript is a shortest one (Myers 1986), in time and memory of the number
// of changed lines, which are few in a settings file however long it is.
func editScript(a, b []string) []step {
	n, m := len(a), len(b)
	furthest := map[int]int{1: 0} // diagonal → how far in a
	var trace []map[int]int
	d := 0
search:
	for ; ; d++ {
		copied := make(map[int]int, 2*d+2)
		for k := -d - 1; k <= d+1; k++ {
			if x, ok := furthest[k]; ok {
				copied[k] = x
			}
		}
		trace = append(trace, copied)
		for k := -d; k <= d; k += 2 {
			x := stepDown(furthest, k, d)
			for x < n && x-k < m && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			furthest[k] = x
			if x >= n && x-k >= m {
				break search
			}
		}
	}
	var reversed []step
	x, y := n, m
	for ; d >= 0; d-- {
		k := x - y
		px := stepDown(trace[d], k, d)
		down := k == -d || k != d && trace[d][k-1] < trace[d][k+1]
		for x > px && y > px-k {
			x, y = x-1, y-1
			reversed = append(reversed, step{' ', a[x]})
		}
		switch {
		case d == 0:
		case down:
			y--
			reversed = append(reversed, step{'+', b[y]})
		default:
			x--
			reversed = append(reversed, step{'-', a[x]})
		}
	}
	script := make([]step, 0, len(reversed))
	for i := len(reversed) - 1; i >= 0; i-- {
		script = append(script, reversed[i])
	}
	return script
}

// stepDown returns where diagonal k begins after one more change: a line of b
// taken in, or a line of a left out.
func stepDown(furthest map[int]int, k, d int) int {
	if k == -d || k != d && furthest[k-1] < furthest[k+1] {
		return furthest[k+1]
	}
	return furthest[k-1] + 1
}

package prefix

import (
	"fmt"
	"strings"
	"testing"
)

// rows are lines of nobody in particular, which begin alike as front says.
func rows(n int, front func(i int) string) (ls []string) {
	for i := range n {
		ls = append(ls, front(i)+[]string{"compiling the parser", "  with two warnings", "done after a while", ""}[i%4])
	}
	return ls
}

// The longest prefix that is learnt is the one that was put there.
func TestLearn(t *testing.T) {
	names := []string{"api-1", "worker-1", "db-1"}
	for shape, front := range map[string]func(i int) string{
		"iso":       func(i int) string { return fmt.Sprintf("2026-03-04T10:%02d:%02d.123Z ", i/60, i%60) },
		"zone":      func(i int) string { return fmt.Sprintf("[2026-03-04 10:%02d:%02d,123 +0100] ", i/60, i%60) },
		"apache":    func(i int) string { return fmt.Sprintf("04/Mar/2026:10:%02d:%02d +0000 ", i/60, i%60) },
		"syslog":    func(i int) string { return fmt.Sprintf("Mar  4 10:%02d:%02d ", i/60, i%60) },
		"ctime":     func(i int) string { return fmt.Sprintf("[Wed Mar  4 10:%02d:%02d 2026] ", i/60, i%60) },
		"dmesg":     func(i int) string { return fmt.Sprintf("[%12.6f] ", float64(i)*1.7) },
		"relative":  func(i int) string { return fmt.Sprintf("+%d.%03ds ", i/9, i%9*111) },
		"buildkite": func(i int) string { return fmt.Sprintf("_bk;t=17726184%05d", i*3) },
		"services": func(i int) string {
			return fmt.Sprintf("%-8s | ", names[i/3%3])
		},
		"numbered": func(i int) string { return fmt.Sprintf("[%d] ", i/5%2) },
		"pods":     func(i int) string { return fmt.Sprintf("[pod/%s/app] ", names[i/2%3]) },
		"packages": func(i int) string { return fmt.Sprintf("packages/%s test: ", names[i/4%3]) },
		"steps": func(i int) string {
			return fmt.Sprintf("unit\tRun the %s\t2026-03-04T10:00:%02dZ ", names[i/20%3], i%60)
		},
		"padded": func(i int) string {
			return fmt.Sprintf("10:%02d:%02d [%-5s] ", i/60, i%60, []string{"api", "db"}[i/3%2])
		},
		"arrow": func(i int) string { return names[i/3%3] + " > " },
	} {
		ls := rows(120, front)
		layouts := Learn(ls)
		if len(layouts) == 0 {
			t.Errorf("%s: nothing is learnt from %q", shape, ls[0])
			continue
		}
		found := false
		for _, l := range layouts {
			good := 0
			for i, s := range ls {
				if cut, ok := l.Cut(strings.TrimRight(s, " ")); ok && cut.Text == s[len(front(i)):] {
					good++
				}
			}
			found = found || good == len(ls)
		}
		if !found {
			cut, _ := layouts[len(layouts)-1].Cut(ls[1])
			t.Errorf("%s: %q is cut into %q", shape, ls[1], cut)
		}
	}
}

// What a line says is no prefix.
func TestLearnNothing(t *testing.T) {
	for shape, row := range map[string]func(i int) string{
		"places":   func(i int) string { return fmt.Sprintf("src/file%d.go:%d: undefined: x", i%7, i) },
		"sentence": func(i int) string { return fmt.Sprintf("item %d: the %d. row", i, i) },
		"frames":   func(i int) string { return fmt.Sprintf("%4d | let x = %d", i, i) },
		"table":    func(i int) string { return fmt.Sprintf("row%d | %d | x", i, i) },
		"counts":   func(i int) string { return fmt.Sprintf("%d\tfile%d", i*i%17, i) },
	} {
		var ls []string
		for i := range 120 {
			ls = append(ls, row(i))
		}
		if layouts := Learn(ls); len(layouts) > 0 {
			cut, _ := layouts[0].Cut(ls[5])
			t.Errorf("%s: %q is cut into %q", shape, ls[5], cut)
		}
	}
}

// A name that was not there at first is taken if it looks like the others; what a
// tool says with a colon is not.
func TestNewName(t *testing.T) {
	layouts := Learn(rows(60, func(i int) string { return "@shop/" + []string{"api", "web"}[i/3%2] + ": " }))
	if len(layouts) != 1 {
		t.Fatalf("%d layouts", len(layouts))
	}
	for s, want := range map[string]bool{"@shop/db: ready": true, "error: no such file": false, "Error: x": false, "ready": false} {
		if _, ok := layouts[0].Cut(s); ok != want {
			t.Errorf("%q: %v", s, ok)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("a: b\na: c\n", "a: d")
	f.Add("[1] x\n[1] y\n", "[2")
	f.Add("10:00:00 [web] x\n", "\ufeff10:00")
	f.Fuzz(func(t *testing.T, sample, line string) {
		var ls []string
		for range 8 {
			ls = append(ls, strings.Split(sample, "\n")...)
		}
		for _, l := range Learn(ls) {
			if cut, _ := l.Cut(line); !strings.HasSuffix(line, cut.Text) {
				t.Errorf("%q is no end of %q", cut.Text, line)
			}
		}
	})
}

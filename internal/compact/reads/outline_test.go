package reads

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// source makes a file of n blocks, each a head line and what is below it.
func source(n int, before, head, line, end string) string {
	var b strings.Builder
	b.WriteString(before)
	for i := range n {
		fmt.Fprintf(&b, head+"\n", i)
		for j := range 12 {
			fmt.Fprintf(&b, line+"\n", i*j)
		}
		b.WriteString(end + "\n")
	}
	return b.String()
}

// The outline names each block below the part that is shown by its true line
// number, in whatever language, and nothing else.
func TestOutline(t *testing.T) {
	for name, text := range map[string]string{
		"a.go":  source(60, "package a\n\nimport \"fmt\"\n\n", "func part%d(x int) error {", "\tx += %d // if for while", "}\n"),
		"a.py":  source(60, "import os\n\n", "def part%d(x):", "    x += %d", ""),
		"a.ex":  source(60, "defmodule A do\n  use B\n\n", "  def part%d(x) do", "    x + %d", "  end\n"),
		"a.ts":  source(60, "export class A {\n", "  async part%d(x: number) {", "    if (x) { x += %d }", "  }\n"),
		"a.md":  source(60, "# Title\n\n", "## part%d of it", "Words about %d and more of them, so that it is long.", ""),
		"a.css": source(60, "/* all */\n", ".part%d {", "  margin: %dpx;", "}\n"),
	} {
		dir := filepath.Join(t.TempDir(), "reads")
		if err := Begin(dir, "s"); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(text, "\n")
		look := Open(dir, "s", "", time.Now()).Look("/p/"+name, View{First: 1, Total: len(lines), Text: text})
		short, to, ok := look.Outline()
		if !ok || to == 0 || len(short)*2 > len(text) {
			t.Errorf("%s: %d of %d bytes, ok %v", name, len(short), len(text), ok)
			continue
		}
		head, outline, _ := strings.Cut(short, "\n[cairn: ")
		if head != strings.Join(lines[:to], "\n") || strings.Contains(outline, "\n") {
			t.Errorf("%s: not the first %d lines and one of ours:\n%s", name, to, short)
		}
		_, outline, _ = strings.Cut(outline, "In them: ")
		named := 0
		for e := range strings.SplitSeq(strings.TrimSuffix(outline, "]"), "; ") {
			var n int
			if _, err := fmt.Sscan(e, &n); err != nil || n <= to || n > len(lines) || !strings.Contains(lines[n-1], "part") || !strings.Contains(e, "part") {
				t.Errorf("%s: entry %q", name, e)
			}
			named++
		}
		if want := strings.Count(text, "part") - strings.Count(head, "part"); named != want {
			t.Errorf("%s: %d of %d blocks are named", name, named, want)
		}
	}
}

// What has no blocks, is small, was shown before, or was asked for in part is
// shown as it is.
func TestNoOutline(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reads")
	if err := Begin(dir, "s"); err != nil {
		t.Fatal(err)
	}
	l := Open(dir, "s", "", time.Now())
	long := source(60, "", "func part%d() {", "\tx += %d", "}")
	n := strings.Count(long, "\n") + 1
	if err := l.Look("/p/seen.go", View{1, n, long}).ShowAll(); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]View{
		"/p/prose.txt": {1, 400, strings.Repeat("Words that say something about it.\n", 399) + "end"},
		"/p/small.go":  {1, 60, source(4, "", "func part%d() {", "\tx += %d", "}")},
		"/p/seen.go":   {1, n, long + "\n"},
		"/p/part.go":   {21, n + 20, long},
		"/p/start.go":  {1, n + 900, long},
	} {
		if short, _, ok := l.Look(name, v).Outline(); ok {
			t.Errorf("%s: %s", name, short)
		}
	}
}

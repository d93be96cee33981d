package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// pages are all Markdown that people read, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "changelog/*.md", "changelog/*/*.md", "examples/*/*.md", "examples/*/*/*.md"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.ToSlash(name)] = string(text)
		}
	}
	return all
}

// Every relative link leads to a file that is there, and to a heading of it.
func TestLinks(t *testing.T) {
	all := pages(t)
	link := regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"`)
	checked := 0
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(prose(text), -1) {
			target := m[1] + m[2]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			checked++
			file, heading, _ := strings.Cut(target, "#")
			path := name
			if file != "" {
				path = filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %s leads nowhere", name, target)
				continue
			}
			if page, ok := all[path]; ok && heading != "" && !headings(page)[heading] {
				t.Errorf("%s: %s has no heading #%s", name, path, heading)
			}
		}
	}
	if checked < 150 {
		t.Errorf("only %d links were found", checked)
	}
}

// Every page is in the index.
func TestPagesIndex(t *testing.T) {
	index, err := os.ReadFile("docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob("docs/*.md")
	for _, name := range names {
		if name = filepath.Base(name); name != "README.md" && !strings.Contains(string(index), "]("+name+")") {
			t.Errorf("docs/README.md does not lead to %s", name)
		}
	}
}

// prose is a page without its code.
func prose(text string) string {
	var out strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if !fenced {
			out.WriteString(line)
		}
	}
	return regexp.MustCompile("`[^`\n]+`").ReplaceAllStringFunc(out.String(), func(code string) string {
		return strings.NewReplacer("](", "] (").Replace(code)
	})
}

// headings are the names by which GitHub links to a page's headings.
func headings(text string) map[string]bool {
	found := map[string]bool{}
	for line := range strings.Lines(prose(text)) {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		found[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(title))] = true
	}
	return found
}

// The recorded sessions are pictures that need nothing else, small, in both
// themes, and show no path or name of the machine that made them.
func TestSessionPictures(t *testing.T) {
	for name, wants := range map[string][]string{
		"docs/session.svg": {"cairn run --quiet", "tariff_test.go:42", "cairn eval compare", "regression"},
		"docs/up.svg":      {"cairn up", "(owner ada@example.com)", "synced to team", "cairn retro", "9 commits by 3 people"},
	} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(data, new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text := string(data)
		for _, want := range append(wants, "prefers-color-scheme:dark") {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
		for _, never := range []string{"/home/", "/root", "root@", "/tmp/", "<script", "<image", "\x1b"} {
			if strings.Contains(text, never) {
				t.Errorf("%s has %q", name, never)
			}
		}
		if len(data) > 60_000 {
			t.Errorf("%s has %d bytes", name, len(data))
		}
	}
}

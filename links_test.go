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

// The recorded session is a picture that needs nothing else, small, in both
// themes, and shows no path of the machine that made it.
func TestSessionPicture(t *testing.T) {
	data, err := os.ReadFile("docs/session.svg")
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(data, new(struct{})); err != nil {
		t.Error(err)
	}
	text := string(data)
	for _, want := range []string{"prefers-color-scheme:dark", "cairn eval compare", "regression", "cairn run --quiet"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %s", want)
		}
	}
	for _, never := range []string{"/home/", "/root/", "/tmp/", "<script", "<image", "\x1b"} {
		if strings.Contains(text, never) {
			t.Errorf("it has %q", never)
		}
	}
	if len(data) > 60_000 {
		t.Errorf("%d bytes", len(data))
	}
}

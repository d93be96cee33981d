package check

import (
	"fmt"
	"regexp"
	"strings"

	"cairn/internal/plan/doc"
)

// Artifact is a must_haves.artifacts entry and what is wrong with its file.
type Artifact struct {
	Path   string   `json:"path"`
	Exists bool     `json:"exists"`
	Issues []string `json:"issues"`
	Passed bool     `json:"passed"`
}

// Artifacts checks the files a plan promises.
func Artifacts(m doc.MustHaves, files Files) []Artifact {
	out := []Artifact{}
	for _, want := range m.Artifacts {
		a := Artifact{Path: want.Path, Issues: []string{}}
		text, ok := files.Read(want.Path)
		a.Exists = ok || files.Has(want.Path)
		switch {
		case want.Path == "":
			a.Issues = append(a.Issues, "the artifact has no path")
		case !a.Exists:
			a.Issues = append(a.Issues, "File not found")
		default:
			a.Issues = append(a.Issues, contentIssues(want, text)...)
		}
		a.Passed = a.Exists && len(a.Issues) == 0
		out = append(out, a)
	}
	return out
}

func contentIssues(want doc.Artifact, text string) (issues []string) {
	if n := lineCount(text); n < want.MinLines {
		issues = append(issues, fmt.Sprintf("Only %d lines, need %d", n, want.MinLines))
	}
	for _, s := range want.Contains {
		if !strings.Contains(text, s) {
			issues = append(issues, "Missing pattern: "+s)
		}
	}
	for _, s := range want.Exports {
		if !hasWord(text, s) {
			issues = append(issues, "Missing export: "+s)
		}
	}
	return issues
}

func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// hasWord reports whether the name stands in text and is not a part of
// another.
func hasWord(text, name string) bool {
	for from := 0; name != ""; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || !isWord(text[i-1])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = i + 1
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// Link is a must_haves.key_links entry and whether it is there.
type Link struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Via      string `json:"via"`
	Verified bool   `json:"verified"`
	Detail   string `json:"detail"`
}

// Links checks the connections a plan promises: the pattern has to be in the
// source, or else in the target; without one the source has to name the
// target.
func Links(m doc.MustHaves, files Files) []Link {
	out := []Link{}
	for _, want := range m.KeyLinks {
		l := Link{From: want.From, To: want.To, Via: want.Via}
		l.Verified, l.Detail = link(want, files)
		out = append(out, l)
	}
	return out
}

func link(want doc.KeyLink, files Files) (bool, string) {
	source, ok := files.Read(want.From)
	if !ok {
		return false, "Source file not found"
	}
	if want.Pattern == "" {
		if want.To != "" && strings.Contains(source, want.To) {
			return true, "Target referenced in source"
		}
		return false, "Target not referenced in source"
	}
	re, err := regexp.Compile(want.Pattern)
	if err != nil {
		return false, "Invalid regex pattern: " + want.Pattern
	}
	if re.MatchString(source) {
		return true, "Pattern found in source"
	}
	if target, ok := files.Read(want.To); ok && re.MatchString(target) {
		return true, "Pattern found in target"
	}
	return false, fmt.Sprintf("Pattern %q not found in source or target", want.Pattern)
}

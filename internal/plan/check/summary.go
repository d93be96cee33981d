package check

import (
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

// Summary is how far what a SUMMARY.md says is so.
type Summary struct {
	Checked   int      // files looked at
	Found     int      // of them
	Missing   []string // of them
	Hashes    []string // commits it names
	Commits   bool     // one of them is in the repository
	Unknown   []string // of them: what looks like a commit and is none
	SelfCheck string   // passed, failed or not_found
}

// Outcomes of a summary's own check.
const (
	SelfPassed  = "passed"
	SelfFailed  = "failed"
	SelfMissing = "not_found"
)

// Passed reports whether nothing speaks against the summary.
func (s Summary) Passed() bool {
	return len(s.Missing) == 0 && s.SelfCheck != SelfFailed && (s.Commits || len(s.Hashes) == 0)
}

// Holds reports whether it says something that was done, and all of it is there. Passed is
// what the older tool asks: that one of the commits is there, or that none is named.
func (s Summary) Holds() bool { return s.Passed() && len(s.Unknown) == 0 && s.Says() }

// Says reports whether it names a file or a commit.
func (s Summary) Says() bool { return s.Checked > 0 || len(s.Hashes) > 0 }

// Verify checks the first `most` files that a summary says were made,
// all of them when it is 0, and the commits it names. committed tells whether
// a hash is a commit.
func Verify(t *doc.Text, files Files, committed func(hash string) bool, most int) Summary {
	s := Summary{Missing: []string{}, SelfCheck: selfCheck(t)}
	for _, name := range summaryFiles(t) {
		if most > 0 && s.Checked == most {
			break
		}
		s.Checked++
		if files.Has(name) {
			s.Found++
		} else {
			s.Missing = append(s.Missing, name)
		}
	}
	s.Hashes = hashes(t)
	s.Commits = slices.ContainsFunc(s.Hashes, committed)
	for _, hash := range s.Hashes {
		if LikeCommit(hash) && !committed(hash) {
			s.Unknown = append(s.Unknown, hash)
		}
	}
	return s
}

// summaryFiles returns the files a summary names: in its text, but not in a
// line about what was removed, then in its frontmatter.
func summaryFiles(t *doc.Text) []string {
	var out []string
	for i := t.Body(); i < t.Len(); i++ {
		if line := t.Line(i); !t.Code(i) && !isRemoval(line) {
			out = append(out, quotedPaths(line)...)
		}
	}
	s := doc.ReadSummary(t)
	out = slices.Concat(out, s.Created, s.Modified)
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(name string) bool {
		was := seen[name]
		seen[name] = true
		return was
	})
}

func isRemoval(line string) bool {
	line = strings.ToLower(line)
	return strings.Contains(line, "removed") || strings.Contains(line, "deleted") || strings.Contains(line, "renamed")
}

// hashes returns what looks like a commit's hash: 7 to 40 hexadecimal digits,
// a digit and a letter among them, so that neither words nor dates are meant.
func hashes(t *doc.Text) []string {
	var out []string
	for i := t.Body(); i < t.Len(); i++ {
		for word := range strings.FieldsFuncSeq(t.Line(i), func(r rune) bool { return r > 0x7f || !isWord(byte(r)) }) {
			if len(word) >= 7 && len(word) <= 40 && strings.Trim(word, "0123456789abcdef") == "" &&
				strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdef") && !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
	}
	return out
}

// LikeCommit reports whether a hash is as long as those of commits are written: one of
// another length may be a checksum.
func LikeCommit(hash string) bool { return len(hash) <= 12 || len(hash) == 40 }

// selfCheck reads the section whose heading says Self-Check, and only it: the
// verdict of the heading (Self-Check: PASSED), else of its text.
func selfCheck(t *doc.Text) string {
	for _, s := range t.Sections() {
		title := strings.ToLower(strings.ReplaceAll(s.Text, "-", " "))
		if !strings.Contains(title, "self check") {
			continue
		}
		for _, text := range []string{title, strings.ToLower(t.Span(s.Start, s.End))} {
			if v := verdict(text); v != "" {
				return v
			}
		}
	}
	return SelfMissing
}

// verdict reads a lower-case text. One failure outweighs what passed, but "no
// failures" and "0 failed" are none.
func verdict(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || strings.ContainsRune(".,:;()[]*|`", r) })
	passed := false
	for i, word := range words {
		switch word {
		case "fail", "fails", "failed", "failure", "failures", "✗", "❌":
			if i == 0 || words[i-1] != "no" && words[i-1] != "0" && words[i-1] != "not" && words[i-1] != "without" {
				return SelfFailed
			}
			passed = true
		case "pass", "passed", "passes", "✓", "✅":
			passed = true
		}
	}
	if passed {
		return SelfPassed
	}
	return ""
}

package plan

import "testing"

// A conflict is the three markers of git at the margin, in their order, in any
// ending of lines; quoted in a fence it is an example.
func TestConflictIn(t *testing.T) {
	const both = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"
	for name, c := range map[string]struct {
		text   string
		line   int
		fenced bool
	}{
		"plain":             {"# x\n" + both, 2, false},
		"at the start":      {both, 1, false},
		"crlf":              {"x\r\n<<<<<<< HEAD\r\na\r\n=======\r\nb\r\n>>>>>>> o\r\n", 2, false},
		"with the base":     {"<<<<<<< HEAD\na\n||||||| 1234\nc\n=======\nb\n>>>>>>> o\n", 1, false},
		"in a fence":        {"```\n" + both + "```\n", 2, true},
		"behind a fence":    {"```\n" + both + "```\n\n" + both, 9, false},
		"around a fence":    {"<<<<<<< HEAD\n```\na\n```\n=======\nb\n>>>>>>> o\n", 1, false},
		"no end":            {"<<<<<<< HEAD\na\n=======\nb\n", 0, false},
		"no middle":         {"<<<<<<< HEAD\na\n>>>>>>> o\n", 0, false},
		"indented":          {"    <<<<<<< HEAD\n    a\n    =======\n    b\n    >>>>>>> o\n", 0, false},
		"a heading's rule":  {"Title\n=======\ntext\n", 0, false},
		"in another order":  {">>>>>>> o\n=======\n<<<<<<< HEAD\n", 0, false},
		"a shift of bits":   {"x <<<<<<< 3\n=======\n>>>>>>> 3\n", 0, false},
		"nothing":           {"", 0, false},
		"a front half only": {"<<<<<<< HEAD", 0, false},
	} {
		if line, fenced := conflictIn([]byte(c.text)); line != c.line || fenced != c.fenced {
			t.Errorf("%s: line %d, fenced %v", name, line, fenced)
		}
	}
}

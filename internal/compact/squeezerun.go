package compact

import (
	"strings"

	"cairn/internal/compact/lines"
)

const (
	namesFew   = 3   // lines that differ in a name alone and stay as they are below that
	namesSaved = 24  // bytes that make one line of them worth while
	namesLong  = 400 // bytes of a longer line, which has its own to say
)

// namesOnce makes one line of those in a row that tell the same trouble of different
// names: "--- FAIL: TestA, TestB (0.00s)". The first and the last stay for themselves
// where a line beside them may be about them alone.
func namesOnce(in []string) []string {
	out := in[:0:0]
	for i := 0; i < len(in); {
		words, at, n := namesRun(in[i:])
		if n > 0 && i > 0 && in[i-1] != "" && !strings.HasPrefix(in[i-1], "[… ") {
			out = append(out, in[i])
			i, n = i+1, n-1
		}
		if end := i + n; n > 0 && end < len(in) && leadingSpace(in[end]) > leadingSpace(in[i]) {
			n--
		}
		if n < namesFew || (n-1)*(len(in[i])-len(words[at])-len(", ")) < namesSaved {
			n = max(n, 1)
			out = append(out, in[i:min(i+n, len(in))]...)
			i += n
			continue
		}
		var names []string
		for _, s := range in[i : i+n] {
			names = append(names, strings.Split(s, " ")[at])
		}
		words[at] = strings.Join(names, ", ")
		out = append(out, strings.Join(words, " "))
		i += n
	}
	return out
}

// namesRun returns how many lines differ from the first in the same word, in which.
func namesRun(in []string) (words []string, at, n int) {
	if !tells(in[0]) {
		return nil, 0, 0
	}
	words = strings.Split(in[0], " ")
	at = -1
	for n = 1; n < len(in); n++ {
		other := strings.Split(in[n], " ")
		if len(other) != len(words) || !tells(in[n]) {
			break
		}
		differs := -1
		for i := range words {
			if words[i] != other[i] {
				if differs >= 0 {
					return words, at, n
				}
				differs = i
			}
		}
		if differs < 0 || at >= 0 && differs != at || !isName(words[differs]) || !isName(other[differs]) {
			break
		}
		at = differs
	}
	if n == 1 {
		return nil, 0, 0
	}
	return words, at, n
}

// tells reports whether a line says that something failed or is amiss.
func tells(s string) bool {
	return len(s) < namesLong && labelOf(s) == "" && lines.Classify(s) != lines.Nothing && !strings.HasPrefix(s, "[… ") && !strings.ContainsAny(s, "|│")
}

// isName reports whether a word can stand in a list of names.
func isName(s string) bool {
	return strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") && !strings.ContainsAny(s, ",;\t") && !strings.HasSuffix(s, ":")
}

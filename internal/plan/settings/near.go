package settings

import "strings"

// Near returns the key of the table that a wrong one was probably meant to
// be, or "".
func Near(key string) string {
	best, least := "", len(key)/3+1
	words := wordsOf(key)
	shared := 0
	for r := range rows() {
		if strings.Contains(r.Key, "*") {
			continue
		}
		if leaf(r.Key) == leaf(key) {
			return r.Key
		}
		if d := distance(key, r.Key); d < least {
			best, least = r.Key, d
		}
		if n := common(words, wordsOf(leaf(r.Key))); best == "" && n > shared && n > 1 {
			best, shared = r.Key, n
		}
	}
	return best
}

func leaf(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

func wordsOf(key string) []string {
	return strings.FieldsFunc(strings.ToLower(key), func(c rune) bool { return c == '.' || c == '_' || c == '-' })
}

// common counts the words of a that are in b.
func common(a, b []string) (n int) {
	for _, w := range a {
		for _, x := range b {
			if w == x {
				n++
				break
			}
		}
	}
	return n
}

// distance is Levenshtein's, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost = 1 + min(diagonal, row[j], row[j-1])
			}
			diagonal, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}

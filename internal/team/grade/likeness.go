package grade

import (
	"strings"
	"unicode"
)

// Limits of what is compared: outputs are untrusted, and the distance takes time
// in proportion to the product of both lengths.
const (
	mostCompared = 10_000  // characters, for the distance: 0.3 seconds
	mostGrams    = 100_000 // words, for n-grams
)

func levenshteinCheck(x *exam, s string) {
	want, ok := x.referenceText()
	if !ok {
		return
	}
	longer := max(chars(s), chars(want))
	if longer > mostCompared {
		x.unknown("too long to compare: %d characters; the limit is %d", longer, mostCompared)
		return
	}
	d := levenshtein([]rune(strings.TrimSpace(s)), []rune(strings.TrimSpace(want)))
	similarity := 1.0
	if longer > 0 {
		similarity = 1 - float64(d)/float64(longer)
	}
	x.count("distance:", d, "", "max_distance")
	x.between("similarity", similarity, "min_similarity", "")
}

// levenshtein is how many characters have to be inserted, deleted or replaced
// to make b of a (Levenshtein 1966; rows of Wagner and Fischer 1974).
func levenshtein(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range a {
		corner := row[0]
		row[0] = i + 1
		for j, s := range b {
			best := corner
			if r != s {
				best = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}

var measures = [...]string{"recall", "precision", "f1"}

func rougeCheck(x *exam, s string) {
	want, ok := x.referenceText()
	if !ok {
		return
	}
	if longer := max(words(s), words(want)); longer > mostGrams {
		x.unknown("too long to compare: %d words; the limit is %d", longer, mostGrams)
		return
	}
	said, wanted := wordList(s), wordList(want)
	n := int(x.number("n"))
	if len(wanted) < n {
		x.absent("the right answer has %d words, fewer than n", len(wanted))
		return
	}
	x.between("ROUGE-"+plain(float64(n))+" "+x.text("measure"), rouge(said, wanted, n)[x.text("measure")], "min", "")
}

// rouge is ROUGE-N of one reference (C.-Y. Lin, "ROUGE: A Package for Automatic
// Evaluation of Summaries", 2004): the n-grams that both have, each counted as
// often as the one that has it less, divided by those of the reference
// (recall) or of the text (precision); f1 is their harmonic mean.
func rouge(said, wanted []string, n int) map[string]float64 {
	have, want := grams(said, n), grams(wanted, n)
	both := 0
	for g, k := range want {
		both += min(k, have[g])
	}
	share := func(words int) float64 {
		if words < n {
			return 0
		}
		return float64(both) / float64(words-n+1)
	}
	r, p := share(len(wanted)), share(len(said))
	f := 0.0
	if both > 0 {
		f = 2 * r * p / (r + p)
	}
	return map[string]float64{"recall": r, "precision": p, "f1": f}
}

func grams(words []string, n int) map[string]int {
	count := map[string]int{}
	for i := range len(words) - n + 1 {
		count[strings.Join(words[i:i+n], " ")]++
	}
	return count
}

// wordList are the words of a text in lower case, without punctuation: letters
// and digits that follow each other. Where a script puts no blanks between
// words each character is one.
func wordList(s string) (list []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			list = append(list, word.String())
			word.Reset()
		}
	}
	for _, r := range s {
		switch {
		case spaceless(r):
			end()
			list = append(list, string(r))
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mn, r):
			word.WriteRune(unicode.ToLower(r))
		default:
			end()
		}
	}
	end()
	return list
}

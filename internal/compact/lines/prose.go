package lines

import "strings"

// ProseRoom is how many bytes of a text that a person wrote are shown whole: an agent
// works by what a ticket says, and asks again for what is missing of it.
const ProseRoom = 16_000

const (
	proseLook  = 40 // lines that decide
	proseLeast = 12 // of them, lines that are not blank
	proseWords = 5  // words that make a line one of a sentence
	proseSame  = 3  // points that may begin with the same word, however few there are
)

// Prose reports whether a text is one that a person wrote in the manner of Markdown, by
// its first lines: points and headings that begin differently, and sentences. What a
// program prints with the same marks ("- Installing a") begins with the same words.
func Prose(head []string) bool {
	all, marked, long, most := 0, 0, 0, 0
	first := map[string]int{}
	for _, s := range head[:min(len(head), proseLook)] {
		words := strings.Fields(s)
		if len(words) == 0 {
			continue
		}
		if Classify(s) == Failure {
			return false
		}
		all++
		if len(words) >= proseWords {
			long++
		}
		if len(words) > 1 && isMark(words[0]) {
			marked++
			first[words[1]]++
			most = max(most, first[words[1]])
		}
	}
	return all >= proseLeast && marked*4 >= all && long*3 >= all && most <= max(proseSame, marked/3)
}

// isMark reports whether a word marks a point or a heading: "-", "##", "3.".
func isMark(s string) bool {
	switch s {
	case "-", "*", "+", "•", ">":
		return true
	}
	n, ok := strings.CutSuffix(s, ".")
	return strings.Trim(s, "#") == "" || ok && n != "" && strings.Trim(n, "0123456789") == ""
}

package item

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Topic is what a phase is about, to find the todos that belong to it.
type Topic struct {
	Text  string   // its name, goal and section of the roadmap
	Files []string // that its plans change
}

// A Match is a todo that has something in common with a topic.
type Match struct {
	Item    Item     `json:"todo"`
	Score   float64  `json:"score"` // 0 to 1.3
	Reasons []string `json:"reasons"`
}

// What each thing in common is worth.
const (
	wordScore, wordMost = 0.2, 0.6
	areaScore           = 0.3
	fileScore           = 0.4
	shownReasons        = 5 // words or files in one reason
)

// MatchTopic returns the todos that have words, their area or files in common
// with a topic, the best first.
func MatchTopic(todos []Item, topic Topic) []Match {
	words := map[string]bool{}
	for _, w := range keywords(topic.Text) {
		words[w] = true
	}
	matches := []Match{}
	for _, todo := range todos {
		m := Match{Item: todo, Reasons: []string{}}
		var common []string
		for _, w := range keywords(todo.Title + "\n" + todo.Body) {
			if words[w] {
				common = append(common, w)
			}
		}
		m.add(min(wordScore*float64(len(common)), wordMost), "keywords", common)
		if strings.ToLower(todo.Area) != "general" && named(topic.Text, todo.Area) {
			m.add(areaScore, "area", []string{todo.Area})
		}
		var files []string
		for _, f := range todo.Files {
			if slices.ContainsFunc(topic.Files, func(of string) bool { return sameFile(f, of) }) {
				files = append(files, f)
			}
		}
		if len(files) > 0 {
			m.add(fileScore, "files", files)
		}
		if m.Score > 0 {
			m.Score = math.Round(m.Score*100) / 100
			matches = append(matches, m)
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	return matches
}

func (m *Match) add(score float64, what string, in []string) {
	if len(in) == 0 {
		return
	}
	m.Score += score
	m.Reasons = append(m.Reasons, what+": "+strings.Join(in[:min(len(in), shownReasons)], ", "))
}

// keywords returns the words of a text that say what it is about, each once.
func keywords(text string) []string {
	const common = " the and for with that this from into when what are was not but all can has have will should must need needs add use using new phase plan plans goal requirements success criteria depends nothing tbd none executed complete "
	var out []string
	for _, w := range wordsOf(text) {
		if len(w) > 2 && strings.Trim(w, "0123456789") != "" && !strings.Contains(common, " "+w+" ") && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// named reports whether a word of the text is the area, or begins with it:
// auth is the area of authentication.
func named(text, area string) bool {
	want := strings.Join(wordsOf(area), " ")
	if want == "" {
		return false
	}
	all := " " + strings.Join(wordsOf(text), " ") + " "
	if len(want) < 3 {
		want += " "
	}
	return strings.Contains(all, " "+want)
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80)
	})
}

// sameFile compares two paths; one may name a line (a.go:12) or be the
// directory of the other.
func sameFile(a, b string) bool {
	clean := func(s string) string {
		if i := strings.LastIndexByte(s, ':'); i > 0 && strings.Trim(s[i+1:], "0123456789-") == "" {
			s = s[:i]
		}
		return strings.TrimSuffix(strings.TrimPrefix(s, "./"), "/")
	}
	a, b = clean(a), clean(b)
	return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

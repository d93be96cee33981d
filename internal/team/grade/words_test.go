package grade

import (
	"reflect"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]int{"": 0, " a  b\n": 2, "well-known — it's": 2, "漢字かな": 4, "日本 2024年": 4, "# - *": 0, "한국어 단어": 2, "naïve café": 2} {
		if got := words(text); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}

// The figures are those of X's documentation on counting characters.
func TestTweetLength(t *testing.T) {
	for text, want := range map[string]int{
		"":                                   0,
		"Hello":                              5,
		"café":                               4,
		"cafe\u0301":                         4,  // counts in its composed form
		"“quoted” – dash…":                   17, // … (U+2026) is outside of the ranges that count 1
		"日本":                                 4,
		"😂":                                  2,
		"👨‍👩‍👧‍👦":                            2,
		"👍🏽":                                 2,
		"🇩🇪🇫🇷":                               4,
		"1️⃣":                                2,
		"https://a.b":                        23,
		"see https://example.com/x?y=z, now": 4 + 23 + 5,
		"(https://a.b/c_(d))":                25,
	} {
		if got := tweetLength(text); got != want {
			t.Errorf("%q is %d long, want %d", text, got, want)
		}
	}
}

func TestLinks(t *testing.T) {
	for text, want := range map[string][]string{
		"see https://a.b/c. And http://A.b/c/ again":        {"https://a.b/c"},
		"[x](https://a.b/q_(r)) (https://c.d)":              {"https://a.b/q_(r)", "https://c.d"},
		"[http://a.b](http://c.d)":                          {"http://a.b", "http://c.d"},
		`<a href="/x">y</a> [z](#top "title") http: https:`: {"#top", "/x"},
		"http://": nil,
	} {
		if got := links(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

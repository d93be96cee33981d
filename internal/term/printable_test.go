package term

import "testing"

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain – größer":              "plain – größer",
		"a\nb\tc":                     "a b c",
		"\x1b[31mred\x1b":             "red",
		"c1\u009b2K\u0085":            "c1 ",
		"ab\u202edc\u2066":            "abdc",
		"a\r\n::error::b":             "a  : :error::b",
		"::error::b":                  ": :error::b",
		"::Foo a::b c ::":             "::Foo a::b c ::",
		"a##[add-mask]":               "a# #[add-mask]",
		"\xff\u200fa":                 "a",
		"\x1b]8;;u\x07a\x1b]b\x1b\\c": "ac",
		"\x1b[1":                      "",
		"a\x1b[3\nb\x1bc":             "a bc",
		"\u009b":                      "",
		"\ufeff\x9ba":                 "a",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	if got := Line("  a\t\x00 \x1b[1mb\r\nc\u00a0"); got != "a b c" {
		t.Errorf("%q", got)
	}
}

func TestPrintableJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"größer – ::x"}`:        `{"a":"größer – ::x"}`,
		"\"\u009b2K\x7f\u202e##[x]\"": `"\u009b2K\u007f\u202e#\u0023[x]"`,
	} {
		if got := string(PrintableJSON([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"a\u00a0b \tc\n\n größer":                "a\u00a0b \tc\n\n größer",
		"a\tb  c\r\n\n größer\n":                 "a\tb  c\r\n\n größer\n",
		"# A\x1b[31m\tb\x1b]0;t\x07\r\nc\u202ed": "# A\tb\r\ncd",
		"all good\rFAIL\n":                       "all good FAIL\n",
		"ok\n::add-mask::x\n":                    "ok\n: :add-mask::x\n",
		"\x9b2Ja\xff\n":                          "2Ja\n",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

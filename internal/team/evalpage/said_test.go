package evalpage

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/team/page"
	"cairn/internal/team/result"
	"cairn/test/browsertest"
)

func TestVisible(t *testing.T) {
	for said, want := range map[string]string{
		"plain\ttext\nof lines, ünï, 日本":      "plain\ttext\nof lines, ünï, 日本",
		"a\r\nb\rc":                           "a\nb⟨U+000D⟩c",
		"\x1b[31mred\x07":                     "⟨ESC⟩[31mred⟨U+0007⟩",
		"abc\u202edcba\u2066x\u200e\u061c":    "abc⟨U+202E⟩dcba⟨U+2066⟩x⟨U+200E⟩⟨U+061C⟩",
		"zero\u200bwidth\ufeff":               "zero⟨U+200B⟩width⟨U+FEFF⟩",
		"👩\u200d💻":                            "👩\u200d💻",
		"tag\U000e0041":                       "tag⟨U+E0041⟩",
		"broken \xff utf8":                    "broken \ufffd utf8",
		"\u2028":                              "⟨U+2028⟩",
		"C1 \u009b31m":                        "C1 ⟨U+009B⟩31m",
		`<script>window.ran=1</script>&amp;"`: `<script>window.ran=1</script>&amp;"`,
	} {
		if got := Visible(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// What was asked and answered is found under the names that runners have for it.
func TestSaid(t *testing.T) {
	show := func(list []Text) (said string) {
		for _, t := range list {
			said += t.Name + "=" + t.Text + ";"
		}
		return said
	}
	for _, c := range []struct{ x, output, preview, asked, answered string }{
		{`{"input":"why?","prompt":"You are.","expected":"so"}`, `{"response":"because"}`, "be", "Input=why?;Prompt=You are.;Expected=so;", "=because;"},
		{`{"vars":{"q":"why?"},"target":["a","b"]}`, `{"subject":"Hi","body":"there","n":2,"empty":""}`, "", "Input={\n  \"q\": \"why?\"\n};Expected=[\n  \"a\",\n  \"b\"\n];", "subject=Hi;body=there;n=2;"},
		{`{"input":[{"role":"system","content":"Be kind."},{"role":"user","content":"why?"}]}`, "", " a preview ", "Input=system:\nBe kind.\n\nuser:\nwhy?;", "Preview of the response=a preview;"},
		{`{"input":"same","prompt":"same"}`, `"text"`, "", "Prompt=same;", "=text;"},
		{`{"input":null,"question":"q","expected":{}}`, `["a","b"]`, "", "Input=q;", "=[\n  \"a\",\n  \"b\"\n];"},
		{"", "", "", "", ""},
	} {
		r := result.Result{ResponsePreview: c.preview}
		if c.x != "" {
			r.X = []byte(c.x)
		}
		if c.output != "" {
			r.Output = []byte(c.output)
		}
		texts, _ := asked(&r)
		if got := show(texts); got != c.asked {
			t.Errorf("%s asks %q, want %q", c.x, got, c.asked)
		}
		if got := show(answered(&r)); got != c.answered {
			t.Errorf("%s answers %q, want %q", c.output, got, c.answered)
		}
	}
	long := textOf("", strings.Repeat("ä", mostText))
	if len(long.Text) != mostText || long.Cut != mostText {
		t.Errorf("%d bytes, %d are cut", len(long.Text), long.Cut)
	}
}

// Only https leads anywhere.
func TestWebAddress(t *testing.T) {
	for said, want := range map[string]string{
		"https://trace.example/t/1?a=b#c": "https://trace.example/t/1?a=b#c",
		"javascript:alert(1)":             "", "http://trace.example/": "", "data:text/html,x": "", "//trace.example/": "",
		"https://user:word@trace.example/": "", "https:trace": "", "https://": "", " https://trace.example/": "", "https://trace.example/\u202e": "",
	} {
		if got := webAddress(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	for x, want := range map[string]string{
		`{"usage":{"input_tokens":412,"output_tokens":61,"total_tokens":473}}`: "412 tokens in, 61 out",
		`{"tokens":12345}`: "12.3k tokens", `{"token_usage":{"total":7}}`: "7 tokens", `{"tokens":"many"}`: "", `{"usage":{"prompt_tokens":1}}`: "1 tokens in, 0 out", `{}`: "",
	} {
		if got := tokensOf(members([]byte(x))); got != want {
			t.Errorf("%s: %q, want %q", x, got, want)
		}
	}
}

// The two sides of a diff are the two texts, what is not marked is the same in
// both, and small changes are marked as such, also in texts with too many words
// for one table.
func TestWords(t *testing.T) {
	var b bytes.Buffer
	if err := page.File(&b, page.Page{JS: wordsJS}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "words.html")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	tab := browsertest.Open(t, file, browsertest.View{})
	var problems []string
	tab.Eval(`(() => {
		const bad = [], text = side => side.map(p => p.textContent ?? p).join(""), same = side => side.map(p => p.textContent === undefined ? p : "").join("");
		let seed = 7;
		const random = n => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
		const bag = ["a", "the", "order", "is", "late", "\n", ", ", ".", "12.50", "ü", "👩‍💻", "<b>"];
		for (let k = 0; k < 3005; k++) {
			const x = k < 3000 ? Array.from({ length: random(25) }, () => bag[random(bag.length)]) : Array.from({ length: 3000 }, () => bag[random(4)] + " " + random(4000) + " it is\n"), y = [...x];
			for (let c = random(6); c > 0; c--) y.splice(random(y.length + 1), random(3), ...Array.from({ length: random(3) }, () => bag[random(bag.length)]));
			const a = x.join(" "), b = y.join(" "), [l, r] = words(a, b);
			if (text(l) !== a || text(r) !== b) bad.push("not the texts: " + JSON.stringify([a, b, text(l), text(r)]));
			if (l.length + r.length > 2 && same(l).replace(/\s+/g, "") !== same(r).replace(/\s+/g, "")) bad.push("not the same: " + JSON.stringify([same(l), same(r)]));
		}
		return bad.slice(0, 3);
	})()`, &problems)
	for _, p := range problems {
		t.Error(p)
	}
	var found string
	for _, c := range []struct{ js, want string }{
		{`words("We charged your card 12.50 EUR.", "We may have charged your card.")`, "12.50 EUR | may have "},
		{`words("one two three", "vier fünf sechs")`, " | "}, // nothing is shared: no marks
		{`words("", "new")`, " | "},
		{`(() => { const many = Array.from({ length: 6000 }, (_, i) => "line " + i * 7919 % 6007 + " of it\n"), other = [...many]; other[0] = "first\n"; other[3000] = "line changed of it\n"; other.splice(5999, 1); return words(many.join(""), other.join("")); })()`, ""},
	} {
		tab.Eval(`(pair => pair.map(side => side.filter(p => p.textContent).map(p => p.textContent).join(" ")).join(" | "))(`+c.js+`)`, &found)
		switch {
		case c.want == "" && (len(found) > 200 || !strings.Contains(found, "changed")):
			t.Errorf("many lines: %s", fmt.Sprintf("%.300s", found))
		case c.want != "" && strings.Join(strings.Fields(found), " ") != strings.Join(strings.Fields(c.want), " "):
			t.Errorf("%s marks %q, want %q", c.js, found, c.want)
		}
	}
}

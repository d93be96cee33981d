package compare_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"cairn/internal/team/compare"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/result"
	"cairn/test/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

func openPage(t *testing.T, c *compare.Comparison, v browsertest.View) *browsertest.Tab {
	t.Helper()
	var b bytes.Buffer
	if err := evalpage.Compare(&b, c, new(result.Run), new(result.Run)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "compare.html")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return browsertest.Open(t, file, v)
}

func TestPage(t *testing.T) {
	a, b := compare.Sample()
	c := compare.Runs(a, b, compare.Options{})
	tab := openPage(t, c, browsertest.View{Width: 360})
	if px := tab.Overflow(); px > 0 {
		t.Errorf("%d pixels too wide for a telephone", px)
	}
	for _, v := range []browsertest.View{{Width: 360, Dark: true}, {}} {
		tab.Look(v)
		for _, finding := range tab.Axe() {
			t.Errorf("%+v: %s", v, finding)
		}
	}
	if got := tab.Text("#summary"); got != c.Summary {
		t.Errorf("summary %q", got)
	}
	shown := func() (n int) {
		tab.Eval("document.querySelectorAll('#cases > li').length", &n)
		return n
	}
	if n := shown(); n != 15+3+5+1+2+1 {
		t.Errorf("%d cases that changed are shown", n)
	}
	tab.Click(`.chip[data-name="lost"]`)
	if n := shown(); n != 15 {
		t.Errorf("%d lost cases are shown", n)
	}
	tab.Keys("/", "m", "a", "r", "k", "u", "p")
	if n := shown(); n == 0 || n == 15 {
		t.Errorf("%d lost cases with markup", n)
	}
	tab.Keys(kb.Escape)
	tab.Click(`.chip[data-name="lost"]`)
	tab.Keys("j", kb.Enter)
	tab.Wait("document.querySelector('details[open] .both')")
	var title string
	if tab.Eval("document.querySelector('details[open] .title').textContent", &title); !strings.Contains(title, "must_cite_sources") && !strings.Contains(title, "housing policy") {
		t.Errorf("opened %q", title)
	}
	tab.Keys("j", "j", "k", kb.Enter, "2", "e")
	var open int
	if tab.Eval("document.querySelectorAll('details[open]').length", &open); open != 27 {
		t.Errorf("%d are open", open)
	}
	var markup int
	if tab.Eval("document.querySelectorAll('#cases pre b').length", &markup); markup != 0 {
		t.Error("a message became markup")
	}
	if bad := tab.Problems(); len(bad) > 0 {
		t.Errorf("the browser complains: %q", bad)
	}
	if dir := os.Getenv("CAIRN_SAMPLE"); dir != "" {
		tab.Keys("c", "j", kb.Enter)
		for name, v := range map[string]browsertest.View{"360": {Width: 360}, "360-dark": {Width: 360, Dark: true}, "1280": {}, "1280-dark": {Dark: true}} {
			tab.Look(v)
			tab.Shot(filepath.Join(dir, "compare-"+name+".png"))
		}
	}
}

// What differs between two messages is marked, and runs without anything to
// compare make a page all the same.
func TestPageDifferences(t *testing.T) {
	a, b := compare.Run("s", "f"), compare.Run("s", "f")
	a.Results[0].Error, b.Results[0].Error = "title has 19 words, at most 15 are wanted", "title has 22 words, at most 15 are wanted"
	tab := openPage(t, compare.Runs(a, b, compare.Options{}), browsertest.View{})
	tab.Keys("2", "e")
	tab.Wait("document.querySelector('.both')")
	var marks string
	if tab.Eval("[...document.querySelectorAll('mark.only')].map(m => m.textContent).join(' ')", &marks); marks != "19 22" {
		t.Errorf("marked %q", marks)
	}
	for _, c := range []*compare.Comparison{compare.Runs(a, a, compare.Options{}), compare.Runs(compare.Run("", ""), compare.Run("", ""), compare.Options{}), compare.Runs(compare.Run("s", "p p"), compare.Run("s", "p p"), compare.Options{})} {
		tab := openPage(t, c, browsertest.View{Width: 360, Dark: true})
		if bad := tab.Problems(); len(bad) > 0 || tab.Text("#shown") != "no case is like that" {
			t.Errorf("%s: %q, %s", c.Verdict, bad, tab.Text("#shown"))
		}
	}
}

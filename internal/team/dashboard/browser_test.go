package dashboard

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"cairn/internal/answer"
	"cairn/test/browsertest"
	"cairn/test/cairntest"
)

var galleryPaths = []string{"/t/acme/pulse", "/t/acme/many?weeks=104&repo=acme/app", "/t/long/empty?weeks=4", "/error/404", "/error/401", "/error/503"}

// see opens a page and waits until its scripts have run.
func see(t *testing.T, url string, v browsertest.View) *browsertest.Tab {
	tab := browsertest.Open(t, url, v)
	tab.Wait("document.readyState === 'complete'")
	return tab
}

// complaints are the console's, but for the status of a page that is an error on purpose.
func complaints(t *testing.T, tab *browsertest.Tab, path string) {
	t.Helper()
	for _, bad := range tab.Problems() {
		if !strings.HasPrefix(path, "/error/") || !strings.Contains(bad, "Failed to load resource") {
			t.Errorf("%s: the browser complains: %s", path, bad)
		}
	}
}

// No page is wider than its window, keeps people out or makes the browser
// complain, in light and dark.
func TestPages(t *testing.T) {
	cairntest.NoRace(t)
	site := gallery(t)
	for _, path := range galleryPaths {
		tab := see(t, site+path, browsertest.View{})
		for i, width := range []int{360, 768, 1280} {
			tab.Look(browsertest.View{Width: width, Dark: i == 1})
			if px := tab.Overflow(); px > 0 {
				t.Errorf("%s is %d pixels too wide for %d", path, px, width)
			}
			if i == 2 && path == galleryPaths[1] {
				continue // a thousand rows at two sizes are enough
			}
			for _, finding := range tab.Axe() {
				t.Errorf("%s at %d: %s", path, width, finding)
			}
		}
		complaints(t, tab, path)
	}
}

// A page and all that it needs is less than 200 KB on the way.
func TestWeight(t *testing.T) {
	for _, path := range galleryPaths[:3] {
		tab := see(t, gallery(t)+path, browsertest.View{}) // a new site: nothing is kept from before
		var sizes map[string]int
		tab.Eval("Object.fromEntries(performance.getEntries().filter(e => e.transferSize).map(e => [new URL(e.name).pathname, e.transferSize]))", &sizes)
		sum := 0
		for _, n := range sizes {
			sum += n
		}
		t.Logf("%s: %d bytes", path, sum)
		if sum > 100_000 || len(sizes) < 3 {
			t.Errorf("%s: %d bytes, half of them are to spare: %v", path, sum, sizes)
		}
	}
}

// Texts of strangers are texts wherever they stand.
func TestHostileTexts(t *testing.T) {
	tab := see(t, gallery(t)+"/t/acme/pulse?person="+url.QueryEscape(hostile), browsertest.View{})
	var found []string
	tab.Eval(`[document.querySelector("img") ? "an image" : "", document.querySelector("#pass-rate tbody tr:nth-child(2) th").textContent,
		document.querySelector("#pass-rate .key li:nth-child(2)").textContent, document.querySelector("select[name=person]").selectedOptions[0].textContent]`, &found)
	for i, text := range found {
		if want := []string{"", hostile, hostile, hostile}[i]; text != want {
			t.Errorf("%d: %q, want %q", i, text, want)
		}
	}
	complaints(t, tab, "/t/acme/pulse")
}

// A chart has the values of its table, draws them in its colors, tells them to
// the keyboard and in the tip, and follows a change to dark.
func TestCharts(t *testing.T) {
	tab := see(t, gallery(t)+"/t/acme/pulse", browsertest.View{})
	var drawn []struct {
		ID     string
		Values [][]float64
		Inked  bool
	}
	tab.Eval(`plots.map(p => {
		const c = p.u.ctx.canvas, px = p.u.ctx.getImageData(0, 0, c.width, c.height).data, want = [1, 3, 5].map(i => parseInt(p.palette[0].slice(i, i + 2), 16));
		let inked = 0;
		for (let i = 0; i < px.length; i += 4) if (want.every((w, k) => Math.abs(px[i + k] - w) < 3) && px[i + 3] > 250) inked++;
		return { ID: p.figure.dataset.panel, Inked: inked > 50, Values: p.chart.series.map((s, k) => p.u.data[k + 1].map((v, i) => v === null ? -1 : v - (p.lines ? 0 : p.bottom(k, i)))) };
	})`, &drawn)
	f, err := readFilter(url.Values{}, clock)
	if err != nil || len(drawn) != 3 {
		t.Fatalf("%v, %d charts", err, len(drawn))
	}
	charts := map[string]*answer.Chart{}
	for _, p := range galleryPanels("pulse", f) {
		if p.Chart != nil {
			charts[p.ID] = fold(p.Chart)
		}
	}
	for _, d := range drawn {
		if !d.Inked {
			t.Errorf("%s has nothing of its first color", d.ID)
		}
		for k, s := range charts[d.ID].Series {
			for i, v := range s.Values {
				if got := d.Values[k][i]; v == nil && got != -1 || v != nil && (got-*v > 1e-9 || *v-got > 1e-9) {
					t.Errorf("%s, %s, %d: drawn %v", d.ID, s.Name, i, got)
				}
			}
		}
	}
	tab.Eval(`document.querySelector("#ships-by-week .plot").focus()`, nil)
	tab.Keys(kb.End)
	var told, row string
	tab.Eval(`document.getElementById("announce").textContent`, &told)
	tab.Eval(`[...document.querySelectorAll("#ships-by-week tbody tr")].map(r => [...r.cells].map(c => c.textContent)).filter(r => r[0] === "2026-03-09").map(r => r[1] + " " + r[2]).join(", ")`, &row)
	for one := range strings.SplitSeq(row, ", ") {
		if !strings.HasPrefix(told, "Week of 9 Mar 2026, so far: ") || !strings.Contains(told, one) {
			t.Errorf("told %q, the table has %q", told, row)
		}
	}
	tab.Keys(kb.ArrowLeft)
	if text := tab.Text("#ships-by-week .tip"); !strings.HasPrefix(text, "Week of 2 Mar 2026\n") || !strings.Contains(text, "ada") {
		t.Errorf("the tip after an arrow key: %q", text)
	}
	tab.Keys(kb.Escape)
	tab.Wait(`document.querySelector("#ships-by-week .tip").hidden`)
	tab.Click("#spend .key li:first-child button")
	var shown []bool
	if tab.Eval(`plots[2].shown`, &shown); fmt.Sprint(shown) != "[false true]" {
		t.Errorf("after a click on the key: %v", shown)
	}
	var light, dark string
	tab.Eval(`plots[0].palette[0]`, &light)
	tab.Look(browsertest.View{Dark: true})
	tab.Wait("plots[0].palette[0] !== '" + light + "'")
	if tab.Eval(`plots[0].palette[0]`, &dark); light == dark || dark == "" {
		t.Errorf("colors in light and dark: %s, %s", light, dark)
	}
	complaints(t, tab, "/t/acme/pulse")
}

// The filter is a form and stays when one goes on; resetting and other teams
// lose what has no meaning there.
func TestFilterBar(t *testing.T) {
	tab := see(t, gallery(t)+"/t/acme/pulse?weeks=26", browsertest.View{})
	tab.Eval(`document.querySelector("select[name=repo]").value = "acme/web"; document.querySelector("button.apply").focus()`, nil)
	at := func(want string) {
		t.Helper()
		tab.Wait(fmt.Sprintf("document.readyState === 'complete' && location.pathname + location.search === %q", want))
	}
	tab.Keys(kb.Enter)
	at("/t/acme/pulse?weeks=26&repo=acme%2Fweb")
	tab.Click("nav.views li:nth-child(2) a")
	at("/t/acme/many?repo=acme%2Fweb&weeks=26")
	var state []string
	tab.Eval(`[document.querySelector("select[name=repo]").value, document.querySelector(".weeks a[aria-current]").firstChild.data,
		document.querySelector("#ships-by-week footer a[download]").getAttribute("href"), document.querySelector("#ships-by-week code").textContent]`, &state)
	if want := []string{"acme/web", "26", "/t/acme/many/ships-by-week.csv?repo=acme%2Fweb&weeks=26", "cairn dashboard show many ships-by-week --weeks 26 --repo acme/web"}; fmt.Sprint(state) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", state, want)
	}
	tab.Eval(`document.querySelector(".days").open = true; filter.elements.from.value = "2026-01-05"; filter.elements.to.value = "2026-02-01"; filter.requestSubmit()`, nil)
	at("/t/acme/many?from=2026-01-05&to=2026-02-01&repo=acme%2Fweb")
	if text := tab.Text(".fresh b"); text != "5 Jan – 1 Feb 2026" {
		t.Errorf("the time is told as %q", text)
	}
	tab.Click(".teams summary")
	tab.Click(".teams li:nth-child(2) a")
	at("/t/long/many?from=2026-01-05&to=2026-02-01")
	tab.Click(".reset")
	at("/t/long/many")
	complaints(t, tab, "/t/acme/pulse")
}

// The keyboard reaches everything, one sees where it is, and the first stop leads past the header.
func TestKeyboard(t *testing.T) {
	tab := see(t, gallery(t)+"/t/acme/pulse", browsertest.View{})
	var stops []string
	for range 40 {
		tab.Keys(kb.Tab)
		var stop string
		tab.Eval(`(() => { const e = document.activeElement, s = getComputedStyle(e); return (e.className || e.name || e.textContent).trim() + (s.outlineStyle === "none" ? " UNSEEN" : ""); })()`, &stop)
		stops = append(stops, stop)
	}
	all := strings.Join(stops, "|")
	for at, want := range []string{"skip", "brand", "Team: Acme", "|a|", "Overview", "Days", "field", "button apply", "plot"} {
		before, after, ok := strings.Cut(all, want)
		if all = after; !ok {
			t.Errorf("stop %d: no %s after %s in %q", at, want, before, stops)
		}
	}
	if strings.Contains(strings.Join(stops, "|"), "UNSEEN") {
		t.Errorf("focus cannot be seen: %q", stops)
	}
	tab.Click(".account summary")
	tab.Keys(kb.Escape)
	var closed bool
	if tab.Eval(`!document.querySelector("details.menu[open]") && document.activeElement.matches(".account summary")`, &closed); !closed {
		t.Error("Escape does not close a menu and go back to its button")
	}
}

// Long tables open and sort; a command is copied as it stands.
func TestTables(t *testing.T) {
	tab := see(t, gallery(t)+"/t/acme/many", browsertest.View{})
	rows := func() (n int) {
		tab.Eval(`[...document.querySelectorAll("#criteria tbody tr")].filter(r => r.offsetHeight).length`, &n)
		return n
	}
	if n := rows(); n != 10 {
		t.Errorf("%d rows at first, want 10", n)
	}
	tab.Click("#criteria .all")
	if n := rows(); n != 40 {
		t.Errorf("%d rows, want all 40", n)
	}
	tab.Click("#criteria th[data-key=ms] button")
	var first []string
	tab.Eval(`[...document.querySelectorAll("#criteria tbody tr:first-child > *")].map(c => c.textContent)`, &first)
	if len(first) < 5 || first[4] != answer.Show(39*812.0, answer.Millis) {
		t.Errorf("the slowest is %q", first)
	}
	tab.Eval(`Object.defineProperty(navigator, "clipboard", { value: { writeText: async text => { window.copied = text; } } })`, nil)
	tab.Click("#criteria .copy")
	tab.Wait("window.copied")
	var copied string
	if tab.Eval("copied", &copied); copied != "cairn dashboard show many criteria" {
		t.Errorf("copied %q", copied)
	}
	tab.Wait(`document.querySelector("#criteria .copy").textContent === "Copied"`)
}

// What a page tells its script is only charts.
func TestPageData(t *testing.T) {
	tab := see(t, gallery(t)+"/t/acme/empty", browsertest.View{})
	var scripts, data string
	tab.Eval(`[...document.scripts].map(s => s.src).join()`, &scripts)
	if strings.Contains(scripts, "chart.js") {
		t.Errorf("a page without charts reads %s", scripts)
	}
	tab = see(t, gallery(t)+"/t/acme/pulse", browsertest.View{})
	tab.Eval(`document.getElementById("data").textContent`, &data)
	var charts map[string]answer.Chart
	if err := json.Unmarshal([]byte(data), &charts); err != nil || len(charts) != 3 {
		t.Errorf("%v: %d charts in the page", err, len(charts))
	}
}

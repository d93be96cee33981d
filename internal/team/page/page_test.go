package page

import (
	"bytes"
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cairn/test/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// write makes a file of a page.
func write(t *testing.T, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := File(&b, p); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const hostile = `</script><img src=x onerror=alert(1)><!--<script>` + "\u2028" + `"'&`

// A stranger's text is shown as it is, and what the policy forbids does not run.
func TestText(t *testing.T) {
	tab := browsertest.Open(t, write(t, Page{
		Title: hostile,
		Body:  []byte(`<p id="text"></p>`),
		Data:  map[string]string{"name": hostile},
		JS:    []byte(`document.getElementById("text").append(el("b", { title: pageData().name }, pageData().name));`),
	}), browsertest.View{})
	var text, title string
	tab.Eval("document.querySelector('#text b').textContent", &text)
	tab.Eval("document.title", &title)
	if text != hostile || !strings.HasPrefix(title, "</script><img") {
		t.Errorf("text %q, title %q", text, title)
	}
	if bad := tab.Problems(); len(bad) > 0 {
		t.Errorf("the browser complains: %q", bad)
	}
	tab.Eval(`(() => {
		const s = document.createElement("script"); s.textContent = "window.ran = true"; document.body.append(s);
		document.body.insertAdjacentHTML("beforeend", "<img src='https://127.0.0.1:1/x.png' onerror='window.ran = true'><p style='color:red'>");
	})()`, nil)
	tab.Wait("document.querySelector('img')")
	var ran bool
	if tab.Eval("!!window.ran", &ran); ran {
		t.Error("a script that is not ours ran")
	}
	if bad := strings.Join(tab.Problems(), "\n"); !strings.Contains(bad, "Content Security Policy") {
		t.Errorf("the policy said nothing of a script, a picture and a style: %q", bad)
	}
}

// The same page from a server carries its policy in the headers.
func TestServe(t *testing.T) {
	rec := httptest.NewRecorder()
	if err := Serve(rec, Page{Title: "live", Live: true}); err != nil {
		t.Fatal(err)
	}
	policy := rec.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("no %s in %s", want, policy)
		}
	}
	if strings.Contains(policy, "unsafe") || rec.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers: %v", rec.Header())
	}
}

// What would end an element early is refused, not written.
func TestElementsEnd(t *testing.T) {
	for _, p := range []Page{{JS: []byte(`"</SCRIPT>"`)}, {CSS: []byte("</style>")}, {JS: []byte("x <!-- y")}} {
		if err := File(&bytes.Buffer{}, p); err == nil {
			t.Errorf("%s%s was written", p.JS, p.CSS)
		}
	}
}

const table = `<h1>Sizes</h1><table class="stack"><thead><tr>
<th scope="col" data-key="name"><button>Name</button></th><th scope="col" class="n" data-key="n" data-first="descending"><button>Count</button></th><th scope="col">State</th></tr></thead>
<tbody><tr><td>b</td><td class="n" data-label="count" data-sort="9">9</td><td><span class="status pass">pass</span></td></tr>
<tr><td>a-name-that-is-as-long-as-names-of-tests-are-when-machines-write-them/and_has_no_place_to_break_at_all_wherever_one_looks_for_one_in_it</td><td class="n" data-label="count" data-sort="10">10</td><td><span class="status fail">fail</span></td></tr></tbody></table>
<div class="tiles"><div class="tile"><b>1,234,567</b><span>figures</span></div><div class="tile"><b>2</b><span>more</span></div></div>`

const script = `sortable(document.querySelector("table")); let ran = 0; shortcuts([{ key: "j", what: "down", run: () => { ran++; } }]);`

func TestTable(t *testing.T) {
	file := write(t, Page{Title: "table", Body: []byte(table), JS: []byte(script)})
	tab := browsertest.Open(t, file, browsertest.View{Width: 360})
	if px := tab.Overflow(); px > 0 {
		t.Errorf("%d pixels too wide for a telephone", px)
	}
	for _, finding := range tab.Axe() {
		t.Error(finding)
	}
	order := func() (s string) {
		tab.Eval(`[...document.querySelectorAll("tbody tr")].map(r => r.cells[0].textContent[0]).join("") + document.querySelector("[aria-sort]")?.ariaSort`, &s)
		return s
	}
	tab.Look(browsertest.View{})
	for _, step := range []struct{ click, want string }{
		{"[data-key=name] button", "abascending"}, {"[data-key=name] button", "badescending"}, {"[data-key=n] button", "abdescending"},
	} {
		if tab.Click(step.click); order() != step.want {
			t.Errorf("after %s: %s, want %s", step.click, order(), step.want)
		}
	}
	tab.Keys("j", "?")
	if text := tab.Text("dialog[open]"); !strings.Contains(text, "down") {
		t.Errorf("? shows %q", text)
	}
	tab.Keys("j", "?", "j")
	var ran int
	if tab.Eval("ran", &ran); ran != 2 {
		t.Errorf("j ran %d times, want 2: not while the help is open", ran)
	}
	if bad := tab.Problems(); len(bad) > 0 {
		t.Errorf("the browser complains: %q", bad)
	}
}

var token = regexp.MustCompile(`--(\w+): (#[0-9a-f]{6})`)

// Text on every surface keeps 4.5 : 1, edges of controls 3 : 1, in light and
// dark (WCAG 2.2, 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	for _, scheme := range strings.SplitN(string(baseCSS), "@media screen and (prefers-color-scheme: dark)", 2) {
		colors := map[string]float64{}
		for _, m := range token.FindAllStringSubmatch(scheme, -1) {
			colors[m[1]] = luminance(m[2])
		}
		for _, surface := range []string{"paper", "card", "tint"} {
			for _, ink := range []string{"ink", "soft", "good", "bad", "warn", "info", "edge"} {
				least := 4.5
				if ink == "edge" {
					least = 3
				}
				hi, lo := math.Max(colors[surface], colors[ink]), math.Min(colors[surface], colors[ink])
				if c := (hi + .05) / (lo + .05); !(c >= least) {
					t.Errorf("%s on %s: %.2f, want %.1f (paper has luminance %.2f)", ink, surface, c, least, colors["paper"])
				}
			}
		}
	}
}

func luminance(hex string) float64 {
	var sum float64
	for i, weight := range []float64{.2126, .7152, .0722} {
		v, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(fmt.Sprint(hex, err))
		}
		c := float64(v) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

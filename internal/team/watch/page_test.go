package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"cairn/internal/team/live"
	"cairn/test/browsertest"
)

var voice = event{"event": "case", "name": "voice_is_direct", "category": "post_generation", "status": "fail", "duration_ms": 45000, "cost_usd": 0.031, "model": "claude-sonnet-4-6",
	"tags":             []string{"voice"},
	"judge_scores":     event{"accuracy": 0.85, "voice_fidelity": 0.58, "no_hedging": 0.3},
	"judge_reasoning":  "The post hedges in its second paragraph and never names the source of its figure.",
	"response_preview": "The proposed legislation would, it seems, possibly change how cities plan housing …",
	"failures": []event{
		{"type": "threshold", "expectation_type": "voice_check", "message": "Voice check failed: 2 of 5 criteria below threshold", "criterion": "voice_fidelity", "expected": 0.7, "actual": 0.58,
			"details": []event{{"criterion": "no_hedging", "score": 0.3, "threshold": 0.7}, {"criterion": "direct_tone", "score": 0.4, "threshold": 0.6}}},
		{"type": "deterministic", "check": "body_contains", "pattern": "Series B", "message": "Pattern not found in output"},
	}}

const markup = `<img src=x onerror="document.title='ran'"> & </script>`

// someOfIt is a run of 18 tests of which 9 have ended.
func someOfIt(r *runner) {
	at := time.Now().Add(-185 * time.Second)
	begin := start(18)
	begin["time"] = at.Format(time.RFC3339)
	r.write(begin)
	for i, e := range []event{
		one("must_cite_sources", "pass"), one("admin_search_knowledge", "pass"), voice, one("no_hallucinated_quotes", "pass"),
		{"event": "case", "name": "email_subject_under_60", "category": "email", "status": "error", "error": "429 Too Many Requests: the API refused after 5 tries\nRetry-After: 30", "duration_ms": 61000},
		one("tool_called_before_answer", "pass"), one(markup, "pass"), one("clusters_are_named_after_what_they_hold_and_not_after_the_first_article_in_them", "pass"), one("memory_extraction_keeps_dates", "skip"),
	} {
		e["time"] = at.Add(time.Duration(i+1) * 20 * time.Second).Format(time.RFC3339)
		if e["category"] == nil {
			e["category"] = "post_generation"
		}
		if e["status"] != "skip" {
			e["cost_usd"] = 0.0123 + float64(i)*0.002
		}
		r.write(e)
	}
	for _, name := range []string{"title_fits_a_headline", "bundle_housing_policy"} {
		r.write(event{"event": "running", "name": name, "category": "post_generation", "time": time.Now().Add(-12 * time.Second).Format(time.RFC3339)})
	}
}

func TestRunning(t *testing.T) {
	r := newRunner(t)
	s := serve(t, fast(File(r.file)))
	tab := browsertest.Open(t, s.URL(), browsertest.View{})
	tab.Wait(`document.querySelector("#waiting:not([hidden])")`)
	shots(tab, "waiting")
	someOfIt(r)
	tab.Wait(`document.querySelectorAll("#rows .name").length === 11`)
	var title string
	if tab.Eval("document.title", &title); title != "9/18 ✗2 · posts" {
		t.Errorf("title %q", title)
	}
	if got := names(tab); got[0] != "voice_is_direct" || got[1] != "email_subject_under_60" || !slices.Contains(got, markup) {
		t.Errorf("failures first, text as it is: %q", got)
	}
	if left := tab.Text("#left"); !strings.HasPrefix(left, "≈ 2m 5") {
		t.Errorf("%s left, want 9 tests at 20 s less the 5 s since the last", left)
	}
	for _, width := range []int{360, 768, 1280} {
		if tab.Look(browsertest.View{Width: width}); tab.Overflow() > 0 {
			t.Errorf("%d pixels wider than a window of %d", tab.Overflow(), width)
		}
	}
	for _, finding := range tab.Axe() {
		t.Error(finding)
	}
	shots(tab, "running")

	tab.Eval(`document.querySelector("#rows .name").dataset.same = "yes"`, nil)
	r.write(one("title_fits_a_headline", "pass"))
	tab.Wait(`document.title.startsWith("10/18")`)
	tab.Wait(`document.querySelector("#rows .name").dataset.same === "yes"`) // rows stay the elements that they were
	r.write(event{"event": "cost", "model": "claude-sonnet-4-6", "calls": 10, "input_tokens": 4000, "cost_usd": 1.5})
	tab.Wait(`document.getElementById("cost").textContent === "$1.50"`)
	r.write(event{"event": "cost", "model": "a-new-model", "input_tokens": 4000})
	tab.Wait(`document.getElementById("cost-note").textContent === "cost so far, without a-new-model"`)
	clean(t, tab)
}

func TestKeyboard(t *testing.T) {
	r := newRunner(t)
	someOfIt(r)
	s := serve(t, fast(File(r.file)))
	tab := browsertest.Open(t, s.URL(), browsertest.View{})
	tab.Wait(`document.querySelectorAll("#rows .name").length === 11`)
	focused := func() (text string) {
		tab.Eval(`document.activeElement.textContent || document.activeElement.id`, &text)
		return text
	}
	tab.Keys("j")
	if focused() != "voice_is_direct" {
		t.Errorf("j went to %q", focused())
	}
	tab.Keys(kb.Enter)
	tab.Wait(`document.querySelector(".detail meter")`)
	if text := tab.Text(".detail"); !strings.Contains(text, "Pattern not found in output") || !strings.Contains(text, "hedges in its second paragraph") || !strings.Contains(text, "wanted 0.7") {
		t.Errorf("details: %q", text)
	}
	shots(tab, "expanded")
	tab.Keys("j", "j", "k")
	if focused() != "email_subject_under_60" {
		t.Errorf("j j k went to %q", focused())
	}
	tab.Keys("j", "j")
	if focused() != "bundle_housing_policy" {
		t.Errorf("j j went to %q", focused())
	}
	r.write(one("bundle_housing_policy", "fail")) // its row moves up
	tab.Wait(`document.querySelectorAll("#rows tr.fail").length === 2 && document.querySelectorAll("#rows .name")[1].textContent === "bundle_housing_policy"`)
	if got := names(tab); focused() != "bundle_housing_policy" || got[1] != focused() {
		t.Errorf("a new result took the focus to %q, in %q", focused(), got)
	}
	tab.Wait(`document.querySelector("#rows tr.fail + tr.detail meter")`) // what was open stays so
	tab.Keys("f")
	tab.Wait(`document.querySelectorAll("#rows .name").length === 3`)
	tab.Keys("/", "v", "o", "i", "c", "e")
	tab.Wait(`document.querySelectorAll("#rows .name").length === 1`)
	tab.Keys("?")
	tab.Wait(`document.getElementById("filter").value === "voice?"`) // typed into the field, no help
	tab.Wait(`!document.getElementById("none").hidden`)
	shots(tab, "nothing-found")
	tab.Keys(kb.Escape, kb.Escape, "?")
	tab.Wait(`document.querySelector("dialog[open]") && document.querySelectorAll("#rows .name").length === 11`)
	shots(tab, "help")
	tab.Keys(kb.Escape)
	tab.Wait(`!document.querySelector("dialog[open]")`)
	clean(t, tab)
}

func TestFinished(t *testing.T) {
	r := newRunner(t)
	begin := start(3)
	begin["time"] = time.Now().Add(-time.Minute).Format(time.RFC3339)
	r.write(begin, one("a", "pass"), voice, one("c", "pass"), event{"event": "finish"})
	opts := fast(File(r.file))
	opts.Push = func(source string) string { return "cairn eval push " + source }
	s := serve(t, opts)
	tab := browsertest.Open(t, s.URL(), browsertest.View{})
	tab.Wait(`document.querySelector("#state .finished")`)
	if text := tab.Text("#push"); !strings.Contains(text, "cairn eval push "+r.file) {
		t.Errorf("hint %q", text)
	}
	if text := tab.Text("main"); !strings.Contains(text, "66.7 %") || !strings.Contains(text, "1 failed") {
		t.Errorf("tally: %q", text)
	}
	shots(tab, "finished")
	r.write(start(2), one("a", "fail")) // the runner begins anew
	tab.Wait(`document.title === "1/2 ✗1 · posts" && document.querySelectorAll("#rows .name").length === 1`)
	clean(t, tab)
}

func TestCrashed(t *testing.T) {
	r := newRunner(t)
	begin := start(18)
	begin["pid"] = gone(t)
	r.write(begin, one("a", "pass"), event{"event": "running", "name": "b"})
	r.append("Traceback (most recent call last):\n")
	s := serve(t, fast(File(r.file)))
	tab := browsertest.Open(t, s.URL(), browsertest.View{})
	tab.Wait(`document.querySelector("#state .crashed") && !document.getElementById("why").hidden`)
	if why := tab.Text("#why"); !strings.Contains(why, "process "+strconv.Itoa(begin["pid"].(int))+") is gone") {
		t.Errorf("why: %q", why)
	}
	if bad := tab.Text("#broken"); !strings.Contains(bad, "Line 4") || !strings.Contains(bad, "Traceback") {
		t.Errorf("the line that is no JSON: %q", bad)
	}
	shots(tab, "crashed")
	clean(t, tab)
}

func TestThousand(t *testing.T) {
	r := newRunner(t)
	r.write(start(1000))
	r.write(many(600)...)
	s := serve(t, fast(File(r.file)))
	tab := browsertest.Open(t, s.URL(), browsertest.View{})
	tab.Wait(`document.querySelectorAll("#rows .name").length === 600`)
	tab.Eval(`(() => { window.frame = 0; let last = performance.now(); const f = t => { window.frame = Math.max(window.frame, t - last); last = t; requestAnimationFrame(f); }; requestAnimationFrame(f); })()`, nil)
	for i, e := range many(1000) {
		if i >= 600 {
			r.write(e)
		}
	}
	tab.Wait(`document.querySelectorAll("#rows .name").length === 1000`)
	var longest float64
	tab.Eval("window.frame", &longest)
	t.Logf("the longest frame took %.0f ms", longest)
	if text := tab.Text("main"); !strings.Contains(text, "1,000 / 1,000") {
		t.Errorf("tally: %.300q", text)
	}
	tab.Keys("f")
	tab.Wait(`document.querySelectorAll("#rows .name").length === 10`)
	if dir := os.Getenv("CAIRN_SHOTS"); dir != "" {
		tab.Keys("f")
		tab.Shot(filepath.Join(dir, "thousand.png"))
	}
	clean(t, tab)
}

// Two look at once; one of them loses its connection and gets what it missed;
// the watch is started again and both go on.
func TestViewersAndReconnect(t *testing.T) {
	r := newRunner(t)
	r.write(start(5), one("a", "pass"))
	opts := fast(File(r.file))
	opts.Dir, opts.Key = t.TempDir(), "posts"
	s := serve(t, opts)
	first := browsertest.Open(t, s.URL(), browsertest.View{})
	second := browsertest.Open(t, s.URL(), browsertest.View{Width: 360})
	for _, tab := range []*browsertest.Tab{first, second} {
		tab.Wait(`document.title === "1/5 · posts"`)
	}
	clean(t, first)
	s.stop()
	for _, tab := range []*browsertest.Tab{first, second} {
		tab.Wait(`!document.getElementById("lost").hidden && document.querySelectorAll("#rows .name").length === 1`)
	}
	shots(first, "stopped")
	r.write(one("b", "fail"))
	opts.Source = File(r.file)
	again := serve(t, opts)
	if again.URL() != s.URL() {
		t.Fatalf("%s, want the address that it had: %s", again.URL(), s.URL())
	}
	for _, tab := range []*browsertest.Tab{first, second} {
		tab.Eval(`dispatchEvent(new Event("focus"))`, nil) // or in ten seconds
		tab.Wait(`document.title === "2/5 ✗1 · posts" && document.getElementById("lost").hidden && document.querySelectorAll("#rows .name").length === 2`)
	}
	again.until(t, "two viewers", func(*live.Run, live.State) bool { return again.viewers == 2 })
}

// A cut connection, as of a laptop that slept or a tunnel that broke: the page
// says so, and gets what it missed when there is a way again.
func TestCut(t *testing.T) {
	r := newRunner(t)
	r.write(start(5), one("a", "pass"))
	s := serve(t, fast(File(r.file)))
	tunnel := newTunnel(t, s.Port())
	tab := browsertest.Open(t, strings.Replace(s.URL(), strconv.Itoa(s.Port()), strconv.Itoa(tunnel.port), 1), browsertest.View{})
	tab.Wait(`document.title === "1/5 · posts"`)
	tab.Eval(`document.querySelector("#rows .name").dataset.same = "yes"`, nil)
	tunnel.cut(true)
	tab.Wait(`!document.getElementById("lost").hidden`)
	if text := tab.Text("#lost"); !strings.Contains(text, "trying again") {
		t.Errorf("banner: %q", text)
	}
	shots(tab, "cut")
	r.write(one("b", "fail"))
	tunnel.cut(false)
	tab.Wait(`document.title === "2/5 ✗1 · posts" && document.getElementById("lost").hidden`)
	tab.Wait(`document.querySelector("[data-same]")`) // it was not sent everything again
}

// A server that refuses for a while is asked again.
func TestFull(t *testing.T) {
	r := newRunner(t)
	r.write(start(5), one("a", "pass"))
	s := serve(t, fast(File(r.file)))
	full := func(n int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.viewers += n
	}
	full(maxViewers)
	tab := browsertest.Open(t, s.URL(), browsertest.View{})
	tab.Wait(`!document.getElementById("lost").hidden`)
	full(-maxViewers)
	tab.Wait(`document.title === "1/5 · posts" && document.getElementById("lost").hidden`)
}

// What go test -json tells, with the output of what failed.
func TestGoTest(t *testing.T) {
	r := newRunner(t)
	data, err := os.ReadFile("../live/testdata/go-test.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	r.append(string(data))
	s := serve(t, fast(File(r.file)))
	tab := browsertest.Open(t, s.URL(), browsertest.View{})
	tab.Wait(`document.querySelectorAll("#rows tr.fail").length === 2 && document.querySelector("#rows tr.error")`)
	tab.Keys("j", kb.Enter)
	tab.Wait(`document.querySelector(".detail pre")?.textContent.includes("_test.go:")`)
	shots(tab, "gotest")
	clean(t, tab)
}

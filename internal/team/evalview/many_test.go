package evalview

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/team/result"
	"cairn/test/browsertest"
	"cairn/test/cairntest"
)

// Ten thousand cases: the first are there at once, all are there soon, the search
// finds one, and a scroll to the end draws what is there. Figures are logged, for
// time is no promise.
func TestManyCases(t *testing.T) {
	cairntest.NoRace(t)
	run := made(t, 1)
	like := run.Results[0]
	run.Results = nil
	for i := range 10_000 {
		r := like
		r.Name = fmt.Sprintf("case_%05d", i)
		r.Set(result.Pass)
		if i%17 == 0 {
			r.Set(result.Fail)
			r.Failures = []result.Failure{{Message: fmt.Sprintf("accuracy 0.%d is below 0.7", i%7)}}
		}
		run.Results = append(run.Results, r)
	}
	run.Counts = result.Counts{}
	run.Derive()
	if err := run.Identify(); err != nil {
		t.Fatal(err)
	}
	v := serve(t, nil, run)
	tab := browsertest.Open(t, v.URL()+runLink(run.ID), browsertest.View{})
	tab.Wait("document.querySelectorAll('#rows li').length === 10000")
	var figures map[string]float64
	tab.Eval(`(async () => {
		const frame = () => new Promise(done => requestAnimationFrame(done)), paint = performance.getEntriesByName("first-contentful-paint")[0];
		const out = { paint: paint ? paint.startTime : -1, worst: 0, frames: 0 };
		let last = performance.now();
		for (let k = 1; k <= 60; k++) {
			scrollTo(0, document.body.scrollHeight * k / 60);
			await frame();
			const now = performance.now();
			out.worst = Math.max(out.worst, now - last); out.frames++; last = now;
		}
		out.seen = [...document.querySelectorAll("#rows li")].filter(li => { const r = li.getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight; }).length;
		const before = performance.now(), f = document.getElementById("filter");
		f.value = "case_07777"; f.dispatchEvent(new Event("input"));
		out.search = performance.now() - before;
		out.found = document.querySelectorAll("#rows li").length;
		return out;
	})()`, &figures)
	t.Logf("10,000 cases: first paint %.0f ms, worst of %.0f frames of scrolling %.0f ms, search %.0f ms", figures["paint"], figures["frames"], figures["worst"], figures["search"])
	if figures["seen"] < 5 || figures["found"] != 1 {
		t.Errorf("%v", figures)
	}
}

// An answer of a megabyte is cut until one asks for all of it; one of more says
// how much is left out.
func TestLongAnswers(t *testing.T) {
	long := strings.Repeat("word after word ", 1<<20/16-10)
	runs := days(t, 2)
	for i, run := range runs {
		run.Results[5].Output = value(map[string]string{"response": fmt.Sprint(i, " ", long, strings.Repeat("more ", 60_000*i))})
		if err := run.Identify(); err != nil {
			t.Fatal(err)
		}
	}
	v := serve(t, runs)
	tab := browsertest.Open(t, v.URL()+caseLink(runs[1].ID, idOf(runs[1], &runs[1].Results[5])), browsertest.View{})
	tab.Wait("document.querySelectorAll('.columns').length === 3")
	lengths := func() (n []int) {
		tab.Eval("[...document.querySelectorAll('.columns')[1].querySelectorAll('pre')].map(p => p.textContent.length)", &n)
		return n
	}
	if n := lengths(); n[0] > 13_000 || n[1] > 13_000 {
		t.Errorf("shown at first: %d", n)
	}
	if text := tab.Text("main"); !strings.Contains(text, "Show all (1.3 MB)") || !strings.Contains(text, "are not on this page") {
		t.Errorf("what is cut is not said: %.500s", text)
	}
	var took float64
	tab.Eval(`(() => { const at = performance.now(); document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true })); document.body.offsetHeight; return performance.now() - at; })()`, &took)
	t.Logf("two answers of a megabyte are shown in %.0f ms", took)
	if n := lengths(); n[0] != 1<<20 || n[2] < 1_000_000 {
		t.Errorf("shown then: %d", n)
	}
	if bad := tab.Problems(); len(bad) > 0 {
		t.Errorf("%q", bad)
	}
	if dir := os.Getenv("CAIRN_SHOTS"); dir != "" {
		tab.ShotWindow(filepath.Join(dir, "long.png"))
	}
}

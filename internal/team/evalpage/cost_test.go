package evalpage

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/team/cost"
	"cairn/internal/team/result"
	"cairn/test/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

func TestCost(t *testing.T) {
	const hostile = `</td><script>window.ran=1</script>`
	run := result.Run{Label: "dev " + hostile, JudgeTier: "standard", Costs: []result.Cost{
		{Model: "claude-haiku-4-5", Calls: 210, InputTokens: 1_845_123, OutputTokens: 312_456, CacheReadTokens: 9_000_000},
		{Model: "claude-opus-4-6", Calls: 5, InputTokens: 78900, OutputTokens: 45123},
		{Model: "us.anthropic.a-model-with-a-name-of-more-than-sixty-characters-v1:0" + hostile, Calls: 1, InputTokens: 10},
		{Model: "ours", Calls: 2, CostUSD: 0.25},
	}}
	prices, err := cost.Load()
	if err != nil {
		t.Fatal(err)
	}
	show := func(run *result.Run, v browsertest.View) *browsertest.Tab {
		var b bytes.Buffer
		if err := Cost(&b, cost.Sum(run, prices)); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "cost.html")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return browsertest.Open(t, file, v)
	}
	tab := show(&run, browsertest.View{})
	first := func() (model string) {
		tab.Eval("document.querySelector('#costs tbody td').textContent", &model)
		return model
	}
	if got := first(); got != "claude-haiku-4-5" {
		t.Errorf("first is %q", got)
	}
	tab.Click("#costs th[data-key='5'] button")
	tab.Click("#costs th[data-key='5'] button") // the cheapest, which is unknown, first
	if got := first(); !strings.HasSuffix(got, hostile) {
		t.Errorf("after sorting by cost the first is %q", got)
	}
	if got := tab.Text("#costs tfoot"); !strings.Contains(got, "≥ $") {
		t.Errorf("total %q", got)
	}
	var ran bool
	if tab.Eval("!!window.ran", &ran); ran {
		t.Error("a model's name ran")
	}
	for i, v := range []browsertest.View{{}, {Dark: true}, {Width: 360}, {Width: 360, Dark: true}} {
		tab.Look(v)
		if px := tab.Overflow(); px > 0 {
			t.Errorf("%+v: %d px too wide", v, px)
		}
		for _, finding := range tab.Axe() {
			t.Errorf("%+v: %s", v, finding)
		}
		if dir := os.Getenv("CAIRN_SHOTS"); dir != "" {
			tab.Shot(filepath.Join(dir, "cost-"+string(rune('a'+i))+".png"))
		}
	}
	if bad := tab.Problems(); len(bad) > 0 {
		t.Errorf("the browser complains: %q", bad)
	}
	empty := show(&result.Run{}, browsertest.View{Width: 360})
	if got := empty.Text("main"); !strings.Contains(got, "lists no costs") || len(empty.Problems()) > 0 {
		t.Errorf("%q %q", got, empty.Problems())
	}
}

package cost

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/team/result"
)

var update = flag.Bool("update", false, "write the golden files anew")

func load(t *testing.T, files ...string) Table {
	t.Helper()
	table, err := Load(files...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestNames(t *testing.T) {
	table := load(t)
	for model, want := range map[string]string{
		"claude-sonnet-4-5":                                                             "claude-sonnet-4-5",
		"claude-sonnet-4-5-20250929":                                                    "claude-sonnet-4-5",
		"claude-sonnet-4-5@20250929":                                                    "claude-sonnet-4-5",
		"anthropic/claude-sonnet-4.5":                                                   "claude-sonnet-4-5",
		"openrouter/anthropic/claude-opus-4.6":                                          "claude-opus-4-6",
		"us.anthropic.claude-haiku-4-5-20251001-v1:0":                                   "claude-haiku-4-5",
		"bedrock/eu.anthropic.claude-sonnet-4-20250514-v1:0":                            "claude-sonnet-4",
		"projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5@20250929": "claude-sonnet-4-5",
		"arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0": "claude-sonnet-4-5",
		"arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3":                           "",
		"anthropic:messages:claude-opus-4-1":                                                                    "claude-opus-4-1",
		"Claude-3-5-Haiku-latest":                                                                               "claude-3-5-haiku",
		"sonnet-4-6":                                                                                            "claude-sonnet-4-6",
		"opus-4-6":                                                                                              "claude-opus-4-6",
		"openai:chat:gpt-4.1-mini":                                                                              "gpt-4.1-mini",
		"gpt-4o-2024-08-06":                                                                                     "gpt-4o",
		"gpt-4o-2024-05-13":                                                                                     "gpt-4o-2024-05-13",
		"azure/gpt-5":                                                                                           "gpt-5",
		"models/gemini-2.5-pro":                                                                                 "gemini-2.5-pro",
		"google/gemini-3.1-pro-preview":                                                                         "gemini-3.1-pro",

		// what looks like another model is none
		"gpt-5-pro": "", "gpt-5-codex": "", "gpt-4o-mini-audio-preview": "", "claude-sonnet-9": "", "sonnet": "", "": "",
		"gpt-4o:free": "", "gpt-4o-12345678": "", "my-gpt-4o": "", "groq/deepseek-v4-pro": "", "ft:gpt-4o-2024-08-06:acme::x": "", "gemini-2.5-flash-image": "", "o3-pro": "", "gpt-4": "",
	} {
		p, ok := table.Find(model)
		if ok != (want != "") || p.ID != want {
			t.Errorf("%q: %q, want %q", model, p.ID, want)
		}
	}
}

func TestBuiltinTable(t *testing.T) {
	table := load(t)
	if len(table.prices) < 50 {
		t.Errorf("%d models", len(table.prices))
	}
	tiers := map[string]string{}
	for _, p := range table.prices {
		if p.AsOf == "" || !strings.HasPrefix(p.Source, "https://") || p.Vendor == "" {
			t.Errorf("%s: as of %q, from %q of %q", p.ID, p.AsOf, p.Source, p.Vendor)
		}
		if p.Input <= 0 || p.Output < p.Input || p.CacheRead > p.Input {
			t.Errorf("%s: %+v", p.ID, p)
		}
		if p.Tier != "" {
			tiers[p.Vendor+" "+p.Tier] += p.ID
		}
	}
	for _, vendor := range []string{"anthropic", "openai", "google"} {
		for _, tier := range []string{Fast, Standard, Full} {
			if tiers[vendor+" "+tier] == "" {
				t.Errorf("%s has no %s model", vendor, tier)
			}
		}
	}
}

func TestOf(t *testing.T) {
	table := load(t)
	for _, tc := range []struct {
		name  string
		cost  result.Cost
		usd   float64
		known bool
	}{
		{"tokens", result.Cost{Model: "claude-sonnet-4-6", Calls: 1, InputTokens: 1e6, OutputTokens: 1e5}, 4.5, true},
		{"cache", result.Cost{Model: "claude-sonnet-4-6", CacheReadTokens: 1e6, CacheWriteTokens: 1e6}, 4.05, true},
		{"no price for a cache: as input", result.Cost{Model: "gpt-4o-2024-05-13", CacheReadTokens: 1e6}, 5, true},
		{"the runner's own", result.Cost{Model: "claude-sonnet-4-6", InputTokens: 1e6, CostUSD: 0.5}, 0.5, true},
		{"the runner's own of an unknown model", result.Cost{Model: "x", CostUSD: 0.5}, 0.5, true},
		{"unknown model", result.Cost{Model: "x", InputTokens: 5}, 0, false},
		{"no calls", result.Cost{Model: "x"}, 0, true},
		{"calls that told no tokens", result.Cost{Model: "claude-sonnet-4-6", Calls: 3}, 0, false},
		{"more than an int holds when multiplied", result.Cost{Model: "claude-opus-4-1", InputTokens: math.MaxInt64}, math.MaxInt64 * 15e-6, true},
	} {
		if usd, known := table.Of(tc.cost); math.Abs(usd-tc.usd) > 1e-9*max(1, tc.usd) || known != tc.known {
			t.Errorf("%s: %v %v", tc.name, usd, known)
		}
	}
}

func TestOwnPrices(t *testing.T) {
	file := filepath.Join(t.TempDir(), "prices.toml")
	for _, tc := range []struct{ text, err string }{
		{"[[model]]\nid = 'ours'\naliases = ['the-ours']\nvendor = 'anthropic'\ntier = 'full'\ninput = 1\noutput = 2\n", ""},
		{"# one\n\n[[model]]\nid = 'ours'\ninput = 1\n", ":3: \"ours\" needs both input and output"},
		{"[[model]]\ninput = 1\noutput = 1\n", ":1: a model without an id"},
		{"[[model]]\nid = 'a'\ninput = 1\noutput = 1\n[[model]]\nid = 'a'\ninput = 1\noutput = 1\n", ":5: \"a\" was already in this file"},
		{"[[model]]\nid = 'a'\ninput = -1\noutput = 1\n", ":1: \"a\": -1 is no price"},
		{"[[model]]\nid = 'a'\ninput = nan\noutput = 1\n", ":1: \"a\": NaN is no price"},
		{"[[model]]\nid = 'a'\ntier = 'best'\ninput = 1\noutput = 1\n", ":1: \"a\": tier must be fast, standard or full, not \"best\""},
		{"[[model]]\nid = 'a'\ntier = 'fast'\ninput = 1\noutput = 1\n", ":1: \"a\" has a tier and no vendor"},
		{"[[model]]\nid = 'a'\ninput = 'x'\noutput = 1\n", ":3: "},
		{"[[model]]\nid = 'a'\ninputs = 1\n", ":3: model.inputs is not known here"},
		{"[[model]\n", ":1: "},
	} {
		if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := Load(file)
		if tc.err != "" {
			if err == nil || !strings.Contains(err.Error(), file+tc.err) {
				t.Errorf("%q: %v, want %q", tc.text, err, tc.err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		p, ok := table.Find("the-ours")
		if !ok || p.Source != file || p.CacheRead != 1 {
			t.Errorf("%+v %v", p, ok)
		}
		// it is its vendor's full model from now on
		if usd, known := table.AtTier(result.Cost{Model: "claude-sonnet-4-6", OutputTokens: 1e6}, Full); usd != 2 || !known {
			t.Errorf("at full tier %v %v", usd, known)
		}
	}
	if err := os.WriteFile(file, []byte("[[model]]\nid = 'Claude-Opus-4'\ninput = 1\noutput = 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, ok := load(t, file).Find("claude-opus-4-0"); !ok || p.Output != 2 || p.Vendor != "anthropic" {
		t.Errorf("a discount: %+v", p)
	}
	if _, err := Load(filepath.Join(t.TempDir(), "gone.toml")); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// table is of the test's own, so that a new price changes no golden box.
const testPrices = `
[[model]]
id = "claude-sonnet-4-6"
vendor = "anthropic"
tier = "standard"
input = 3
output = 15
cache_read = 0.3
cache_write = 3.75
as_of = 2026-02-01
[[model]]
id = "claude-opus-4-6"
vendor = "anthropic"
tier = "full"
input = 5
output = 25
note = "only for a test"
as_of = 2026-03-01
[[model]]
id = "claude-haiku-4-5"
vendor = "anthropic"
tier = "fast"
input = 1
output = 5
as_of = 2026-03-01
`

func TestBox(t *testing.T) {
	prices := filepath.Join(t.TempDir(), "prices.toml")
	if err := os.WriteFile(prices, []byte(testPrices), 0o600); err != nil {
		t.Fatal(err)
	}
	table := load(t, prices)
	seed := []result.Cost{{Model: "sonnet-4-6", Calls: 25, InputTokens: 45123, OutputTokens: 12456}, {Model: "opus-4-6", Calls: 5, InputTokens: 78900, OutputTokens: 45123}}
	for _, tc := range []struct {
		name  string
		width int
		run   result.Run
	}{
		{"seed", 0, result.Run{JudgeTier: "standard", Costs: seed}},
		{"none", 0, result.Run{}},
		{"total-only", 0, result.Run{TotalCostUSD: 1234.567}},
		{"unknown", 0, result.Run{Costs: []result.Cost{seed[0], {Model: "llama-4-\x1b[31mred", Calls: 1, InputTokens: 10}, {Model: "ours", Calls: 2, CostUSD: 0.25}, {Model: "claude-haiku-4-5", Calls: 3}}}},
		{"all-unknown", 0, result.Run{Costs: []result.Cost{{Model: "x", Calls: 1, InputTokens: 10}}}},
		{"cached", 0, result.Run{Costs: []result.Cost{{Model: "claude-sonnet-4-6", Calls: 1, InputTokens: 10, CacheReadTokens: 1_000_000, CacheWriteTokens: 2000}}}},
		{"wide-letters", 0, result.Run{Costs: []result.Cost{{Model: "日本語モデル", Calls: 1, InputTokens: 1, OutputTokens: 1, CostUSD: 0.00001}}}},
		{"huge", 0, result.Run{Costs: []result.Cost{{Model: "claude-sonnet-4-6", Calls: math.MaxInt64, InputTokens: math.MaxInt64, OutputTokens: math.MaxInt64}, {Model: "claude-opus-4-6", Calls: math.MaxInt64, InputTokens: 9}}}},
		{"huge-60", 60, result.Run{Costs: []result.Cost{{Model: "claude-sonnet-4-6", Calls: 4e9, InputTokens: 1e15, OutputTokens: 3e12}}}},
		{"long-name-60", 60, result.Run{JudgeTier: "full", Costs: []result.Cost{{Model: "us.anthropic.claude-sonnet-4-6-20260217-v1:0-a-very-long-name", Calls: 1, InputTokens: 45123, OutputTokens: 1}, seed[1]}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Sum(&tc.run, table).box(tc.width)
			for i, line := range strings.Split(got, "\n") {
				if strings.ContainsAny(line, "│┌├└") && tc.width > 0 && len([]rune(line)) > tc.width {
					t.Errorf("line %d has %d columns", i, len([]rune(line)))
				}
			}
			golden := filepath.Join("testdata", tc.name+".box")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, _ := os.ReadFile(golden)
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

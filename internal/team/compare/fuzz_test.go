package compare_test

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"cairn/internal/team/compare"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/result"
)

// Whatever two files of results hold: every form can be written, and nothing
// that a terminal would obey is in the text.
func FuzzRuns(f *testing.F) {
	full, err := os.ReadFile("../result/testdata/full.json")
	if err != nil {
		f.Fatal(err)
	}
	a, b := compare.Sample()
	a.Results, b.Results = a.Results[:20], b.Results[100:130]
	one, err := result.Encode(a)
	if err != nil {
		f.Fatal(err)
	}
	two, err := result.Encode(b)
	if err != nil {
		f.Fatal(err)
	}
	small := `{"schema_version":1,"all_results":[{"name":"a\u001b[2J","passed":true,"score":1e300,"scale":"0-1e308","cost_usd":9e18,"attempt":3},{"name":"b","passed":false}]}`
	f.Add(full, one)
	f.Add(one, two)
	f.Add([]byte(small), []byte(strings.ReplaceAll(small, "true", "false")))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		a, _, err := result.Decode(before)
		if err != nil {
			return
		}
		b, _, err := result.Decode(after)
		if err != nil {
			return
		}
		c := compare.Runs(a, b, compare.Options{})
		if _, err := json.Marshal(c); err != nil {
			t.Errorf("JSON: %v", err)
		}
		var text strings.Builder
		if err := c.Text(&text, compare.View{Limit: 3}); err != nil {
			t.Error(err)
		}
		for _, out := range []string{text.String(), c.Markdown(3)} {
			if strings.ContainsAny(out, "\x1b\x07\u009b") {
				t.Errorf("a control character: %q", out)
			}
		}
		if err := evalpage.Compare(io.Discard, c, a, b); err != nil {
			t.Errorf("HTML: %v", err)
		}
	})
}

package dashboard

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"cairn/test/cairntest"
)

// The seeded team's real regression, a quarter of the cases of one suite for
// four weeks, is said the same way by every page: no test of two runs sees it.
func TestSeededFall(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	site, w := world(t)
	get := func(path string) string {
		t.Helper()
		r, err := http.Get(site + "/t/" + w.Teams[0].Slug + "/" + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != 200 {
			t.Fatal(r.Status, err)
		}
		return string(b)
	}
	changes := strings.Split(strings.TrimSpace(get("quality/changes.csv")), "\n")
	if len(changes) != 2 || !strings.HasPrefix(changes[1], "2026-02-16T10:00:00Z,mail,acme/api,regression,0.9") || !strings.Contains(changes[1], ",CI,firing,") {
		t.Errorf("%q", changes)
	}
	cases := get("quality/changed-cases.csv")
	if n := strings.Count(cases, "\nmail,2026-02-16,"); n < 12 || n > 16 || !strings.Contains(cases, "must do what case 13 asks for,1,0\n") {
		t.Errorf("%d cases: %s", n, cases)
	}
	if first := get("pulse/changes.csv"); !strings.Contains(first, "2026-02-16,mail,acme/api,regression,\"9") || !strings.Contains(first, "first bad commit ") || !strings.Contains(first, ", by CI\",firing\n") {
		t.Errorf("%s", first)
	}
	if chart := get("quality.json"); !strings.Contains(chart, `"marks"`) || !strings.Contains(chart, `"text": "16 Feb: 9`) {
		t.Error("the chart marks no change")
	}
}

package stats

import (
	"math"
	"testing"
)

// cohen1968 is Table 1 of Cohen, "Weighted kappa" (1968), as counts of 200
// cases. He gives κ = .492. All digits: statsmodels 0.13.5, cohens_kappa(table).
var cohen1968 = [][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}

func TestCohenKappaPublished(t *testing.T) {
	plain, ok := CohenKappa(cohen1968)
	if !ok || !close(plain, 0.49152542372881347, 1e-12) {
		t.Errorf("CohenKappa = %.17g, %v", plain, ok)
	}
	if got, ok := CohenKappa([][]int{{20, 5}, {10, 15}}); !ok || !close(got, 0.4, 1e-12) {
		t.Errorf("2×2 = %.17g, %v; (0.7 − 0.5)/(1 − 0.5) is 0.4", got, ok)
	}
}

func TestCohenKappaProperties(t *testing.T) {
	scaled, turned := [][]int{{}, {}, {}}, [][]int{{}, {}, {}}
	for i := range cohen1968 {
		for j := range cohen1968 {
			scaled[i] = append(scaled[i], 1_000_000*cohen1968[i][j])
			turned[i] = append(turned[i], cohen1968[j][i])
		}
	}
	want, _ := CohenKappa(cohen1968)
	for name, table := range map[string][][]int{"a million times": scaled, "judges exchanged": turned} {
		if got, ok := CohenKappa(table); !ok || !close(got, want, 1e-12) {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	for _, c := range []struct {
		table [][]int
		want  float64
	}{
		{[][]int{{5, 0}, {0, 5}}, 1}, {[][]int{{0, 5}, {5, 0}}, -1},
		{[][]int{{4, 4}, {4, 4}}, 0}, {[][]int{{9, 1}, {0, 0}}, 0},
	} {
		if got, ok := CohenKappa(c.table); !ok || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v: %g, %v; want %g", c.table, got, ok, c.want)
		}
	}
}

func TestCohenKappaUndefined(t *testing.T) {
	for _, table := range [][][]int{
		nil, {}, {{5}}, {{0, 0}, {0, 0}}, {{7, 0}, {0, 0}}, // one category only
		{{1, 2}, {3}}, {{1, 2, 3}, {4, 5, 6}}, {{1, -1}, {1, 1}},
	} {
		if got, ok := CohenKappa(table); ok || !math.IsNaN(got) {
			t.Errorf("CohenKappa(%v) = %g, %v; want NaN, false", table, got, ok)
		}
	}
}

// fleiss1971 is the table of Fleiss (1971): 30 patients, six psychiatrists
// each, into five diagnoses, the columns
// in some order, which κ does not see.
var fleiss1971 = [][]int{
	{0, 0, 0, 6, 0}, {0, 3, 0, 0, 3}, {0, 1, 4, 0, 1}, {0, 0, 0, 0, 6}, {0, 3, 0, 3, 0},
	{2, 0, 4, 0, 0}, {0, 0, 4, 0, 2}, {2, 0, 3, 1, 0}, {2, 0, 0, 4, 0}, {0, 0, 0, 0, 6},
	{1, 0, 0, 5, 0}, {1, 1, 0, 4, 0}, {0, 3, 3, 0, 0}, {1, 0, 0, 5, 0}, {0, 2, 0, 3, 1},
	{0, 0, 5, 0, 1}, {3, 0, 0, 1, 2}, {5, 1, 0, 0, 0}, {0, 2, 0, 4, 0}, {1, 0, 2, 0, 3},
	{0, 0, 0, 0, 6}, {0, 1, 0, 5, 0}, {0, 2, 0, 1, 3}, {2, 0, 0, 4, 0}, {1, 0, 0, 4, 1},
	{0, 5, 0, 1, 0}, {4, 0, 0, 0, 2}, {0, 2, 0, 4, 0}, {1, 0, 5, 0, 0}, {0, 0, 0, 0, 6},
}

// fourteenRaters is the worked example of Wikipedia's "Fleiss' kappa": .210.
var fourteenRaters = [][]int{
	{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
	{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7},
}

// The paper gives .430; all digits: statsmodels 0.13.5, fleiss_kappa(table).
func TestFleissKappaPublished(t *testing.T) {
	if got, ok := FleissKappa(fleiss1971); !ok || !close(got, 0.43024452006014074, 1e-12) {
		t.Errorf("Fleiss 1971: %.17g, %v", got, ok)
	}
	if got, ok := FleissKappa(fourteenRaters); !ok || !close(got, 0.20993070442195522, 1e-12) {
		t.Errorf("14 raters: %.17g, %v", got, ok)
	}
}

func TestFleissKappaEdges(t *testing.T) {
	for _, c := range []struct {
		counts [][]int
		want   float64
	}{
		{[][]int{{3, 0}, {0, 3}}, 1},
		{[][]int{{1, 1}, {1, 1}}, -1}, // two judges who never agree
		{[][]int{{2, 1}}, -0.5},       // one subject: seen 1/3, by chance 5/9
	} {
		if got, ok := FleissKappa(c.counts); !ok || !close(got, c.want, 1e-12) {
			t.Errorf("%v: %g, %v; want %g", c.counts, got, ok, c.want)
		}
	}
	for _, counts := range [][][]int{
		nil, {{}}, {{1, 0}}, {{0, 0}}, {{3, 0}, {3, 0}}, // nobody, one judge, one category
		{{2, 1}, {2, 2}}, {{2, 1}, {3}}, {{4, -1}, {2, 1}},
	} {
		if got, ok := FleissKappa(counts); ok || !math.IsNaN(got) {
			t.Errorf("FleissKappa(%v) = %g, %v; want NaN, false", counts, got, ok)
		}
	}
}

func FuzzKappa(f *testing.F) {
	f.Add(1, 2, 3, 4)
	f.Add(math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt)
	f.Add(0, 0, 0, 0)
	f.Fuzz(func(t *testing.T, a, b, c, d int) {
		table := [][]int{{a, b}, {c, d}}
		plain, plainOK := CohenKappa(table)
		fleiss, fleissOK := FleissKappa(table)
		for _, r := range []struct {
			kappa float64
			ok    bool
		}{{plain, plainOK}, {fleiss, fleissOK}} {
			if r.ok != (r.kappa >= -1.0000001 && r.kappa <= 1) || r.ok == math.IsNaN(r.kappa) {
				t.Fatalf("%v: %g, %v", table, r.kappa, r.ok)
			}
		}
	})
}

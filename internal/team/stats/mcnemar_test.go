package stats

import (
	"math"
	"testing"
)

// The exact column: R 4.2.2, binom.test(b, b+c)$p.value; 15/3 also statsmodels
// 0.13.5, mcnemar([[53,15],[3,29]], exact=True). Mid-p: the sums of
// binomial coefficients with Python's fractions, rounded once at the end.
func TestMcNemarPublished(t *testing.T) {
	for _, c := range []struct {
		b, c        int
		exact, midP float64
	}{
		{15, 3, 0.007537841796875, 0.004425048828125},
		{3, 15, 0.007537841796875, 0.004425048828125},
		{6, 0, 0.03125, 0.015625},
		{5, 0, 0.0625, 0.03125},
		{1, 0, 1, 0.5},
		{0, 0, 1, 1},
		{20, 5, 0.004077315330505371, 0.002493917942047119},
		{25, 12, 0.04703102743951604, 0.03355243967962451},
		{40, 18, 0.005354859650800292, 0.0037937056353716074},
		{18, 40, 0.005354859650800292, 0.0037937056353716074},
		{13, 13, 1, 1},
		{26, 0, 2.9802322387695312e-08, 1.4901161193847656e-08},
		{620, 500, 0.00037241375554407185, 0.00033417705775615745},
	} {
		for _, f := range []struct {
			name      string
			got, want float64
		}{
			{"McNemarExact", McNemarExact(c.b, c.c), c.exact},
			{"McNemarMidP", McNemarMidP(c.b, c.c), c.midP},
		} {
			if !close(f.got, f.want, 1e-13) {
				t.Errorf("%s(%d, %d) = %.17g, want %.17g", f.name, c.b, c.c, f.got, f.want)
			}
		}
	}
}

// The same 100 cases, 68 passed before and 56 now, with and without the pairs:
// 53 both, 15 only before, 3 only now, 29 neither. The unpaired z test (R:
// prop.test(c(68,56), c(100,100), correct=FALSE); statsmodels: proportions_ztest)
// sees nothing where the pairs show a loss.
func TestMcNemarSeesWhatTheUnpairedTestMisses(t *testing.T) {
	pooled := (68. + 56) / 200
	z := (0.68 - 0.56) / math.Sqrt(pooled*(1-pooled)*2/100)
	unpaired := 2 * normalCDF(-z)
	if !close(unpaired, 0.0804381192088295, 1e-12) {
		t.Errorf("unpaired p = %.17g", unpaired)
	}
	p, method := McNemar(15, 3)
	if math.Round(p*10000) != 75 || method != "exact" {
		t.Errorf("McNemar(15, 3) = %.4f, %s; want 0.0075, exact", p, method)
	}
}

func TestMcNemarChangesToMidPPast25(t *testing.T) {
	for n := 0; n <= 60; n++ {
		for b := 0; b <= n; b++ {
			want, wantMethod := McNemarExact(b, n-b), "exact"
			if n > 25 {
				want, wantMethod = McNemarMidP(b, n-b), "mid-p"
			}
			p, method := McNemar(b, n-b)
			if p != want || method != wantMethod {
				t.Fatalf("McNemar(%d, %d) = %g, %s", b, n-b, p, method)
			}
		}
	}
}

func TestMcNemarProperties(t *testing.T) {
	for n := 1; n <= 120; n++ {
		for b := 0; b <= n; b++ {
			c := n - b
			p, _ := McNemar(b, c)
			back, _ := McNemar(c, b)
			if !(p > 0 && p <= 1) || p != back {
				t.Fatalf("McNemar(%d, %d) = %g, turned around %g", b, c, p, back)
			}
			if McNemarMidP(b, c) > McNemarExact(b, c) {
				t.Fatalf("%d/%d: mid-p above exact", b, c)
			}
			if nearer, _ := McNemar(b-1, c+1); b-1 >= c+1 && p >= nearer {
				t.Fatalf("%d/%d: more uneven, not smaller p", b, c)
			}
		}
	}
}

func TestMcNemarEdges(t *testing.T) {
	for _, bc := range [][2]int{{-1, 0}, {0, -1}, {-5, 30}, {30, -5}} {
		p, _ := McNemar(bc[0], bc[1])
		for _, got := range []float64{p, McNemarExact(bc[0], bc[1]), McNemarMidP(bc[0], bc[1])} {
			if !math.IsNaN(got) {
				t.Errorf("%v gives %g, want NaN", bc, got)
			}
		}
	}
	// A million discordant cases: two sigmas by the normal distribution.
	p, method := McNemar(501_000, 499_000)
	if want := 2 * normalCDF(-2); !close(p, want, 1e-4) || method != "mid-p" {
		t.Errorf("McNemar(501000, 499000) = %g, %s; want about %g", p, method, want)
	}
}

func FuzzMcNemar(f *testing.F) {
	f.Add(15, 3)
	f.Add(0, 0)
	f.Add(-1, 1_000_000)
	f.Fuzz(func(t *testing.T, b, c int) {
		b, c = b%10_000_000, c%10_000_000
		p, _ := McNemar(b, c)
		for _, got := range []float64{p, McNemarExact(b, c), McNemarMidP(b, c)} {
			if valid := b >= 0 && c >= 0; valid != (got >= 0 && got <= 1) || valid == math.IsNaN(got) {
				t.Fatalf("%d/%d gives %g", b, c, got)
			}
		}
	})
}

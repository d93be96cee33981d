package budget

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/home"
)

var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

func today(spent float64) Span {
	return Span{noon.Add(-12 * time.Hour), noon.Add(12 * time.Hour), spent}
}

func keep(t *testing.T, h home.Home, n Now) {
	t.Helper()
	if err := n.Keep(h); err != nil {
		t.Fatal(err)
	}
}

// Each threshold is told once in each period, and again in the next.
func TestUntold(t *testing.T) {
	h := home.Home(t.TempDir())
	at := func(now time.Time, spent float64) (said []string) {
		day := now.Truncate(24 * time.Hour)
		keep(t, h, Now{At: now, Today: today(spent), Uses: []Use{{Budget{Period: "daily", Limit: 20}, Span{day, day.Add(24 * time.Hour), spent}}}})
		for _, u := range Untold(h, now) {
			said = append(said, u.String())
		}
		return said
	}
	for i, step := range []struct {
		now   time.Time
		spent float64
		want  string
	}{
		{noon, 15.9, ""},
		{noon.Add(time.Minute), 16, "80 % of the daily budget is spent: $16.00 of $20.00"},
		{noon.Add(2 * time.Minute), 17, ""},
		{noon.Add(3 * time.Minute), 21, "105 % of the daily budget is spent: $21.00 of $20.00"},
		{noon.Add(4 * time.Minute), 25, ""},
		{noon.Add(24 * time.Hour), 1, ""},
		{noon.Add(25 * time.Hour), 18, "90 % of the daily budget is spent: $18.00 of $20.00"},
	} {
		if got := strings.Join(at(step.now, step.spent), "; "); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
	if said := Untold(h, noon.Add(72*time.Hour)); said != nil {
		t.Errorf("of a day that is over: %v", said)
	}
}

func TestLine(t *testing.T) {
	block := &Span{noon.Add(-time.Hour), noon.Add(4 * time.Hour), 1.2}
	use := func(spent float64) []Use {
		return []Use{{Budget{Period: "daily", Limit: 20}, today(spent)}, {Budget{Repo: "acme/shop", Period: "block", Limit: 1}, *block}}
	}
	for _, tt := range []struct {
		name  string
		n     Now
		now   time.Time
		want  string
		level int
	}{
		{"nothing was added up", Now{}, noon, "", 0},
		{"today", Now{At: noon, Today: today(4.1)}, noon, "$4.10 today", 0},
		{"a block", Now{At: noon, Today: today(4.1), Block: block}, noon, "$4.10 today, $1.20 this block", 0},
		{"a block that is over", Now{At: noon, Today: today(4.1), Block: block}, noon.Add(5 * time.Hour), "$4.10 today at 12:00", 0},
		{"old", Now{At: noon, Today: today(4.1)}, noon.Add(11 * time.Minute), "$4.10 today at 12:00", 0},
		{"yesterday", Now{At: noon, Today: today(4.1)}, noon.Add(13 * time.Hour), "", 0},
		{"of a clock that was wrong", Now{At: noon.Add(time.Hour), Today: today(4.1)}, noon, "", 0},
		{"a budget", Now{At: noon, Today: today(17), Uses: use(17)}, noon, "$17.00 today (85 % of daily, 120 % of block of acme/shop)", Over},
		{"another", Now{At: noon, Today: today(17), Uses: use(17)[:1]}, noon, "$17.00 today (85 % of daily)", Near},
	} {
		if got, level := tt.n.Line(tt.now); got != tt.want || level != tt.level {
			t.Errorf("%s: %q, %d; want %q, %d", tt.name, got, level, tt.want, tt.level)
		}
	}
}

func TestLoad(t *testing.T) {
	h := home.Home(t.TempDir())
	if b, err := Load(h); b != nil || err != nil {
		t.Errorf("of no file: %v, %v", b, err)
	}
	want := []Budget{{"", "block", 10}, {"", "daily", 20}, {"acme/shop", "daily", 5}}
	if err := Save(h, []Budget{want[2], want[1], want[0]}); err != nil {
		t.Fatal(err)
	}
	if b, err := Load(h); err != nil || !slices.Equal(b, want) {
		t.Errorf("%v, %v", b, err)
	}
	if err := os.WriteFile(h.Budgets(), []byte(`[{"period":"yearly","limit_usd":1},{"period":"daily","limit_usd":0}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := Load(h); len(b) != 0 || err != nil {
		t.Errorf("what is no budget: %v, %v", b, err)
	}
	if err := os.WriteFile(h.Budgets(), []byte(`{`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(h); err == nil || !strings.Contains(err.Error(), "budgets.json") {
		t.Errorf("of a damaged file: %v", err)
	}
}

// Figures are added up again only where a budget asks for it, at most every few minutes.
func TestStale(t *testing.T) {
	h := home.Home(t.TempDir())
	now := time.Now()
	if Stale(h, now) {
		t.Error("without a budget")
	}
	if err := Save(h, []Budget{{"", "daily", 20}}); err != nil {
		t.Fatal(err)
	}
	if !Stale(h, now) {
		t.Error("not with a budget and no figures")
	}
	if Stale(h, now) || !Stale(h, now.Add(time.Hour)) {
		t.Error("twice at once, or never again")
	}
	keep(t, h, Now{At: now, Today: today(1)})
	if Stale(h, now.Add(time.Minute)) {
		t.Error("of fresh figures")
	}
}

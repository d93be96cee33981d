package wave

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// parse reads "02-01 < 02-00 dep2 @1": an id, what it depends on, the wave it
// declares.
func parse(s string) Plan {
	var p Plan
	s, declared, ok := strings.Cut(s, "@")
	if ok {
		n := 0
		fmt.Sscan(declared, &n)
		p.Declared = &n
	}
	id, deps, _ := strings.Cut(s, "<")
	p.ID, p.DependsOn = strings.TrimSpace(id), strings.Fields(deps)
	return p
}

func plans(lines ...string) []Plan {
	var out []Plan
	for _, l := range lines {
		out = append(out, parse(l))
	}
	return out
}

// text writes a schedule as "1: 02-01 02-02 | 2: 02-03".
func text(waves []Wave) string {
	var out []string
	for _, w := range waves {
		var ids []string
		for _, p := range w.Plans {
			ids = append(ids, p.ID)
		}
		out = append(out, fmt.Sprintf("%d: %s", w.Number, strings.Join(ids, " ")))
	}
	return strings.Join(out, " | ")
}

func TestArrange(t *testing.T) {
	for _, c := range []struct {
		name     string
		plans    []Plan
		want     string
		warnings []string
	}{
		{"nothing", nil, "", nil},
		{"independent plans share a wave", plans("02-01", "02-02"), "1: 02-01 02-02", nil},
		{"a chain", plans("02-01", "02-02 < 02-01", "02-03 < 02-02"), "1: 02-01 | 2: 02-02 | 3: 02-03", nil},
		{"the longest way counts", plans("02-01", "02-02 < 02-01", "02-03 < 02-01 02-02"), "1: 02-01 | 2: 02-02 | 3: 02-03", nil},
		{"given out of order", plans("02-01 < 02-02", "02-02"), "1: 02-02 | 2: 02-01", nil},
		{"other phases hold nothing up", plans("02-01 < 01-01 07", "02-02 < 01-07-x"), "1: 02-01 02-02", nil},
		{"by canonical id", plans("02-01-routes", "02-02-store < 02-01", "02-03 < 02-02-other"), "1: 02-01-routes | 2: 02-02-store | 3: 02-03", nil},
		{"by file name", plans("02-01", "02-02 < 02-01-PLAN.md"), "1: 02-01 | 2: 02-02", nil},
		{"by number", plans("02-01", "02-02 < 01", "02-03 < 2"), "1: 02-01 | 2: 02-02 | 3: 02-03", nil},
		{"names without numbers", []Plan{{ID: "PLAN"}, {ID: "notes", DependsOn: []string{""}}}, "1: PLAN notes", nil},
		{"its own number is a phase", plans("02-01 < 01"), "1: 02-01", nil},
		{"an exact id before a canonical one", plans("02-01", "02-01-b < 02-01", "02-02 < 02-01-b"), "1: 02-01 | 2: 02-01-b | 3: 02-02", nil},
		{"decimal phases", plans("02.1-01", "02.1-02 < 02.1-01"), "1: 02.1-01 | 2: 02.1-02", nil},
		{"wave 0 moves all", plans("02-01 @0", "02-02 < 02-01 @1"), "0: 02-01 | 1: 02-02", nil},
		{"dependencies win over what is declared", plans("02-01 @1", "02-02 < 02-01 @1"), "1: 02-01 | 2: 02-02",
			[]string{"02-02: declared wave: 1 but depends_on DAG places it in wave 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Arrange(c.plans)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(s.Waves); got != c.want {
				t.Errorf("waves are %s, want %s", got, c.want)
			}
			var warnings []string
			for _, w := range s.Warnings {
				warnings = append(warnings, w.String())
			}
			if !reflect.DeepEqual(warnings, c.warnings) {
				t.Errorf("warnings are %q, want %q", warnings, c.warnings)
			}
		})
	}
}

func TestCycles(t *testing.T) {
	for _, c := range []struct {
		plans []Plan
		want  string
	}{
		{plans("02-01 < 02-01"), "depends_on has a cycle: 02-01 -> 02-01"},
		{plans("02-00", "02-01 < 02-00 02-03", "02-02 < 02-01", "02-03 < 02-02"), "depends_on has a cycle: 02-01 -> 02-03 -> 02-02 -> 02-01"},
		{plans("02-01 < 02-02", "02-02 < 02-03", "02-03 < 02-02"), "depends_on has a cycle: 02-02 -> 02-03 -> 02-02"},
	} {
		_, err := Arrange(c.plans)
		var cycle *CycleError
		if !errors.As(err, &cycle) || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}

// In any graph without a cycle each plan comes after all it depends on, and
// right after the last of them.
func TestArrangeKeepsOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var ps []Plan
		for i := range 1 + random.IntN(12) {
			p := Plan{ID: fmt.Sprintf("03-%02d", i)}
			for j := range i {
				if random.IntN(4) == 0 {
					p.DependsOn = append(p.DependsOn, ps[j].ID)
				}
			}
			ps = append(ps, p)
		}
		random.Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
		s, err := Arrange(ps)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			n, _ := s.Number(p.ID)
			last := 0
			for _, dep := range p.DependsOn {
				m, _ := s.Number(dep)
				last = max(last, m)
			}
			if n != last+1 {
				t.Fatalf("%s is in wave %d, the last it depends on in %d: %v", p.ID, n, last, ps)
			}
		}
	}
}

func TestSelect(t *testing.T) {
	ps := plans("02-01", "02-02 < 02-01", "02-03 < 02-01", "02-04 < 02-03")
	ps[0].Done = true
	ps[2].Gap = true
	s, err := Arrange(ps)
	if err != nil {
		t.Fatal(err)
	}
	two, three := 2, 3
	for _, c := range []struct {
		name          string
		sel           Selection
		waves         string
		left, waiting []string
	}{
		{"unfinished", Selection{}, "2: 02-02 02-03 | 3: 02-04", nil, nil},
		{"one wave", Selection{Wave: &two}, "2: 02-02 02-03", []string{"02-04"}, nil},
		{"a wave too early", Selection{Wave: &three}, "3: 02-04", []string{"02-02", "02-03"}, []string{"02-04"}},
		{"gaps", Selection{Gaps: true}, "2: 02-03", []string{"02-02", "02-04"}, nil},
	} {
		got := s.Select(c.sel)
		if text(got.Waves) != c.waves || !reflect.DeepEqual(got.Left, c.left) || !reflect.DeepEqual(got.Waiting, c.waiting) {
			t.Errorf("%s: %s, left %v, waiting %v", c.name, text(got.Waves), got.Left, got.Waiting)
		}
	}
	if !s.Has(3) || s.Has(4) {
		t.Error("the waves are 1 to 3")
	}
}

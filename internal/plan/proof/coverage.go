package proof

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan/proof/cover"
	"cairn/internal/plan/proof/mark"
	"cairn/internal/plan/proof/record"
)

// ran reports whether tests run a function.
func ran(c *record.Coverage, file string, f mark.Function) bool {
	from := f.Line + 1
	if f.End == f.Line {
		from = f.Line
	}
	return c.Ran(file, from, f.End)
}

// linesOf are the phase's lines of files by what a tool saw. A file that it did not see
// was not run.
func (j *judge) linesOf(files []string, found cover.Files) map[string]record.Lines {
	out := map[string]record.Lines{}
	for _, name := range files {
		lines, seen := found[name]
		var l record.Lines
		for _, n := range j.lines(name) {
			count, code := lines[n]
			switch {
			case count > 0:
				l.Hit = append(l.Hit, n)
			case code, !seen:
				l.Miss = append(l.Miss, n)
			}
		}
		out[name] = l
	}
	return out
}

func (j *judge) judgeCoverage(lang mark.Lang, files []string, c *record.Coverage) {
	if j.Coverage == 0 {
		return
	}
	id := "coverage " + string(lang)
	if c.Why != "" {
		j.unchecked("coverage", "", id, "coverage of the changed lines of "+string(lang)+" is not checked: "+c.Why)
		return
	}
	hit, all := 0, 0
	var missed, plans []string
	for _, name := range files {
		l := c.Files[name]
		hit += len(l.Hit)
		all += len(l.Hit) + len(l.Miss)
		if len(l.Miss) > 0 {
			missed = append(missed, name+":"+ranges(l.Miss))
			for _, n := range l.Miss {
				if owner, ok := j.owns(name, n); ok && owner != "" && !slices.Contains(plans, owner) {
					plans = append(plans, owner)
				}
			}
		}
	}
	if all == 0 {
		return
	}
	what := fmt.Sprintf("%d of %d changed lines of %s run in tests (%d %%)", hit, all, lang, hit*100/all)
	if hit*100 >= j.Coverage*all {
		j.proven("coverage", "", id, what)
		return
	}
	if len(missed) > 8 {
		missed = append(missed[:8], fmt.Sprintf("and %d more files", len(missed)-8))
	}
	slices.Sort(plans)
	j.claim(Claim{ID: id, Kind: "coverage", Verdict: Unproven, Plans: plans, What: fmt.Sprintf("%s, %d %% are asked for; not run: %s", what, j.Coverage, strings.Join(missed, ", ")), Remedy: "test them; workflow.prove_coverage is what is asked for"})
}

// ranges writes lines as 3-5,9.
func ranges(lines []int) string {
	var out []string
	for i := 0; i < len(lines); {
		k := i
		for k+1 < len(lines) && lines[k+1] == lines[k]+1 {
			k++
		}
		if k > i {
			out = append(out, fmt.Sprintf("%d-%d", lines[i], lines[k]))
		} else {
			out = append(out, fmt.Sprint(lines[i]))
		}
		i = k + 1
	}
	if len(out) > 6 {
		out = append(out[:6], "…")
	}
	return strings.Join(out, ",")
}

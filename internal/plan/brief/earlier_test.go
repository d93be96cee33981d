package brief

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/quote"
	"cairn/internal/tokens"
)

// However much earlier phases leave, a phase is told a bounded part, what it depends
// on first, and how much more there is.
func TestEarlierIsBounded(t *testing.T) {
	files := map[string]string{".planning/PROJECT.md": "# P\n"}
	var roadmap strings.Builder
	roadmap.WriteString("# Roadmap\n")
	for n := 1; n <= 30; n++ {
		fmt.Fprintf(&roadmap, "\n### Phase %d: Part%d\n**Goal:** g\n", n, n)
		if n == 30 {
			roadmap.WriteString("**Depends on:** Phase 2\n")
		}
		var context, learned, pitfalls strings.Builder
		context.WriteString("<decisions>\n")
		learned.WriteString("## Lessons\n")
		for d := 1; d <= 20; d++ {
			fmt.Fprintf(&context, "- **D-%02d:** decision %d of part %d says at some length what is to be done there\n", (n-1)*20+d, d, n)
			fmt.Fprintf(&learned, "- lesson %d of part %d, at some length too, so that few fit\n", d, n)
			fmt.Fprintf(&pitfalls, "### Trap %d of %d\n- **How to avoid it:** look\n- **Phase to address:** Phase 30\n", d, n)
		}
		dir := fmt.Sprintf(".planning/phases/%02d-part%d/%02d-", n, n, n)
		files[dir+"CONTEXT.md"], files[dir+"LEARNINGS.md"] = context.String()+"</decisions>\n", learned.String()
		files[dir+"01-PLAN.md"] = "---\nphase: 1\n---\n"
		files[dir+"01-SUMMARY.md"] = "---\nprovides: [part " + fmt.Sprint(n) + "]\n---\n"
		files[fmt.Sprintf(".planning/research/PITFALLS-%d.md", n)] = pitfalls.String()
	}
	files[".planning/ROADMAP.md"] = roadmap.String()
	view(t, project(t, files), func(tx *plan.Tx) error {
		all := tx.Phases(plan.Everything)
		got := FindEarlier(tx, all[29])
		if n := tokens.Estimate(got); n > earlierTokens || n < earlierTokens/2 {
			t.Errorf("%d tokens", n)
		}
		for _, want := range []string{"- 02 Part2 (this phase depends on it): part 2\n- 29 Part29: part 29\n", "decisions of earlier phases that hold (580):\n- D-21: decision 1 of part 2 ",
			"Left out for length: 594 more pitfalls (`.planning/research/PITFALLS.md`)", "more decisions (`cairn plan decisions list --all`)"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not in\n%s", want, got)
			}
		}
		if strings.Count(got, "\n"+quote.Fence) != 2 {
			t.Error(got)
		}
		if second := FindEarlier(tx, all[1]); strings.Contains(second, "part 3") || !strings.Contains(second, "part 1") {
			t.Error(second)
		}
		return nil
	})
}

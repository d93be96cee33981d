package plancmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/wave"
	"cairn/internal/term"
	"cairn/internal/text"
)

// overview is what plan alone says: progress, where the work stands, and what is
// next.
type overview struct {
	progressData
	Here    string      `json:"here,omitempty"` // the phase that the next step is about
	Roadmap []roadPhase `json:"roadmap"`
	Next    *brief.Next `json:"next"`
}

// roadPhase is a phase of the overview. Waves are those of the phase where the
// work stands.
type roadPhase struct {
	stageRow
	DependsOn []string   `json:"depends_on"`
	Here      bool       `json:"here"`
	Waves     []roadWave `json:"waves,omitempty"`
	Trouble   string     `json:"trouble,omitempty"` // why its plans make no waves
}

type roadWave struct {
	Wave  int        `json:"wave"`
	Plans []roadPlan `json:"plans"`
}

type roadPlan struct {
	ID        string   `json:"id"`
	Done      bool     `json:"done"`
	DependsOn []string `json:"depends_on"`
}

// standing is what plan alone says: where the work is, or how to begin.
func standing(c *Call) *answer.Answer {
	if !c.Exists() {
		return &answer.Answer{Data: struct{}{}, Said: "there is no plan in " + c.Root, Hint: "cairn plan init makes one; cairn plan --help lists the commands"}
	}
	return look(showOverview)(c)
}

func showOverview(c *Call, tx *plan.Tx) *answer.Answer {
	d := overview{progressData: progressOf(c, tx), Roadmap: roadOf(c, tx, false), Next: brief.FindNext(tx)}
	if d.Next != nil {
		d.Here = d.Next.Phase
	}
	if id, ok := doc.ParsePhaseID(d.Here); ok {
		for i, row := range d.Roadmap {
			if of, _ := doc.ParsePhaseID(row.Number); of.Same(id) {
				d.Roadmap[i].Here = true
				d.Roadmap[i].plans(tx, tx.Phase(of))
			}
		}
	}
	return &answer.Answer{Data: d, View: answer.Painted(func(p *answer.Page) error {
		_, err := p.Write([]byte(d.draw(signsFor(c.Getenv), p.Paint, cmp.Or(p.Width, 100))))
		return err
	})}
}

// roadOf lists the phases of the milestone with what they depend on, and with
// waves the waves of each.
func roadOf(c *Call, tx *plan.Tx, waves bool) []roadPhase {
	r := tx.Roadmap()
	road := []roadPhase{}
	progress := progressOf(c, tx)
	for i, p := range tx.LatestPhases() {
		if i >= len(progress.Phases) {
			break
		}
		row := roadPhase{stageRow: progress.Phases[i], DependsOn: []string{}}
		if r != nil {
			f, _ := p.Field(r, "Depends on")
			for _, ref := range doc.PhaseRefs(f.Value) {
				row.DependsOn = append(row.DependsOn, ref.ID.String())
			}
		}
		if waves {
			row.plans(tx, p)
		}
		road = append(road, row)
	}
	return road
}

// plans arranges the phase's plans.
func (row *roadPhase) plans(tx *plan.Tx, p *plan.Phase) {
	if p == nil || p.Dir == "" || len(p.Plans) == 0 {
		return
	}
	s, err := wave.Arrange(wave.Plans(wave.Read(tx, p)))
	if err != nil {
		row.Trouble = err.Error()
		return
	}
	for _, w := range s.Waves {
		out := roadWave{Wave: w.Number}
		for _, p := range w.Plans {
			out.Plans = append(out.Plans, roadPlan{p.ID, p.Done, answer.List(p.DependsOn)})
		}
		row.Waves = append(row.Waves, out)
	}
}

// signs are how a terminal shows how far a phase is.
type signs struct{ done, part, open, here, full, empty string }

var (
	plainSigns = signs{"[x]", "[~]", "[ ]", ">", "#", "-"}
	wideSigns  = signs{"✔", "◐", "○", "▶", "█", "░"}
)

// signsFor are plain where the terminal's language is not written in UTF-8.
func signsFor(getenv func(string) string) signs {
	locale := strings.ToLower(cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")))
	if strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8") {
		return wideSigns
	}
	return plainSigns
}

func (s signs) of(row stageRow) string {
	switch {
	case row.Status == "complete":
		return s.done
	case row.Status == "not started":
		return s.open
	}
	return s.part
}

// draw draws the overview, width columns wide.
func (d overview) draw(s signs, paint term.Paint, width int) string {
	var b strings.Builder
	line := func(color func(string) string, text string) {
		b.WriteString(color(fit(text, width)) + "\n")
	}
	same := func(s string) string { return s }
	line(paint.Bold, cmp.Or(d.title(), "The plan"))
	const bar = 20
	full := min(max((d.progressData.Done*bar+50)/100, 0), bar)
	line(same, fmt.Sprintf("%s%s %d of %d plans, %d of %d phases", strings.Repeat(s.full, full), strings.Repeat(s.empty, bar-full), d.PlansDone, d.PlansTotal, d.PhasesDone, d.PhasesTotal))
	if len(d.Roadmap) > 0 {
		b.WriteString("\n")
	}
	number, name := 1, 4
	for _, row := range d.Roadmap {
		number, name = max(number, text.Width(row.Number)), max(name, text.Width(row.Name))
	}
	name = min(name, max(width-number-52, 12))
	hidden := d.folded()
	for i, row := range d.Roadmap {
		if hidden[i] {
			if i+1 == len(hidden) || !hidden[i+1] {
				line(paint.Dim, strings.Repeat(" ", text.Width(s.here)+1)+s.of(row.stageRow)+" "+d.run(hidden, i))
			}
			continue
		}
		mark := strings.Repeat(" ", text.Width(s.here))
		if row.Here {
			mark = s.here
		}
		after := row.Status
		if len(row.DependsOn) > 0 {
			after += ", after " + strings.Join(row.DependsOn, ", ")
		}
		if row.Here {
			after = "you are here: " + after
		}
		at := fmt.Sprintf("%s %s %s  %s  %s", mark, s.of(row.stageRow), pad(row.Number, number), pad(fit(row.Name, name), name), pad(plans(row.stageRow), 7))
		color := same
		switch {
		case row.Here:
			color = paint.Bold
		case row.Status == "complete":
			color = paint.Good
		case row.Status == "not started":
			color = paint.Dim
		}
		line(color, at+" "+after)
		row.draw(s, line, same)
	}
	b.WriteString("\n")
	if d.Next != nil {
		var next strings.Builder
		printNext(&next, d.Next)
		b.WriteString(term.Text(next.String()))
	}
	return b.String()
}

// screen is how many phases are shown one by one, and how many of a longer plan that are
// alike: the last that are complete, of others the first.
const screen, ended, coming = 40, 3, 10

// folded says which phases a longer plan's overview only counts.
func (d overview) folded() []bool {
	hidden := make([]bool, len(d.Roadmap))
	if len(d.Roadmap) <= screen {
		return hidden
	}
	alike := func(i, j int) bool {
		return j < len(d.Roadmap) && d.Roadmap[j].Status == d.Roadmap[i].Status && !d.Roadmap[j].Here
	}
	for i := 0; i < len(d.Roadmap); {
		end := i + 1
		for !d.Roadmap[i].Here && alike(i, end) {
			end++
		}
		from, to := i, i
		if d.Roadmap[i].Status == "complete" {
			to = end - ended
		} else {
			from, to = i+coming, end
		}
		for k := from; k < to && to-from > 1; k++ {
			hidden[k] = true
		}
		i = end
	}
	return hidden
}

// run says which phases are counted up to number i.
func (d overview) run(hidden []bool, i int) string {
	first := i
	for first > 0 && hidden[first-1] {
		first--
	}
	return fmt.Sprintf("%s to %s: %d phases, %s; cairn plan status lists them", d.Roadmap[first].Number, d.Roadmap[i].Number, i-first+1, d.Roadmap[i].Status)
}

// draw draws the waves of a phase.
func (row roadPhase) draw(s signs, line func(color func(string) string, text string), color func(string) string) {
	indent := strings.Repeat(" ", text.Width(s.here)+text.Width(s.done)+3)
	if row.Trouble != "" {
		line(color, indent+row.Trouble)
	}
	shown := row.Waves
	if from := slices.IndexFunc(shown, func(w roadWave) bool { return slices.ContainsFunc(w.Plans, func(p roadPlan) bool { return !p.Done }) }); len(shown) > coming {
		shown = shown[min(max(from-1, 0), len(shown)-coming):][:coming]
	}
	if left := len(row.Waves) - len(shown); left > 0 {
		defer line(color, fmt.Sprintf("%s%d other waves; cairn plan phase index %s lists them", indent, left, row.Number))
	}
	for _, w := range shown {
		var list []string
		for _, p := range w.Plans {
			sign := s.open
			if p.Done {
				sign = s.done
			}
			item := sign + " " + p.ID
			if len(p.DependsOn) > 0 {
				item += " (after " + strings.Join(p.DependsOn, ", ") + ")"
			}
			list = append(list, item)
		}
		line(color, fmt.Sprintf("%swave %-2d %s", indent, w.Wave, strings.Join(list, "  ")))
	}
}

func plans(row stageRow) string {
	if row.Plans == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", row.Done, row.Plans)
}

// fit makes what strangers wrote printable, on one line that has at most width columns.
func fit(s string, width int) string { return text.Cut(term.Printable(s), width) }

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-text.Width(s), 0))
}

package drive

import (
	"cmp"
	"context"
	"os"
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/proof/record"
	"cairn/internal/plan/settings"
	"cairn/internal/text"
)

// PullRequest is what a complete phase needs to be reviewed.
type PullRequest struct {
	Title   string         `json:"title"`
	Body    string         `json:"body"` // the file
	Base    string         `json:"base"`
	Branch  string         `json:"branch"`          // checked out
	Name    string         `json:"name"`            // for a branch of its own, where the base is checked out
	URL     string         `json:"url,omitempty"`   // once it is open
	Unmet   []gate.Missing `json:"unmet,omitempty"` // why it cannot be opened as things are
	GitHub  bool           `json:"github"`          // its command line is here
	Feature bool           `json:"-"`               // another branch than the base is checked out
}

// longestTitle of a pull request, in characters.
const longestTitle = 70

// Ship asks the gate, and writes the text of a phase's pull request from what its documents
// and its proof say. Nothing is sent.
func Ship(ctx context.Context, w *plan.Workspace, id doc.PhaseID) (pr *PullRequest, err error) {
	err = must.Catch(func() {
		body := ""
		must.OK(w.View(func(tx *plan.Tx) error {
			p := tx.Phase(id)
			s := lifecycle.New(ctx, tx).Subject(p).Ship()
			pr = &PullRequest{
				Title: text.Cut(p.Name, longestTitle), Body: tx.Shared(".cairn", "pr-"+p.ID.Padded()+".md"), Base: s.Base, Branch: s.Branch,
				Unmet: s.Result.Missing, GitHub: s.GH, Feature: s.Feature,
			}
			version, name := tx.Milestone()
			pr.Name = cmp.Or(commit.BranchOf(settings.Load(tx), p, version, name), "phase-"+p.ID.Padded()+"-"+cmp.Or(p.DirSlug(), "work"))
			body = describePhase(tx, p)
			return nil
		}))
		if !w.DryRun {
			must.Get(w.Update(ctx, "ship", func(tx *plan.Tx) error { tx.Write(pr.Body, []byte(body)); return nil }))
		}
	})
	return pr, err
}

// describePhase is the text of a pull request.
func describePhase(tx *plan.Tx, p *plan.Phase) string {
	var b strings.Builder
	section := func(name string, lines []string) {
		if len(lines) > 0 {
			b.WriteString("## " + name + "\n\n" + strings.Join(lines, "\n") + "\n\n")
		}
	}
	goal, _ := p.Field(tx.Roadmap(), "Goal")
	section("Summary", []string{cmp.Or(goal.Value, p.Name)})
	var changes, decisions, deviations []string
	for _, f := range p.Plans {
		if f.Summary == "" {
			continue
		}
		t := must.Get(tx.Read(path.Join(p.Dir, f.Summary)))
		s := doc.ReadSummary(t)
		files := slices.Concat(s.Created, s.Modified, s.Files)
		line := "- **" + f.ID + "** " + s.OneLiner
		if len(files) > 0 {
			line += " (" + strings.Join(files[:min(len(files), 8)], ", ") + ")"
		}
		changes = append(changes, line)
		for _, d := range s.Decisions {
			decisions = append(decisions, "- "+strings.TrimSuffix(d.Summary+": "+d.Rationale, ": "))
		}
		if sec, ok := t.Section("Deviations from Plan"); ok {
			if said := strings.TrimSpace(t.Span(sec.Start, sec.End)); said != "" && !doc.SaysNone(said) {
				deviations = append(deviations, "**"+f.ID+"** "+said)
			}
		}
	}
	section("Changes", changes)
	var wanted []string
	for _, r := range gate.Wanted(tx, p) {
		box := " "
		if r.Done {
			box = "x"
		}
		wanted = append(wanted, "- ["+box+"] **"+r.ID+"** "+r.Text)
	}
	section("Requirements", wanted)
	section("Verification", verification(tx, p))
	if f := gate.Document(tx, p, "CONTEXT"); f != nil {
		all, _ := f.Decisions()
		for _, d := range all {
			decisions = append(decisions, "- **"+d.ID+"** "+d.Text)
		}
	}
	section("Decisions", decisions)
	section("Deviations", deviations)
	return b.String()
}

// verification is what was proven, judged and tried.
func verification(tx *plan.Tx, p *plan.Phase) (out []string) {
	if f := gate.Document(tx, p, "VERIFICATION"); f != nil {
		v := doc.ReadVerification(f.Text)
		out = append(out, "- verification: "+strings.Trim(v.Status+", "+v.Score, ", "))
	}
	if f := gate.Document(tx, p, "UAT"); f != nil {
		u := doc.ReadUAT(f.Text)
		passed := 0
		for _, t := range u.Tests {
			if t.Result == "pass" {
				passed++
			}
		}
		out = append(out, "- acceptance by a person: "+itoa(passed)+" of "+text.Count(len(u.Tests), "test")+" passed")
		for _, t := range u.Tests {
			if t.Result == "skipped" {
				out = append(out, "- not tried: "+t.Name+": "+t.Reason)
			}
		}
	}
	data, err := os.ReadFile(tx.Abs(record.File(p)))
	if v := record.Last(record.Parse(data)); err == nil && v != nil {
		out = append(append(out, ""), v.Markdown()...)
	}
	return out
}

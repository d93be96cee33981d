package record

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan/doc"
)

// Markdown is the verdict as a report shows it: what was run, with exit codes, commit and
// time, and the other claims a line each. A verdict of before claims were kept has only
// its counts.
func (v *Verdict) Markdown() (out []string) {
	var counts []string
	for _, w := range []Word{Proven, Guard, Accepted, Unchecked, Unproven} {
		if n := v.Counts[string(w)]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, w))
		}
	}
	out = append(out, "`cairn plan prove` at `"+git.Short(v.Commit)+"`: "+strings.Join(counts, ", ")+".", "")
	if rows := v.rows(); len(rows) > 0 {
		out = append(out, "| Task | Command | Before | At HEAD | Commit | Took |", "|------|---------|--------|---------|--------|------|")
		out = append(append(out, rows...), "")
	}
	for _, c := range v.Claims {
		if c.Kind == "coverage" || c.Kind == "tests" || c.Verdict != Proven && c.Verdict != Guard {
			out = append(out, "- "+string(c.Verdict)+": "+line(c))
		}
	}
	if len(v.Claims) > 0 && out[len(out)-1] != "" {
		out = append(out, "")
	}
	return out
}

// line is a claim without what a command printed.
func line(c Claim) string {
	what, _, _ := strings.Cut(c.What, "\n")
	if c.File != "" && c.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", c.File, c.Line, what)
	}
	return what
}

// rows are the commands that verified tasks.
func (v *Verdict) rows() (out []string) {
	for _, c := range v.Of("verify") {
		for _, after := range c.Runs {
			if after.For != "after" {
				continue
			}
			before := "not run"
			if i := slices.IndexFunc(c.Runs, func(r Run) bool { return r.For == "before" && r.Command == after.Command }); i >= 0 {
				before = exit(c.Runs[i])
			}
			out = append(out, fmt.Sprintf("| %s %s | `%s` | %s | %s | `%s` | %.1f s |", c.ID, c.Verdict, cell(after.Command), before, exit(after), git.Short(after.Commit), after.Seconds))
		}
	}
	return out
}

func exit(r Run) string {
	switch {
	case r.Timeout:
		return "did not end"
	case r.Exit < 0:
		return "not run"
	case r.Nothing:
		return fmt.Sprintf("exit %d, ran no test", r.Exit)
	}
	return fmt.Sprintf("exit %d", r.Exit)
}

// cell is a command in a table's cell, whose bars would end it.
func cell(command string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(strings.ReplaceAll(command, "`", "'")), " "), "|", `\|`)
}

// Draft adds to a document that was just made from its template what the verdict has for
// it: the rows of requirements and the commands to a verification, and to acceptance
// tests what no person has to try.
func (v *Verdict) Draft(kind string, t *doc.Text) {
	switch kind {
	case "verification":
		if s, ok := t.Section("Requirements Coverage"); ok {
			for _, tb := range t.Tables(s.Start, s.End) {
				for _, c := range v.Of("requirement") {
					evidence := strings.Join(c.Found, ", ")
					if evidence == "" {
						evidence = line(c)
					}
					t.AppendRow(tb, c.ID, string(c.Verdict), cell(evidence))
					tb = t.TableAt(tb.Line)
				}
				break
			}
		}
		before(t, "Human Verification", append([]string{"## Proof", ""}, v.Markdown()...))
	case "uat":
		var list []string
		for _, c := range v.Of("requirement", "decision") {
			if c.Verdict == Proven {
				list = append(list, "- "+line(c))
			}
		}
		for _, c := range v.Said(Unchecked) {
			list = append(list, "- not checked by any command: "+line(c))
		}
		if len(list) > 0 {
			before(t, "Summary", append(append([]string{"## Proven by Commands", ""}, list...), ""))
		}
	}
}

// before inserts lines before a section.
func before(t *doc.Text, section string, lines []string) {
	s, ok := t.Section(section)
	if !ok {
		return
	}
	t.Insert(s.Line, lines...)
}

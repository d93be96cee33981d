package plancmd

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/audit"
	"cairn/internal/plan/item"
	"cairn/internal/text"
)

// auditVerbs are those of the noun verify that look for what is open.
func auditVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan verify uat", Short: "List tests that wait for a person",
			Long: "Reads UAT.md and VERIFICATION.md of the milestone's phases and lists the tests that\n" +
				"are pending, skipped or blocked, and what each waits for. Exits 5 if there are any.",
			Examples: []string{"cairn plan verify uat", "cairn plan verify uat --get tests[0].name"},
			Effect:   command.Reads, Run: reads(verifyUAT),
		},
		{
			Path: "plan verify open", Short: "List open work: todos, tests, threads, tasks",
			Long: "Lists todos, threads, seeds, debug sessions and quick tasks that are not closed, tests\n" +
				"and verification that wait for a person, and unanswered questions. Exits 5 if there\n" +
				"are any.",
			Examples: []string{"cairn plan verify open", "cairn plan verify open --get count"},
			Effect:   command.Reads, Run: reads(verifyOpen),
		},
	}
}

// openTest is a test as the verb prints it.
type openTest struct {
	Phase    string `json:"phase"`
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Name     string `json:"name"`
	Result   string `json:"result"`
	Waits    string `json:"waits_for"`
	Expected string `json:"expected,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

func verifyUAT(_ *Call, tx *plan.Tx) *answer.Answer {
	found := audit.FindUAT(tx)
	tests := []openTest{}
	for _, o := range found {
		for _, t := range o.Tests {
			reason := t.Reason
			if t.Blocked != "" {
				reason = strings.TrimPrefix(reason+"; "+t.Blocked, "; ")
			}
			tests = append(tests, openTest{
				Phase: o.Phase.ID.String(), Path: o.Path(), Line: t.Line, Name: t.Name, Result: t.Result,
				Waits: string(t.Category), Expected: t.Expected, Reason: reason,
			})
		}
	}
	data := struct {
		Tests []openTest `json:"tests"`
	}{tests}
	return &answer.Answer{Data: data, No: len(tests) > 0, View: answer.Text(func(w io.Writer) {
		if len(tests) == 0 {
			fmt.Fprintln(w, "no test waits for a person")
			return
		}
		table("PHASE\tTEST\tRESULT\tWAITS FOR\tWHERE", tests, func(it openTest) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s:%d", it.Phase, text.Shorten(it.Name, maxWhat), it.Result, it.Waits, it.Path, it.Line)
		})(w)
	})}
}

// openThing is anything open as the verb prints it.
type openThing struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name"`
	Status string   `json:"status"`
	Title  string   `json:"title,omitempty"`
	Path   string   `json:"path"`
	Open   []string `json:"open,omitempty"`
}

func verifyOpen(_ *Call, tx *plan.Tx) *answer.Answer {
	o := audit.Find(tx)
	data := struct {
		Count int         `json:"count"`
		Open  []openThing `json:"open"`
	}{o.Count(), openThings(o)}
	return &answer.Answer{Data: data, No: data.Count > 0, View: answer.Text(func(w io.Writer) {
		if data.Count == 0 {
			fmt.Fprintln(w, "nothing is open")
			return
		}
		printOpen(w, data.Open)
	})}
}

func openThings(o *audit.Open) []openThing {
	out := []openThing{}
	for _, items := range [][]item.Item{o.Debug, o.Quick, o.Threads, o.Todos, o.Seeds} {
		for _, it := range items {
			out = append(out, openThing{Kind: string(it.Kind), Name: it.Name, Status: it.Status, Title: it.Title, Path: it.Path})
		}
	}
	for _, files := range []struct {
		kind  string
		files []audit.PhaseFile
	}{{"uat", o.UAT}, {"verification", o.Verifications}, {"questions", o.Questions}} {
		for _, f := range files.files {
			out = append(out, openThing{
				Kind: files.kind, Name: "phase " + f.Phase.ID.String(), Status: f.Status, Path: f.Path(), Open: f.Open,
				Title: strings.Join(f.Open, "; "),
			})
		}
	}
	return out
}

func printOpen(w io.Writer, things []openThing) {
	table("KIND\tNAME\tSTATUS\tWHAT\tWHERE", things, func(it openThing) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s", it.Kind, it.Name, it.Status, text.Shorten(it.Title, maxWhat), it.Path)
	})(w)
}

// maxWhat is how many characters of a title a table shows.
const maxWhat = 48

func milestoneAudit(c *Call, tx *plan.Tx) *answer.Answer {
	m := audit.FindMilestone(c.Context, tx, version(c, tx))
	return auditResult(m)
}

// auditResult tells whether a milestone is ready, and if not what is open.
func auditResult(m *audit.Milestone) *answer.Answer {
	data := struct {
		Version      string            `json:"version"`
		Ready        bool              `json:"ready"`
		Unfinished   []plan.Unfinished `json:"unfinished"`
		Requirements []string          `json:"requirements"`
		Open         []openThing       `json:"open"`
		Told         []openThing       `json:"not_in_the_way"`
	}{m.Version, m.Ready(), answer.List(m.Unfinished), answer.List(m.Requirements), openThings(m.InTheWay()), openThings(m.Later())}
	return &answer.Answer{Data: data, No: !data.Ready, View: answer.Text(func(w io.Writer) {
		if data.Ready {
			fmt.Fprintf(w, "%s is ready: cairn plan milestone complete %s\n", m.Version, m.Version)
		} else {
			fmt.Fprintf(w, "%s is not ready: %s in the way\n", m.Version, are(m.Blocking(), "thing"))
		}
		if len(data.Unfinished) > 0 {
			fmt.Fprintln(w, "\nunfinished phases")
			printUnfinished(w, data.Unfinished)
		}
		if len(data.Requirements) > 0 {
			fmt.Fprintf(w, "\nrequirements that are not ticked\n  %s\n", strings.Join(data.Requirements, "\n  "))
		}
		for _, part := range []struct {
			title  string
			things []openThing
		}{{"open", data.Open}, {"open, and not in the way", data.Told}} {
			if len(part.things) > 0 {
				fmt.Fprintf(w, "\n%s\n", part.title)
				printOpen(w, part.things)
			}
		}
		if !data.Ready {
			fmt.Fprintf(w, "\ncairn plan milestone complete %s --force --reason TEXT completes it all the same\n", m.Version)
		}
	})}
}

func printUnfinished(w io.Writer, open []plan.Unfinished) {
	for _, u := range open {
		fmt.Fprintf(w, "  phase %s: %s\n", u.Phase, u)
	}
}

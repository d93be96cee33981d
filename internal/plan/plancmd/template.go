package plancmd

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/decision"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
	"cairn/internal/plan/template"
	"cairn/internal/term"
)

func templateVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan template list", Short: "List the templates and the values they take",
			Examples: []string{"cairn plan template list", "cairn plan template list --json"},
			Effect:   command.Reads, Run: anywhere(templateList),
		},
		{
			Path: "plan template fill", Short: "Fill a template, or create a phase's document from it",
			Long: "Prints a template with its values. With --phase it creates that document of the phase,\n" +
				"such as NN-SECURITY.md, unless it exists. A value that is not given stays as [name].\n" +
				"A summary gets the commits, files and duration of its plan from git, a verification and\n" +
				"acceptance tests what the last proof of the phase found.",
			Args: []command.Arg{{Name: "TEMPLATE", Help: "its name, as `template list` has it"}},
			Flags: []command.Flag{
				{Name: "set", Default: []string(nil), Help: "a value: name=text"},
				{Name: "phase", Default: "", Help: "make the document in this phase"},
				{Name: "to", Default: "", Help: "make the document there, below .planning, unless it exists"},
				{Name: "plan", Default: "1", Help: "the number of the plan"},
				{Name: "wave", Default: 1, Help: "the wave of the plan"},
			},
			Examples: []string{
				"cairn plan template fill todo --set title=\"Fix the parser\" --set area=api",
				"cairn plan template fill plan --phase 2 --plan 3 --set objective=\"Serve it\"",
			},
			Effect: command.Writes, Run: anywhere(templateFill),
		},
	}
}

func templateList(*Call) *answer.Answer {
	type row struct {
		Name   string   `json:"name"`
		Values []string `json:"values"`
	}
	var rows []row
	for _, name := range template.Names() {
		rows = append(rows, row{name, must.Get(template.Fields(name))})
	}
	return &answer.Answer{Data: rows, View: table("TEMPLATE\tVALUES", rows, func(r row) string { return r.Name + "\t" + strings.Join(r.Values, " ") })}
}

func templateFill(c *Call) *answer.Answer {
	values := map[string]string{}
	for _, pair := range c.List("set") {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return fail(command.Usagef("--set %q is not name=text", pair))
		}
		values[name] = value
	}
	name := c.Arg("TEMPLATE")
	if c.Set("phase") {
		return makeDocument(c, name, values)
	}
	if name == "context" && c.Exists() {
		c.look(func(tx *plan.Tx) { goOn(tx, values) })
	}
	t, err := template.Fill(name, values)
	if err != nil {
		return fail(term.Hint(command.Usage(err), "`cairn plan template list` names them"))
	}
	if to := c.String("to"); to != "" {
		return writeTemplate(c, name, to, t)
	}
	return &answer.Answer{Data: map[string]string{"template": name, "text": t.String()}, View: answer.Text(func(w io.Writer) {
		fmt.Fprint(w, t.String())
	})}
}

// writeTemplate makes a document of no phase. An agent that its host lets write no file of
// that name can edit the one that is there.
func writeTemplate(c *Call, name, to string, t *doc.Text) *answer.Answer {
	rel := path.Clean(filepath.ToSlash(to))
	if !fs.ValidPath(rel) || !strings.HasPrefix(rel, plan.Planning+"/") {
		return fail(command.Usagef("--to %s is not below %s", to, plan.Planning))
	}
	c.Update(func(tx *plan.Tx) {
		if !tx.Has(rel) {
			tx.Write(rel, t.Bytes())
		}
	})
	return &answer.Answer{Data: map[string]string{"template": name, "path": rel}, View: answer.Text(func(w io.Writer) { fmt.Fprintln(w, rel) })}
}

// goOn gives a CONTEXT.md that is begun the next free id for its first decision.
func goOn(tx *plan.Tx, values map[string]string) {
	if values["decision_id"] == "" {
		values["decision_id"] = doc.DecisionID(decision.Read(tx).Next())
	}
}

func makeDocument(c *Call, kind string, values map[string]string) *answer.Answer {
	id, ok := doc.ParsePhaseID(c.String("phase"))
	if !ok {
		return fail(command.Usagef("%q is not a phase: give its number, such as 3 or 2.1", c.String("phase")))
	}
	d := plan.Draft{Kind: kind, Phase: id, Plan: c.String("plan"), Wave: c.Int("wave"), Values: values, Today: time.Now()}
	var known *drive.Summary
	if kind == "summary" {
		known = must.Get(drive.Summarize(c.Context, c.Workspace, id.Padded()+"-"+d.Plan, values))
	}
	made := ""
	c.Update(func(tx *plan.Tx) {
		settled(tx, tx.Phase(id))
		if kind == "context" {
			goOn(tx, values)
		}
		if made = tx.Create(d); known != nil {
			must.OK(known.Write(must.Get(tx.Read(made))))
		}
		drive.Draft(tx, tx.Phase(id), kind, made)
	})
	return &answer.Answer{Data: map[string]string{"template": kind, "path": made}, View: answer.Text(func(w io.Writer) {
		fmt.Fprintln(w, made)
	})}
}

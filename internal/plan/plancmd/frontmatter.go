package plancmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/check"
	"cairn/internal/plan/doc"
)

func frontmatterVerbs() []*command.Command {
	key := command.Arg{Name: "KEY", Help: "a key, or a path such as must_haves.truths or must_haves.artifacts.0.path"}
	optional := key
	optional.Optional = true
	return []*command.Command{
		{
			Path: "plan frontmatter get", Short: "Print a document's frontmatter, or one value of it",
			Args:     []command.Arg{documentArg, optional},
			Examples: []string{"cairn plan frontmatter get 02-01 wave", "cairn plan frontmatter get .planning/STATE.md --json"},
			Effect:   command.Reads, Run: reads(frontmatterGet),
		},
		{
			Path: "plan frontmatter set", Short: "Set a value of a document's frontmatter",
			Long: "Sets one value of a document's frontmatter. Only the lines of that key change;\n" +
				"comments, order and quotes are kept.",
			Args:     []command.Arg{documentArg, key, {Name: "VALUE", Help: "JSON, or else a text"}},
			Examples: []string{"cairn plan frontmatter set 02-01 wave 2", `cairn plan frontmatter set 02-01 depends_on '["02-02"]' --dry-run`},
			Effect:   command.Writes, Run: run(frontmatterSet),
		},
		{
			Path: "plan frontmatter merge", Short: "Set several values of a document's frontmatter",
			Long: "Sets several values of a document's frontmatter. Each replaces the whole value of its\n" +
				"key; other keys are kept.",
			Args:     []command.Arg{documentArg, {Name: "JSON", Help: "an object; - reads it from standard input"}},
			Examples: []string{`cairn plan frontmatter merge 02-01 '{"wave": 2, "autonomous": false}'`, "cairn plan frontmatter merge 02-01 - < values.json"},
			Effect:   command.Writes, Run: run(frontmatterMerge),
		},
		{
			Path: "plan frontmatter validate", Short: "Check that a document's frontmatter is complete",
			Args:     []command.Arg{documentArg},
			Flags:    []command.Flag{{Name: "schema", Default: "", Help: check.SchemaNames + "; without it the file's name tells"}},
			Examples: []string{"cairn plan frontmatter validate 02-01", "cairn plan frontmatter validate .planning/phases/02-api/02-01-SUMMARY.md --schema summary"},
			Effect:   command.Reads, Run: reads(frontmatterValidate),
		},
	}
}

// keyPath splits a path of keys at its dots.
func keyPath(key string) []string { return strings.Split(key, ".") }

func frontmatterGet(c *Call, tx *plan.Tx) *answer.Answer {
	t, rel := document(c, tx, "PLAN")
	front := t.Front()
	if front == nil {
		return fail(&plan.InputError{Path: rel, What: "has no frontmatter"})
	}
	if key := c.Arg("KEY"); key != "" {
		if front = front.Get(keyPath(key)...); front == nil {
			return fail(&plan.InputError{Path: rel, What: "the frontmatter has no " + key})
		}
	}
	value := front.JSON()
	return &answer.Answer{Data: value, View: answer.Text(func(w io.Writer) {
		if s, ok := value.(string); ok {
			fmt.Fprintln(w, s)
			return
		}
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		_ = enc.Encode(value) // to a terminal or a pipe: there is nobody to tell
	})}
}

func frontmatterSet(c *Call) *answer.Answer {
	var value any = c.Arg("VALUE")
	if v, err := jsonc.ParseValue([]byte(c.Arg("VALUE"))); err == nil {
		value = v
	}
	return editFront(c, func(t *doc.Text) error { return t.SetFront(value, keyPath(c.Arg("KEY"))...) })
}

func frontmatterMerge(c *Call) *answer.Answer {
	text := []byte(c.Arg("JSON"))
	if string(text) == "-" {
		text = must.Get(io.ReadAll(io.LimitReader(c.Stdin, 1<<20)))
	}
	v, err := jsonc.ParseValue(text)
	members, ok := v.(jsonc.Object)
	if err != nil || !ok {
		return fail(command.Usagef("JSON has to be an object, such as '{\"wave\": 2}'"))
	}
	return editFront(c, func(t *doc.Text) error {
		for _, m := range members {
			if err := t.SetFront(m.Value, m.Name); err != nil {
				return err
			}
		}
		return nil
	})
}

// editFront changes the document that FILE names.
func editFront(c *Call, edit func(*doc.Text) error) *answer.Answer {
	name := ""
	c.Update(func(tx *plan.Tx) {
		t, rel := document(c, tx, "PLAN")
		if !strings.HasPrefix(rel, plan.Planning+"/") {
			fail(&plan.InputError{Path: rel, What: "is outside of " + plan.Planning})
		}
		name = rel
		if err := edit(t); err != nil {
			fail(&plan.InputError{Path: rel, What: err.Error()})
		}
	})
	d := map[string]any{"path": name, "changed": len(c.change.Files) > 0}
	talk := name + " has that already"
	if len(c.change.Files) > 0 {
		talk = "changed " + name
	}
	return &answer.Answer{Data: d, Said: talk}
}

func frontmatterValidate(c *Call, tx *plan.Tx) *answer.Answer {
	d := struct {
		Path    string   `json:"path"`
		Schema  string   `json:"schema"`
		Valid   bool     `json:"valid"`
		Missing []string `json:"missing"`
		Present []string `json:"present"`
		Wrong   []string `json:"wrong"`    // values that the rest of the document contradicts
		Warned  []string `json:"warnings"` // of the phase's review that it does not name
	}{Schema: c.String("schema"), Wrong: []string{}, Warned: []string{}}
	t, rel := document(c, tx, "PLAN")
	if d.Path = rel; d.Schema == "" {
		if d.Schema = schemaOf(rel); d.Schema == "" {
			return fail(command.Usagef("%s is neither plan, summary nor verification: --schema says what it has to be", rel))
		}
	}
	missing, present, err := check.Required(t.Front(), d.Schema)
	must.OK(command.Usage(err))
	d.Missing, d.Present = answer.List(missing), answer.List(present)
	if d.Schema == check.SchemaVerification {
		if wrong := doc.ReadVerification(t).Overscored(); wrong != "" {
			d.Wrong = append(d.Wrong, wrong)
		}
		if review := tx.ReadIfThere(strings.TrimSuffix(rel, "VERIFICATION.md") + "REVIEW.md"); review != nil && strings.HasSuffix(rel, "VERIFICATION.md") {
			for _, f := range doc.Unanswered(review, t) {
				d.Warned = append(d.Warned, f.ID+" "+f.Title)
			}
		}
	}
	d.Valid = len(d.Missing)+len(d.Wrong) == 0
	return &answer.Answer{Data: d, No: !d.Valid, View: answer.Text(func(w io.Writer) {
		for _, wrong := range d.Wrong {
			fmt.Fprintf(w, "%s: %s\n", d.Path, wrong)
		}
		for _, warning := range d.Warned {
			fmt.Fprintf(w, "warning: %s: does not say what %s of the review means for its truths\n", d.Path, warning)
		}
		for _, key := range d.Missing {
			fmt.Fprintf(w, "%s: the frontmatter has no %s\n", d.Path, key)
		}
		if d.Valid {
			fmt.Fprintf(w, "%s: a valid %s\n", d.Path, d.Schema)
		}
	})}
}

// schemaOf tells from a file's name what it is; "" for another document.
func schemaOf(rel string) string {
	for _, schema := range []string{check.SchemaPlan, check.SchemaSummary, check.SchemaVerification} {
		if strings.HasSuffix(rel, strings.ToUpper(schema)+".md") {
			return schema
		}
	}
	return ""
}

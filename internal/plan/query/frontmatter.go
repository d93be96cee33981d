package query

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/check"
	"cairn/internal/plan/doc"
)

func frontmatterGet(c *call, t *doc.Text) result {
	field, _ := c.argOr("field", 1)
	front := t.Front()
	switch {
	case field == "" && front == nil:
		return data(object{})
	case field == "":
		return data(front.JSON())
	}
	n := front.Get(field)
	if n == nil {
		return problem("Field not found", member{"field", field})
	}
	raw := n.Text()
	if n.Kind != doc.Scalar {
		raw = string(must.Get(marshal(n.JSON(), "")))
	}
	return dataRaw(object{{field, n.JSON()}}, raw)
}

func frontmatterSet(c *call) result {
	next := 1
	name, field := c.arg(0), c.opt("field")
	hasField := c.given("field")
	if !hasField {
		field, hasField = c.argOr("field", next)
		next++
	}
	text, hasValue := c.argOr("value", next)
	require(name != "" && field != "" && hasField && hasValue, missing, "file, field, and value required")
	c.document(name)
	var value any = text
	if v, err := jsonc.ParseValue([]byte(text)); err == nil {
		value = v
	}
	c.edit(name, func(t *doc.Text) { must.OK(t.SetFront(value, field)) })
	return dataRaw(object{{"updated", true}, {"field", field}, {"value", value}}, "true")
}

func frontmatterMerge(c *call) result {
	name := c.arg(0)
	text, given := c.argOr("data", 1)
	require(name != "" && given, missing, "file and data required")
	c.document(name)
	members, ok := objectOf(text)
	require(ok, "usage", "Invalid JSON for --data")
	fields := each(members, func(m jsonc.Member) string { return m.Name })
	c.edit(name, func(t *doc.Text) {
		for _, m := range members {
			must.OK(t.SetFront(m.Value, m.Name))
		}
	})
	return dataRaw(object{{"merged", true}, {"fields", fields}}, "true")
}

// objectOf reads a JSON object.
func objectOf(text string) (o jsonc.Object, ok bool) {
	v, err := jsonc.ParseValue([]byte(text))
	o, ok = v.(jsonc.Object)
	return o, ok && err == nil
}

func frontmatterValidate(c *call) result {
	name := c.arg(0)
	schema, _ := c.argOr("schema", 1)
	require(name != "" && schema != "", missing, "file and schema required")
	_, _, err := check.Required(nil, schema)
	require(err == nil, "usage", "Unknown schema: %s. Available: %s", schema, check.SchemaNames)
	absent, present := must.Get2(check.Required(c.document(name).Front(), schema))
	valid := len(absent) == 0
	return dataRaw(object{{"valid", valid}, {"missing", list(absent)}, {"present", list(present)}, {"schema", schema}}, validity(valid))
}

func templateSelect(_ *call, t *doc.Text) result {
	size := check.Measure(t)
	path := "templates/summary-" + size.Class() + ".md"
	return dataRaw(object{
		{"template", path}, {"type", size.Class()}, {"taskCount", size.Tasks}, {"fileCount", size.Files}, {"hasDecisions", size.Decisions},
	}, path)
}

// maxFields is how long the JSON of --fields may be.
const maxFields = 1 << 20

func templateFill(c *call) result {
	phase := c.opt("phase")
	d := plan.Draft{Kind: c.arg(0), Plan: "01", Name: c.opt("name"), Type: c.opt("type"), Today: time.Now()}
	if c.given("plan") {
		d.Plan = c.opt("plan")
	}
	d.Wave, _ = strconv.Atoi(c.opt("wave"))
	if c.given("fields") {
		ok := false
		d.Fields, ok = objectOf(c.opt("fields"))
		require(ok && len(c.opt("fields")) <= maxFields, "usage", "Invalid JSON for --fields")
	}
	require(d.Kind != "", missing, "template type required: summary, plan, or verification")
	require(phase != "", missing, "--phase required")
	require(d.Kind == "plan" || d.Kind == "summary" || d.Kind == "verification",
		"usage", "Unknown template type: %s. Available: summary, plan, verification", d.Kind)
	ok, noPhase, made := false, problem("Phase not found", member{"phase", phase}), ""
	if d.Phase, ok = doc.ParsePhaseID(phase); !ok {
		return noPhase
	}
	err := must.Catch(func() { c.change(func(tx *plan.Tx) { made = tx.Create(d) }) })
	if there, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrExist) {
		return problem("File already exists", member{"path", there.Path})
	}
	if errors.Is(err, plan.ErrNoPhase) {
		return noPhase
	}
	must.OK(err)
	return dataRaw(object{{"created", true}, {"path", made}, {"template", strings.ToLower(d.Kind)}}, made)
}

package query

import (
	"cairn/internal/jsonc"
	"cairn/internal/plan/check"
	"cairn/internal/plan/doc"
)

var frontmatterCommands = []command{
	{name: "frontmatter get", run: frontmatterGet, bare: true},
	{name: "frontmatter set", run: frontmatterSet, bare: true},
	{name: "frontmatter merge", run: frontmatterMerge, bare: true},
	{name: "frontmatter validate", run: frontmatterValidate, bare: true},
}

func frontmatterGet(c *call) (result, error) {
	name, values, _ := c.flagsOrArgs("field")
	field := values[0]
	if name == "" {
		return result{}, fail("sdk_missing_arg", "file path required")
	}
	t, err := c.document(name)
	if err != nil {
		return result{}, err
	}
	if t == nil {
		return notFound(name), nil
	}
	front := t.Front()
	if field == "" {
		if front == nil {
			return data(object{}), nil
		}
		return data(front.JSON()), nil
	}
	n := front.Get(field)
	if n == nil {
		return data(object{{"error", "Field not found"}, {"field", field}}), nil
	}
	raw := n.Text()
	if n.Kind != doc.Scalar {
		b, err := marshal(n.JSON(), "")
		if err != nil {
			return result{}, err
		}
		raw = string(b)
	}
	return dataRaw(object{{field, n.JSON()}}, raw), nil
}

func frontmatterSet(c *call) (result, error) {
	name, values, given := c.flagsOrArgs("field", "value")
	field, text := values[0], values[1]
	if name == "" || field == "" || !given {
		return result{}, fail("sdk_missing_arg", "file, field, and value required")
	}
	if t, err := c.document(name); err != nil || t == nil {
		return notFound(name), err
	}
	var value any = text
	if v, err := jsonc.ParseValue([]byte(text)); err == nil {
		value = v
	}
	err := c.edit("frontmatter set", name, func(t *doc.Text) error { return t.SetFront(value, field) })
	return dataRaw(object{{"updated", true}, {"field", field}, {"value", value}}, "true"), err
}

func frontmatterMerge(c *call) (result, error) {
	name, values, given := c.flagsOrArgs("data")
	text := values[0]
	if name == "" || !given {
		return result{}, fail("sdk_missing_arg", "file and data required")
	}
	if t, err := c.document(name); err != nil || t == nil {
		return notFound(name), err
	}
	v, err := jsonc.ParseValue([]byte(text))
	members, isObject := v.(jsonc.Object)
	if err != nil || !isObject {
		return result{}, fail("usage", "Invalid JSON for --data")
	}
	fields := []string{}
	for _, m := range members {
		fields = append(fields, m.Name)
	}
	err = c.edit("frontmatter merge", name, func(t *doc.Text) error {
		for _, m := range members {
			if err := t.SetFront(m.Value, m.Name); err != nil {
				return err
			}
		}
		return nil
	})
	return dataRaw(object{{"merged", true}, {"fields", fields}}, "true"), err
}

func frontmatterValidate(c *call) (result, error) {
	name, values, _ := c.flagsOrArgs("schema")
	schema := values[0]
	if name == "" || schema == "" {
		return result{}, fail("sdk_missing_arg", "file and schema required")
	}
	if _, _, err := check.Required(nil, schema); err != nil {
		return result{}, fail("usage", "Unknown schema: %s. Available: %s", schema, check.SchemaNames)
	}
	t, err := c.document(name)
	if err != nil || t == nil {
		return notFound(name), err
	}
	missing, present, err := check.Required(t.Front(), schema)
	valid := len(missing) == 0
	return dataRaw(object{{"valid", valid}, {"missing", list(missing)}, {"present", list(present)}, {"schema", schema}}, validity(valid)), err
}

package query

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"cairn/internal/jsonc"
	"cairn/internal/plan"
	"cairn/internal/plan/check"
	"cairn/internal/plan/doc"
)

var templateCommands = []command{
	{name: "template select", run: templateSelect, needs: "plan-path required", bare: true},
	{name: "template fill", run: templateFill, bare: true},
}

// maxFields is how long the JSON of --fields may be.
const maxFields = 1 << 20

func templateSelect(c *call) (result, error) {
	t, res, err := c.named()
	if t == nil {
		return res, err
	}
	size := check.Measure(t)
	path := "templates/summary-" + size.Class() + ".md"
	return dataRaw(object{
		{"template", path}, {"type", size.Class()}, {"taskCount", size.Tasks}, {"fileCount", size.Files}, {"hasDecisions", size.Decisions},
	}, path), nil
}

func templateFill(c *call) (result, error) {
	d := plan.Draft{Plan: "01", Today: time.Now()}
	phase, _ := c.flag("phase")
	if number, ok := c.flag("plan"); ok {
		d.Plan = number
	}
	d.Name, _ = c.flag("name")
	d.Type, _ = c.flag("type")
	if wave, ok := c.flag("wave"); ok {
		d.Wave, _ = strconv.Atoi(wave)
	}
	if text, ok := c.flag("fields"); ok {
		v, err := jsonc.ParseValue([]byte(text))
		fields, isObject := v.(jsonc.Object)
		if err != nil || !isObject || len(text) > maxFields {
			return result{}, fail("usage", "Invalid JSON for --fields")
		}
		d.Fields = fields
	}
	d.Kind = c.arg(0)
	switch {
	case d.Kind == "":
		return result{}, fail("sdk_missing_arg", "template type required: summary, plan, or verification")
	case phase == "":
		return result{}, fail("sdk_missing_arg", "--phase required")
	case d.Kind != "plan" && d.Kind != "summary" && d.Kind != "verification":
		return result{}, fail("usage", "Unknown template type: %s. Available: summary, plan, verification", d.Kind)
	}
	id, ok := doc.ParsePhaseID(phase)
	if !ok {
		return data(object{{"error", "Phase not found"}, {"phase", phase}}), nil
	}
	d.Phase = id
	made, err := update(c, "template fill", func(tx *plan.Tx) (string, error) {
		return tx.Create(d)
	})
	switch {
	case errors.Is(err, plan.ErrNoPhase):
		return data(object{{"error", "Phase not found"}, {"phase", phase}}), nil
	case errors.Is(err, fs.ErrExist):
		return data(object{{"error", "File already exists"}, {"path", made}}), nil
	case err != nil:
		return result{}, err
	}
	return dataRaw(object{{"created", true}, {"path", made}, {"template", strings.ToLower(d.Kind)}}, made), nil
}

package query

import (
	"slices"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
	"cairn/internal/text"
)

// scaffold takes KIND --phase N [--name WORDS…].
func scaffold(c *call) (result, error) {
	number, _ := c.flag("phase")
	name := c.phrase("name")
	kind := c.arg(0)
	id, ok := doc.ParsePhaseID(number)
	switch {
	case kind == "phase-dir":
		if !ok || name == "" {
			return result{}, fail("sdk_missing_arg", "phase and name required for phase-dir scaffold")
		}
		return scaffoldDir(c, id, name)
	case !slices.Contains(plan.ScaffoldKinds(), kind):
		return result{}, fail("usage", "Unknown scaffold type: %s. Available: context, uat, verification, phase-dir", kind)
	case !ok:
		return result{}, fail("sdk_missing_arg", "phase required for scaffold %s", kind)
	}
	file, created := "", false
	_, err := c.change(func(tx *plan.Tx) error {
		p, err := tx.Phase(id)
		if err != nil {
			return err
		}
		if p == nil || p.Dir == "" {
			return fail("phase_not_found", "Phase %s directory not found", number)
		}
		file, created, err = tx.ScaffoldFile(p, kind, name)
		return err
	})
	if err != nil {
		return result{}, err
	}
	if !created {
		return dataRaw(object{{"created", false}, {"reason", "already_exists"}, {"path", file}}, "exists"), nil
	}
	return dataRaw(object{{"created", true}, {"path", file}}, file), nil
}

func scaffoldDir(c *call, id doc.PhaseID, name string) (result, error) {
	dir := ""
	_, err := c.change(func(tx *plan.Tx) (err error) {
		dir, _, err = tx.ScaffoldDir(id, text.LetterSlug(name, doc.SlugLength), settings.Load(tx).Text("project_code"))
		return err
	})
	return dataRaw(object{{"created", true}, {"directory", dir}, {"path", c.Abs(dir)}}, dir), err
}

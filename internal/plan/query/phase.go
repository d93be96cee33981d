package query

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
	"cairn/internal/text"
)

var phaseCommands = []command{
	{name: "find-phase", run: reads(findPhase), needs: "phase identifier required"},
	{name: "phase next-decimal", run: reads(phaseNextDecimal)},
	{name: "phase add", run: phaseAdd},
	{name: "phase add-batch", run: phaseAddBatch},
	{name: "phase insert", run: phaseInsert},
	{name: "phase remove", run: phaseRemove},
	{name: "phase complete", run: phaseComplete},
	{name: "phase mvp-mode", run: reads(phaseMVPMode)},
	{name: "phase scaffold|scaffold", run: scaffold},
	{name: "phase", run: noSubcommand("phase", "next-decimal, add, add-batch, insert, remove, complete")},
	{name: "phases list", run: reads(phasesList)},
	{name: "phases clear", run: phasesClear},
	{name: "phases archive", run: phasesArchive},
	{name: "phases", run: noSubcommand("phases", "list, clear")},
}

// newPhase makes what is added of a description; the project's settings decide
// about the id.
func newPhase(tx *plan.Tx, description, id string) (n plan.NewPhase, mode string) {
	s := settings.Load(tx)
	n = plan.NewPhase{Name: description, Code: s.Text("project_code"), ID: upperSlug(id)}
	mode = s.Text("phase_naming")
	if n.ID == "" && mode == "custom" {
		n.ID = upperSlug(description)
	}
	if n.ID != "" {
		mode = "custom"
	}
	return n, mode
}

// upperSlug: `proj 42` is PROJ-42.
func upperSlug(s string) string { return strings.ToUpper(text.LetterSlug(s, doc.SlugLength)) }

func phaseAdd(c *call) (result, error) {
	id, _ := c.flag("id")
	if err := c.noMoreFlags("phase add"); err != nil {
		return result{}, err
	}
	description := strings.Join(c.args, " ")
	if strings.TrimSpace(description) == "" {
		return result{}, fail("sdk_missing_arg", "description required for phase add")
	}
	var o object
	_, err := c.change(func(tx *plan.Tx) (err error) {
		o, err = addOne(tx, description, id)
		return err
	})
	if err != nil {
		return result{}, oldWords(err)
	}
	padded, _ := o[1].value.(string)
	return dataRaw(o, padded), nil
}

func addOne(tx *plan.Tx, description, id string) (object, error) {
	n, mode := newPhase(tx, description, id)
	p, err := tx.AddPhase(n)
	if err != nil {
		return nil, err
	}
	number, padded := any(p.ID.Number), p.ID.Padded()
	if n.ID != "" {
		number, padded = n.ID, n.ID
	}
	return object{
		{"phase_number", number}, {"padded", padded}, {"name", description}, {"slug", p.Slug},
		{"directory", p.Dir}, {"naming_mode", mode},
	}, nil
}

// phaseAddBatch takes --descriptions '["a", "b"]', several --descriptions, or
// words.
func phaseAddBatch(c *call) (result, error) {
	var descriptions []string
	for {
		v, ok := c.flag("descriptions")
		if !ok {
			break
		}
		var list []string
		if strings.HasPrefix(strings.TrimSpace(v), "[") {
			if err := json.Unmarshal([]byte(v), &list); err != nil {
				return result{}, fail("usage", "--descriptions must be a JSON array of strings: %v", err)
			}
		} else {
			list = []string{v}
		}
		descriptions = append(descriptions, list...)
	}
	if err := c.noMoreFlags("phase add-batch"); err != nil {
		return result{}, err
	}
	descriptions = append(descriptions, c.args...)
	descriptions = slices.DeleteFunc(descriptions, func(d string) bool { return strings.TrimSpace(d) == "" })
	if len(descriptions) == 0 {
		return result{}, fail("sdk_missing_arg", "descriptions array required for phase add-batch")
	}
	phases := []object{}
	_, err := c.change(func(tx *plan.Tx) error {
		for _, d := range descriptions {
			o, err := addOne(tx, d, "")
			if err != nil {
				return err
			}
			phases = append(phases, o)
		}
		return nil
	})
	if err != nil {
		return result{}, oldWords(err)
	}
	return data(object{{"phases", phases}, {"count", len(phases)}}), nil
}

func phaseInsert(c *call) (result, error) {
	if err := c.noMoreFlags("phase insert"); err != nil {
		return result{}, err
	}
	after := c.arg(0)
	if after == "" || strings.TrimSpace(strings.Join(c.args[1:], " ")) == "" {
		return result{}, fail("sdk_missing_arg", "after-phase and description required for phase insert")
	}
	description := strings.Join(c.args[1:], " ")
	base, ok := doc.ParsePhaseID(after)
	if !ok {
		return result{}, fail("phase_not_found", "Phase %s not found in ROADMAP.md", after)
	}
	var p *plan.Phase
	_, err := c.change(func(tx *plan.Tx) (err error) {
		n, _ := newPhase(tx, description, "")
		n.ID, n.Padded = "", true
		p, err = tx.InsertPhase(base, n)
		return err
	})
	if err != nil {
		return result{}, oldWords(err)
	}
	number := p.ID.Padded()
	return dataRaw(object{
		{"phase_number", number}, {"after_phase", after}, {"name", description}, {"slug", p.Slug}, {"directory", p.Dir},
	}, number), nil
}

func phaseNextDecimal(c *call, tx *plan.Tx) (result, error) {
	base, ok := doc.ParsePhaseID(c.arg(0))
	if !ok {
		return result{}, fail("sdk_missing_arg", "phase number required for phase next-decimal")
	}
	next, ids, err := tx.NextDecimal(base)
	if err != nil {
		return result{}, err
	}
	existing := []string{}
	for _, id := range ids {
		existing = append(existing, id.Padded())
	}
	p, err := tx.Phase(base)
	found := p != nil && p.Dir != "" && p.Archived == ""
	return dataRaw(object{
		{"found", found}, {"base_phase", base.Padded()}, {"next", next.Padded()}, {"existing", existing},
	}, next.Padded()), err
}

func phaseRemove(c *call) (result, error) {
	force := c.switched("force")
	if err := c.noMoreFlags("phase remove"); err != nil {
		return result{}, err
	}
	id, ok := doc.ParsePhaseID(c.arg(0))
	if !ok {
		return result{}, fail("sdk_missing_arg", "phase number required for phase remove")
	}
	var done *plan.Removed
	_, err := c.change(func(tx *plan.Tx) (err error) {
		done, err = tx.RemovePhase(id, settings.Load(tx).Text("project_code"), force)
		return err
	})
	if err != nil {
		return result{}, oldWords(err)
	}
	return data(object{
		{"removed", c.arg(0)}, {"directory_deleted", orNull(done.Directory)},
		{"renamed_directories", done.Directories}, {"renamed_files", done.Files},
		{"roadmap_updated", true}, {"state_updated", done.State},
	}), nil
}

// phaseComplete refuses a phase with plans that have no summary, unless
// --force is given.
func phaseComplete(c *call) (result, error) {
	force := c.switched("force")
	reason, _ := c.flag("reason")
	if err := c.noMoreFlags("phase complete"); err != nil {
		return result{}, err
	}
	id, ok := doc.ParsePhaseID(c.arg(0))
	if !ok {
		return result{}, fail("sdk_missing_arg", "phase number required for phase complete")
	}
	var done *plan.Completed
	_, err := c.change(func(tx *plan.Tx) (err error) {
		p, err := phaseOf(tx, c.arg(0))
		if err != nil {
			return err
		}
		if p == nil || p.Dir == "" {
			return &plan.PhaseError{Phase: c.arg(0), What: "not found"}
		}
		done, err = tx.CompletePhase(id, plan.Completion{
			Force: force, Reason: reason, Lenient: true, ByOrder: true, Prune: settings.Load(tx).Bool("workflow.auto_prune_state"),
		})
		return err
	})
	if err != nil {
		return result{}, oldWords(err)
	}
	p := done.Phase
	number, name := any(nil), any(nil)
	if next := done.Next; next != nil && next.Dir != "" {
		number, name = dirNumber(next), orNull(next.Slug)
	} else if next != nil {
		number, name = written(next), orNull(text.LetterSlug(next.Name, doc.SlugLength))
	}
	return data(object{
		{"completed_phase", c.arg(0)}, {"phase_name", orNull(p.Slug)},
		{"plans_executed", strconv.Itoa(len(p.Summaries())) + "/" + strconv.Itoa(len(p.Plans))},
		{"next_phase", number}, {"next_phase_name", name}, {"is_last_phase", done.Next == nil}, {"date", done.Date},
		{"roadmap_updated", done.Roadmap}, {"state_updated", done.State}, {"requirements_updated", len(done.Requirements.Complete) > 0},
		{"auto_pruned", done.Pruned}, {"warnings", done.Warnings}, {"has_warnings", len(done.Warnings) > 0},
	}), nil
}

// written returns the phase's id as the roadmap has it.
func written(p *plan.Phase) string {
	switch {
	case p.Section != nil:
		return p.Section.Written
	case p.Box != nil:
		return p.Box.Written
	}
	return dirNumber(p)
}

// oldWords turns an error of a change into the old tool's.
func oldWords(err error) error {
	var phase *plan.PhaseError
	var executed *plan.ExecutedError
	var open *plan.UnfinishedError
	var input *plan.InputError
	switch {
	case errors.As(err, &phase):
		return fail("phase_not_found", "Phase %s %s", phase.Phase, strings.Replace(phase.What, "is not in", "not found in", 1))
	case errors.As(err, &executed):
		return fail("usage", "Phase %s has %d executed plan(s). Use --force to remove anyway.", executed.Phase, executed.Summaries)
	case errors.As(err, &open):
		return fail("usage", "Phase %s is not complete: %s. Use --force to complete it anyway.", open.Phase, open.Unfinished)
	case errors.As(err, &input) && strings.HasSuffix(input.Path, "ROADMAP.md") && input.Line == 0:
		return fail("usage", "ROADMAP.md not found")
	}
	return err
}

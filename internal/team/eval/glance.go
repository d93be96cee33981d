package eval

import (
	"fmt"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/team/result"
)

// glanced is what Glance reads of a stored run.
type glanced struct {
	Suite   string `json:"suite"`
	Results []struct {
		Name    string        `json:"name"`
		Suite   string        `json:"suite"`
		Variant string        `json:"variant"`
		CaseID  string        `json:"case_id"`
		Status  result.Status `json:"status"`

		Identity *result.Identity `json:"identity"`
	} `json:"all_results"`
	Prompts []result.Prompt `json:"prompt_texts"`
}

// Glance reads of a run only which cases it has and how they ended, in about a third
// of the time of Load.
func (s *Store) Glance(e Entry) (*result.Run, error) {
	if e.Where == Elsewhere && s.others != nil {
		return s.others.Load(e)
	}
	data, err := atomicfile.ReadRegular(filepath.Join(s.dir, e.File), result.MaxBytes)
	if err != nil {
		return nil, err
	}
	var g glanced
	if err := json.Unmarshal(data, &g); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(s.dir, e.File), err)
	}
	run := &result.Run{ID: e.ID, Suite: g.Suite, Prompts: g.Prompts, Results: make([]result.Result, len(g.Results))}
	for i, r := range g.Results {
		run.Results[i] = result.Result{Name: r.Name, Suite: r.Suite, Variant: r.Variant, CaseID: r.CaseID, Identity: r.Identity}
		run.Results[i].Set(r.Status)
	}
	return run, nil
}

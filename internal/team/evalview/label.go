package evalview

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/eval"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/judge"
)

// labels are those that a case has; nil where it cannot be labelled.
func (v *View) labels(o *opened, t *eval.Tally, id string) (*evalpage.Labels, error) {
	if v.opts.Labels == "" {
		return nil, nil
	}
	l := evalpage.LabelsOf(t, o.ID, id)
	if l == nil {
		return nil, nil
	}
	v.mu.Lock()
	given, err := judge.KeptLabels(v.opts.Labels, o.ID)
	v.mu.Unlock()
	l.Note = "Labels are kept on this machine."
	if v.opts.Team != nil {
		mine, others, err := v.opts.Team.Of(o.Run)
		l.Note = "Labels are kept on this machine and sent to the team."
		if err != nil {
			l.Note = "The team's labels cannot be read: " + evalpage.Visible(err.Error())
		}
		given = judge.Over(given, mine)
		for _, person := range others {
			for _, one := range person.Labels {
				if one.Case == t.Results[0].Title() {
					l.Others = append(l.Others, evalpage.Verdict{Who: evalpage.Visible(person.Who), Criterion: evalpage.Visible(one.Criterion), Pass: one.Pass})
				}
			}
		}
	}
	for _, one := range given {
		if one.Case == t.Results[0].Title() {
			l.Given[one.Criterion] = one.Pass
		}
	}
	return l, err
}

// mostLabel is how many bytes a label that is sent may have.
const mostLabel = 16 << 10

// label stores a label that a person gives. Only a script of our own page gets
// here: the door refuses other sites, and a form cannot send this type.
func (v *View) label(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "a label must be sent as JSON", http.StatusUnsupportedMediaType)
		return
	}
	var sent struct {
		Run       string `json:"run"`
		Case      string `json:"case"`
		Criterion string `json:"criterion"`
		Pass      *bool  `json:"pass"` // null removes it
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, mostLabel+1))
	if err == nil && len(data) > mostLabel {
		err = fmt.Errorf("a label must have at most %d bytes", mostLabel)
	}
	if err == nil {
		err = json.Unmarshal(data, &sent)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	o, err := v.open(sent.Run)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	at, ok := o.at[sent.Case]
	if !ok || !evalpage.HasLabel(o.tallies[at], sent.Criterion) {
		http.Error(w, "the run has no such case and criterion", http.StatusNotFound)
		return
	}
	pass, gone := sent.Pass != nil && *sent.Pass, sent.Pass == nil
	if err := v.keep(o.ID, judge.Label{Case: o.tallies[at].Title, Criterion: sent.Criterion, Pass: pass}, gone); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if v.opts.Team != nil {
		if err := v.opts.Team.Set(o.Run, o.tallies[at].Results[0], sent.Criterion, pass, gone); err != nil {
			w.Header().Set("Content-Type", "application/json")
			_ = json.MarshalWrite(w, map[string]string{"note": "The team does not have the label, this machine has: " + err.Error()})
			return
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

// keep writes the labels of a run with one more, or one less.
func (v *View) keep(run string, l judge.Label, gone bool) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	all, err := judge.KeptLabels(v.opts.Labels, run)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(one judge.Label) bool { return one.Case == l.Case && one.Criterion == l.Criterion })
	if !gone {
		all = append(all, l)
	}
	file := judge.LabelFile(v.opts.Labels, run)
	if len(all) == 0 {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	data, err := json.Marshal(all, json.Deterministic(true))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), home.PrivateDir)
	}
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(file, append(data, '\n'), home.PrivateFile)
}

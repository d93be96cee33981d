package dashboard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/wire"
)

// withLabels returns a case's page with the labels as whoever looks sees them.
func (p *pages) withLabels(ctx context.Context, q *request, made *reply) *reply {
	out, l := *made, *made.labels
	out.labels = &l
	if err := p.fill(ctx, q, &l); err != nil {
		p.Log.Error("labels cannot be read", "run", l.Run, "case", l.Case, "error", err)
		l.To, l.Note = "", "The labels cannot be read: "+said(err)
	}
	if l.To == "" && len(l.Others) == 0 && l.Note == "" { // nothing to show or to do
		out.labels = nil
		return &out
	}
	data, err := json.Marshal(l, json.Deterministic(true))
	if err != nil || len(made.data) < 2 {
		return made
	}
	out.data = slices.Concat(made.data[:len(made.data)-1], []byte(`,"labels":`), data, []byte("}"))
	out.body = slices.Concat(made.body, l.Form())
	return &out
}

// fill adds what people said. Without a place to keep labels nobody can give one.
func (p *pages) fill(ctx context.Context, q *request, l *evalpage.Labels) error {
	me := q.viewer.As.User
	if l.Given = map[string]bool{}; p.Labels == nil || q.viewer.As.Team != uuid.Nil { // a token of CI is nobody
		l.To = ""
	}
	if p.Labels == nil {
		return nil
	}
	of := wire.EvalLabel{Team: q.team.ID}
	var err error
	if of.Run, err = uuid.Parse(l.Run); err == nil {
		of.Case, err = strconv.ParseInt(l.Case, 10, 64)
	}
	if err != nil {
		return err
	}
	list, err := p.Labels.Of(ctx, q.viewer.As, of)
	if err != nil {
		return err
	}
	a := &ask{viewer: q.viewer}
	if err := p.DB.View(ctx, q.viewer.As, func(tx *db.Tx) (err error) {
		a.people, err = figures.People(ctx, tx, q.team.ID)
		return err
	}); err != nil {
		return err
	}
	a.names = figures.Named(a.people, !a.ci())
	for _, one := range list {
		if one.User == me {
			l.Given[one.Criterion] = one.Pass
		} else {
			l.Others = append(l.Others, evalpage.Verdict{Who: evalpage.Visible(a.name(uuid.NullUUID{UUID: one.User, Valid: true})), Criterion: evalpage.Visible(one.Criterion), Pass: one.Pass})
		}
	}
	return nil
}

// A refusal is the word of what keeps labels, for whoever sent one.
type refusal interface {
	Refusal() (status int, message string)
}

// mostLabel is how many bytes a label that is sent may have.
const mostLabel = 16 << 10

const mediaJSON = "application/json"

// A labelling is what a page sends: from its script as JSON, else by a form.
type labelling struct {
	Run       string `json:"run"`
	Case      string `json:"case"`
	Criterion string `json:"criterion"`
	Pass      *bool  `json:"pass"` // null takes the label back
}

// label keeps a member's label.
func (p *pages) label(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	refuse := func(status int, title, text string) { p.problem(w, r, status, title, text) }
	if err := new(http.CrossOriginProtection).Check(r); err != nil {
		refuse(http.StatusForbidden, "This was sent by another page", "Open the case on this server and label it there.")
		return
	}
	viewer, ok := p.viewer(w, r)
	if !ok {
		return
	}
	team, ok := p.team(w, r, viewer)
	if !ok {
		return
	}
	if p.Labels == nil {
		p.missing(w, r)
		return
	}
	sent, err := readLabel(r, kind)
	label := wire.EvalLabel{Team: team.ID, Criterion: sent.Criterion}
	if err == nil {
		label.Run, err = uuid.Parse(sent.Run)
	}
	if err == nil {
		label.Case, err = strconv.ParseInt(sent.Case, 10, 64)
	}
	if err != nil {
		refuse(http.StatusBadRequest, "The label cannot be read", err.Error())
		return
	}
	a := &ask{viewer: viewer, team: team}
	err = p.DB.View(r.Context(), viewer.As, func(tx *db.Tx) error {
		a.tx = tx
		return must.Catch(func() {
			if t := a.load(r.Context(), label.Run, []int64{label.Case}).find(sent.Case); t == nil || !evalpage.HasLabel(t, label.Criterion) {
				must.Fail(errNothing)
			}
		})
	})
	if errors.Is(err, errNothing) {
		refuse(http.StatusNotFound, "There is nothing to label", "The run has no such case and criterion, or several answers to the case.")
		return
	}
	if err == nil {
		label.Pass = sent.Pass != nil && *sent.Pass
		err = p.Labels.Set(r.Context(), viewer.As, label, sent.Pass == nil)
	}
	var refusal refusal
	switch {
	case errors.As(err, &refusal):
		status, message := refusal.Refusal()
		p.Log.Error("label not kept", "path", r.URL.Path, "error", err)
		if status < http.StatusBadRequest { // the server that keeps labels was not reached
			status = http.StatusServiceUnavailable
		}
		refuse(status, "The label was not saved", message)
	case err != nil:
		p.failed(w, r, err)
	case kind == mediaJSON:
		w.WriteHeader(http.StatusNoContent)
	default:
		http.Redirect(w, r, "/t/"+team.Slug+"/case?"+url.Values{"run": {label.Run.String()}, "id": {sent.Case}}.Encode(), http.StatusSeeOther)
	}
}

// readLabel reads a body of either kind.
func readLabel(r *http.Request, kind string) (sent labelling, err error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, mostLabel+1))
	switch {
	case err != nil:
		return sent, err
	case len(data) > mostLabel:
		return sent, errors.New("a label must have at most 16 KB")
	case kind == mediaJSON:
		return sent, json.Unmarshal(data, &sent)
	case kind != "application/x-www-form-urlencoded":
		return sent, errors.New("a label must be sent as JSON or by a form")
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	if err := r.ParseForm(); err != nil {
		return sent, err
	}
	sent = labelling{Run: r.PostForm.Get("run"), Case: r.PostForm.Get("case"), Criterion: r.PostForm.Get("criterion")}
	switch pass := r.PostForm.Get("pass"); pass {
	case "true", "false":
		is := pass == "true"
		sent.Pass = &is
	case "":
	default:
		return sent, errors.New(`pass must be true, false or ""`)
	}
	return sent, nil
}

// said is what a page tells of an error: a refusal's own words, else nothing of it.
func said(err error) string {
	var refusal refusal
	if errors.As(err, &refusal) {
		_, message := refusal.Refusal()
		return evalpage.Visible(message)
	}
	return "the server's log says why"
}

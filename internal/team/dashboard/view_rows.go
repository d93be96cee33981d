package dashboard

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/panel"
)

// rowsPage is how many rows a page has.
const rowsPage = 50

// rowsViews are the pages of rows that charts link to.
func rowsViews() (out []view) {
	for _, k := range [...]struct {
		name, title        string
		byPerson, byBranch bool
		make               func(context.Context, *ask) (panel.Panel, error)
	}{
		{"runs", "Runs", true, true, runRowsPanel},
		{"ships", "Ships", true, true, shipRowsPanel},
		{"retros", "Retrospectives", false, false, recordsPanel("retros", "Retrospectives", nil, figures.RetroRows, retroEmpty, col("date", "Last day", panel.Text), col("period", "Period", panel.Text))},
		{"qa", "QA reports", false, false, recordsPanel("qa", "QA reports", nil, figures.QARows, panel.Empty{Text: "There is no QA report of this time.", Command: "cairn sync push-qa REPORT"}, col("url", "Address", panel.Text), col("mode", "Mode", panel.Text), col("health", "Health", panel.Number))},
		{"triage", "Verdicts", false, false, recordsPanel("triage", "Verdicts on review comments", nil, figures.TriageRows, panel.Empty{Text: "There is no verdict of this time.", Command: "cairn sync push-triage VERDICTS"}, col("verdict", "Verdict", panel.Text), col("category", "Category", panel.Text), col("path", "Files", panel.Text))},
		{"costs", "Costs", false, false, costRowsPanel},
		{"usage", "Work with agents", true, false, recordsPanel("usage", "Work with agents", []string{"person"}, figures.UsageRows, usageEmpty, col("date", "Day", panel.Text), col("machine", "Machine", panel.Text), col("agent", "Agent", panel.Text), col("sessions", "Sessions", panel.Count), col("turns", "Turns", panel.Count), col("prompts", "Prompts", panel.Count), col("before", "Tokens before", panel.Tokens), col("after", "Tokens after", panel.Tokens))},
		{"plans", "Plan snapshots", false, false, recordsPanel("plans", "Plan snapshots", nil, figures.PlanRows, planEmpty, col("project", "Project", panel.Text), col("workstream", "Workstream", panel.Text), col("milestone", "Milestone", panel.Text), col("phases", "Phases", panel.Count), col("phases_done", "Phases done", panel.Count), col("plans", "Plans", panel.Count), col("plans_done", "Plans done", panel.Count))},
		{"alerts", "Alerts", false, true, alertRowsPanel},
	} {
		out = append(out, view{name: "rows/" + k.name, title: k.title, summary: "The rows behind the figures, the newest first.", hidden: true, byPerson: k.byPerson, byBranch: k.byBranch,
			panels: []func(context.Context, *ask) (panel.Panel, error){k.make}})
	}
	return out
}

// after is the place in a list that the address names: MICROSECONDS.ID.
func (a *ask) after() (figures.After, error) {
	text := a.path["after"]
	if text == "" {
		return figures.After{}, nil
	}
	when, id, _ := strings.Cut(text, ".")
	micros, err := strconv.ParseInt(when, 10, 64)
	if err != nil {
		return figures.After{}, errNothing
	}
	last, err := uuid.Parse(id)
	if err != nil {
		return figures.After{}, errNothing
	}
	return figures.After{At: time.UnixMicro(micros).UTC(), ID: last}, nil
}

// next is the address of what follows a row.
func next(kind string, at time.Time, id uuid.UUID) string {
	return "rows/" + kind + "?" + url.Values{"after": {strconv.FormatInt(at.UnixMicro(), 10) + "." + id.String()}}.Encode()
}

func runRowsPanel(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "runs", Title: "Runs", Empty: runsEmpty}
	after, err := a.after()
	if err != nil {
		return p, err
	}
	list, err := figures.Runs(ctx, a.tx, a.in(), nil, after, rowsPage+1)
	if len(list) > rowsPage {
		list = list[:rowsPage]
		p.Table.Next = next("runs", list[rowsPage-1].At, list[rowsPage-1].ID)
	}
	a.runTable(&p.Table, list)
	return p, err
}

func alertRowsPanel(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "alerts", Title: "Alerts", Note: a.note("", "repo", "branch"), Empty: panel.Empty{Text: "There is no alert of this time.", Command: "cairn team alerts"}}
	after, err := a.after()
	if err != nil {
		return p, err
	}
	list, err := figures.Alerts(ctx, a.tx, a.in(), after, rowsPage+1)
	if len(list) > rowsPage {
		list = list[:rowsPage]
		p.Table.Next = next("alerts", list[rowsPage-1].Opened, list[rowsPage-1].ID)
	}
	a.alertTable(&p.Table, list)
	return p, err
}

func costRowsPanel(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "costs", Title: "Costs", Note: a.note("One row for each model of a run."), Empty: costEmpty,
		Table: panel.Table{Columns: []panel.Column{col("at", "When", panel.Moment), col("model", "Model", panel.Text), col("calls", "Calls", panel.Count), col("input", "Input", panel.Tokens), col("output", "Output", panel.Tokens), col("cost", "Cost", panel.Dollars)}}}
	after, err := a.after()
	if err != nil {
		return p, err
	}
	most := 2 * rowsPage
	list, err := figures.CostRows(ctx, a.tx, a.in(), after, most)
	for _, c := range list {
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Linked(c.At, "run?id="+c.Run.String()), panel.Of(modelName(c.Model)), panel.Of(c.Calls), panel.Of(c.Input), panel.Of(c.Output), panel.Of(c.CostUSD)})
	}
	if n := len(list); n >= rowsPage {
		p.Table.Next = next("costs", list[n-1].At, list[n-1].Run)
	}
	return p, err
}

func shipRowsPanel(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "ships", Title: "Ships", Empty: panel.Empty{Text: "Nothing was shipped in this time.", Command: "cairn retro --push"}}
	after, err := a.after()
	if err != nil {
		return p, err
	}
	list, err := figures.ShipRows(ctx, a.tx, a.in(), after, rowsPage+1)
	if len(list) > rowsPage {
		list = list[:rowsPage]
		p.Table.Next = next("ships", list[rowsPage-1].At, list[rowsPage-1].ID)
	}
	a.shipTable(&p.Table, list)
	return p, err
}

func (a *ask) shipTable(t *panel.Table, list []figures.Record) {
	t.Columns = []panel.Column{col("at", "When", panel.Moment), col("title", "What", panel.Text), col("version", "Version", panel.Text), col("repo", "Repository", panel.Text), col("branch", "Branch", panel.Text), col("commit", "Commit", panel.Text), col("by", "By", panel.Text)}
	for _, r := range list {
		title := panel.Of(r.Text[0])
		if r.Text[0] == "" {
			title = panel.Of(r.Text[3])
		}
		if u, err := url.Parse(r.Text[3]); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
			title.Link = u.String()
		}
		t.Rows = append(t.Rows, panel.Row{panel.Of(r.At), title, panel.Of(r.Text[1]), panel.Of(r.Repo), panel.Of(r.Text[2]), panel.Of(short(r.Text[4])), panel.Of(a.author(r.User, r.Text[5], r.Text[6]))})
	}
}

// recordsPanel lists records with the columns that their query has.
func recordsPanel(kind, title string, of []string, query func(context.Context, *db.Tx, figures.Range, figures.After, int) ([]figures.Record, error), empty panel.Empty, columns ...panel.Column) func(context.Context, *ask) (panel.Panel, error) {
	return func(ctx context.Context, a *ask) (panel.Panel, error) {
		p := panel.Panel{ID: kind, Title: title, Note: a.note("", append(of, "repo")...), Empty: empty}
		p.Table.Columns = append([]panel.Column{col("at", "When", panel.Moment), col("repo", "Repository", panel.Text)}, columns...)
		p.Table.Columns = append(p.Table.Columns, col("by", "Sent by", panel.Text))
		after, err := a.after()
		if err != nil {
			return p, err
		}
		list, err := query(ctx, a.tx, a.in(), after, rowsPage+1)
		if len(list) > rowsPage {
			list = list[:rowsPage]
			p.Table.Next = next(kind, list[rowsPage-1].At, list[rowsPage-1].ID)
		}
		for _, r := range list {
			row := panel.Row{panel.Of(r.At), panel.Of(r.Repo)}
			for i, text := range r.Text {
				cell := panel.Of(text)
				if n, err := strconv.ParseFloat(text, 64); err == nil && columns[i].Unit != panel.Text {
					cell = panel.Of(n)
				}
				row = append(row, cell)
			}
			p.Table.Rows = append(p.Table.Rows, append(row, panel.Of(a.name(r.User))))
		}
		return p, err
	}
}

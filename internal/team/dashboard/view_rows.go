package dashboard

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
)

// rowsPage is how many rows a page has.
const rowsPage = 50

// rowsViews are the pages of rows that charts link to.
func rowsViews() (out []view) {
	for _, k := range [...]struct {
		name, title        string
		byPerson, byBranch bool
		fill               panel
	}{
		{"runs", "Runs", true, true, runRowsPanel},
		{"ships", "Releases", true, true, shipRowsPanel},
		{"retros", "Retrospectives", false, false, recordsPanel("retros", "Retrospectives", nil, figures.RetroRows, retroEmpty, col("date", "Last day", answer.Words), col("period", "Period", answer.Words))},
		{"qa", "QA reports", false, false, recordsPanel("qa", "QA reports", nil, figures.QARows, answer.Empty{Text: "No QA report in this period.", Command: "cairn sync push-qa REPORT"}, col("url", "Address", answer.Words), col("mode", "Mode", answer.Words), col("health", "Health", answer.Number))},
		{"triage", "Verdicts", false, false, recordsPanel("triage", "Verdicts on review comments", nil, figures.TriageRows, answer.Empty{Text: "No verdicts on review comments in this period.", Command: "cairn sync push-triage VERDICTS"}, col("verdict", "Verdict", answer.Words), col("category", "Category", answer.Words), col("path", "Files", answer.Words))},
		{"costs", "Costs", false, false, costRowsPanel},
		{"spend", "Spend", false, false, spendRowsPanel},
		{"usage", "Work with agents", true, false, recordsPanel("usage", "Work with agents", []string{"person"}, figures.UsageRows, usageEmpty, col("date", "Day", answer.Words), col("machine", "Machine", answer.Words), col("agent", "Agent", answer.Words), col("sessions", "Sessions", answer.Count), col("turns", "Turns", answer.Count), col("prompts", "Prompts", answer.Count), col("before", "Tokens before", answer.Tokens), col("after", "Tokens after", answer.Tokens))},
		{"plans", "Plan snapshots", false, false, recordsPanel("plans", "Plan snapshots", nil, figures.PlanRows, planEmpty, col("project", "Project", answer.Words), col("workstream", "Workstream", answer.Words), col("milestone", "Milestone", answer.Words), col("phases", "Phases", answer.Count), col("phases_done", "Phases done", answer.Count), col("plans", "Plans", answer.Count), col("plans_done", "Plans done", answer.Count))},
		{"alerts", "Alerts", false, true, alertRowsPanel},
	} {
		out = append(out, view{name: "rows/" + k.name, title: k.title, summary: "The rows behind the figures, the newest first.", hidden: true, byPerson: k.byPerson, byBranch: k.byBranch, personal: k.name == "spend", panels: []panel{k.fill}})
	}
	return out
}

// after is the place in a list that the address names: MICROSECONDS.ID.
func (a *ask) after() figures.After {
	text := a.path["after"]
	if text == "" {
		return figures.After{}
	}
	when, id, _ := strings.Cut(text, ".")
	return figures.After{At: time.UnixMicro(named(strconv.ParseInt(when, 10, 64))).UTC(), ID: named(uuid.Parse(id))}
}

// next is the address of what follows a row.
func next(kind string, at time.Time, id uuid.UUID) string {
	return "rows/" + kind + "?" + url.Values{"after": {strconv.FormatInt(at.UnixMicro(), 10) + "." + id.String()}}.Encode()
}

// paged is a page of a list with one row more than it has, and says where the next
// begins: behind the last row, whose time and id last returns.
func paged[Row any](p *answer.Panel, list []Row, last func(*Row) (time.Time, uuid.UUID)) []Row {
	if len(list) <= rowsPage {
		return list
	}
	at, id := last(&list[rowsPage-1])
	p.Table.Next = next(p.ID, at, id)
	return list[:rowsPage]
}

func recordAt(r *figures.Record) (time.Time, uuid.UUID) { return r.At, r.ID }

func runRowsPanel(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "runs", Title: "Runs", Empty: runsEmpty}
	list := must.Get(figures.Runs(ctx, a.tx, a.in(), nil, a.after(), rowsPage+1))
	a.runTable(&p.Table, paged(p, list, func(r *figures.RunRow) (time.Time, uuid.UUID) { return r.At, r.ID }))
}

func alertRowsPanel(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "alerts", Title: "Alerts", Note: a.note("", "repo", "branch"), Empty: answer.Empty{Text: "No alerts in this period.", Command: "cairn team alerts"}}
	list := must.Get(figures.Alerts(ctx, a.tx, a.in(), a.after(), rowsPage+1))
	a.alertTable(&p.Table, paged(p, list, func(r *figures.Alert) (time.Time, uuid.UUID) { return r.Opened, r.ID }))
}

func costRowsPanel(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "costs", Title: "Costs", Note: a.note("One row for each model of a run."), Empty: costEmpty,
		Table: answer.Table{Columns: []answer.Column{col("at", "When", answer.Moment), col("model", "Model", answer.Words), col("calls", "Calls", answer.Count), col("input", "Input", answer.Tokens), col("output", "Output", answer.Tokens), col("cost", "Cost", answer.Dollars)}}}
	most := 2 * rowsPage
	list := must.Get(figures.CostRows(ctx, a.tx, a.in(), a.after(), most))
	for _, c := range list {
		p.Table.Add(answer.Linked(c.At, "run?id="+c.Run.String()), modelName(c.Model), c.Calls, c.Input, c.Output, c.CostUSD)
	}
	if n := len(list); n >= rowsPage {
		p.Table.Next = next("costs", list[n-1].At, list[n-1].Run)
	}
}

func shipRowsPanel(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "ships", Title: "Releases", Empty: shipsEmpty}
	a.shipTable(&p.Table, paged(p, must.Get(figures.ShipRows(ctx, a.tx, a.in(), a.after(), rowsPage+1)), recordAt))
}

func (a *ask) shipTable(t *answer.Table, list []figures.Record) {
	t.Columns = []answer.Column{col("at", "When", answer.Moment), col("title", "What", answer.Words), col("version", "Version", answer.Words), col("repo", "Repository", answer.Words), col("branch", "Branch", answer.Words), col("commit", "Commit", answer.Words), col("by", "By", answer.Words)}
	for _, r := range list {
		title := answer.Of(r.Text[0])
		if r.Text[0] == "" {
			title = answer.Of(r.Text[3])
		}
		if u, err := url.Parse(r.Text[3]); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
			title.Link = u.String()
		}
		t.Add(r.At, title, r.Text[1], r.Repo, r.Text[2], short(r.Text[4]), a.author(r.User, r.Text[5], r.Text[6]))
	}
}

// recordsPanel lists records with the columns that their query has.
func recordsPanel(kind, title string, of []string, query func(context.Context, *db.Tx, figures.Range, figures.After, int) ([]figures.Record, error), empty answer.Empty, columns ...answer.Column) panel {
	return func(ctx context.Context, a *ask, p *answer.Panel) {
		*p = answer.Panel{ID: kind, Title: title, Note: a.note("", append(of, "repo")...), Empty: empty}
		p.Table.Columns = append([]answer.Column{col("at", "When", answer.Moment), col("repo", "Repository", answer.Words)}, columns...)
		p.Table.Columns = append(p.Table.Columns, col("by", "Sent by", answer.Words))
		for _, r := range paged(p, must.Get(query(ctx, a.tx, a.in(), a.after(), rowsPage+1)), recordAt) {
			row := answer.Row{answer.Of(r.At), answer.Of(r.Repo)}
			for i, text := range r.Text {
				cell := answer.Of(text)
				if n, err := strconv.ParseFloat(text, 64); err == nil && columns[i].Unit != answer.Words {
					cell = answer.Of(n)
				}
				row = append(row, cell)
			}
			p.Table.Rows = append(p.Table.Rows, append(row, answer.Of(a.name(r.User))))
		}
	}
}

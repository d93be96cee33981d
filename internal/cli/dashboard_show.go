package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/dashboard"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

type dashboardShowOptions struct {
	weeks                          int
	from, to, repo, person, branch string
	id, suite, after               string
	json, csv                      bool
}

func newDashboardShow(env *Env) *cobra.Command {
	var opts dashboardShowOptions
	cmd := &cobra.Command{
		Use:   "show [VIEW [PANEL]]",
		Short: "Print what a page of the team shows",
		Long: `Prints the same figures and tables as the team's page of that name, or one panel
of it. Without a VIEW it is the first page.

Views:
` + wrapped(dashboard.Views()),
		Example: "  cairn dashboard show velocity --weeks 4\n  cairn dashboard show velocity ships-by-week --csv",
		Args:    usageArgs(cobra.MaximumNArgs(2)),
		RunE:    func(_ *cobra.Command, args []string) error { return runDashboardShow(env, args, opts) },
	}
	f := cmd.Flags()
	f.IntVar(&opts.weeks, "weeks", 0, "how many weeks, with the running one (default: 12)")
	f.StringVar(&opts.from, "from", "", "first day, as 2026-03-02")
	f.StringVar(&opts.to, "to", "", "last day")
	f.StringVar(&opts.repo, "repo", "", "of one repository, as acme/app")
	f.StringVar(&opts.person, "person", "", "of one person")
	f.StringVar(&opts.branch, "branch", "", "of one branch")
	f.StringVar(&opts.id, "id", "", "the run or case that the page is of")
	f.StringVar(&opts.suite, "suite", "", "the suite that the page is of")
	f.StringVar(&opts.after, "after", "", "go on with the rows after this one, as a page says")
	f.BoolVar(&opts.json, "json", false, "print the page as JSON; of one panel, its rows")
	f.BoolVar(&opts.csv, "csv", false, "print the rows of one panel as CSV")
	return cmd
}

func (o dashboardShowOptions) query() url.Values {
	q := url.Values{}
	if o.weeks != 0 {
		q.Set("weeks", strconv.Itoa(o.weeks))
	}
	for _, f := range [...]struct{ name, value string }{{"from", o.from}, {"to", o.to}, {"repo", o.repo}, {"person", o.person}, {"branch", o.branch}, {"id", o.id}, {"suite", o.suite}, {"after", o.after}} {
		if f.value != "" {
			q.Set(f.name, f.value)
		}
	}
	return q
}

func runDashboardShow(env *Env, args []string, opts dashboardShowOptions) error {
	if opts.csv && len(args) < 2 {
		return command.Usage(term.Hint(errors.New("--csv prints one panel"), "cairn dashboard show VIEW PANEL --csv"))
	}
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	if !slices.Contains(dashboard.Views(), name) && name != "" {
		return command.Usage(term.Hint(fmt.Errorf("there is no view %s", term.Printable(name)), "%s", strings.Join(dashboard.Views(), ", ")))
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	shown, err := showView(ctx, env, name, opts.query())
	if err != nil {
		return err
	}
	if len(args) == 2 {
		i := slices.IndexFunc(shown.Panels, func(p answer.Panel) bool { return p.ID == args[1] })
		if i < 0 {
			var ids []string
			for _, p := range shown.Panels {
				ids = append(ids, p.ID)
			}
			return command.Usage(term.Hint(fmt.Errorf("%s has no panel %s", name, term.Printable(args[1])), "%s", strings.Join(ids, ", ")))
		}
		shown.Panels = shown.Panels[i : i+1]
	}
	switch {
	case opts.csv:
		return shown.Panels[0].Table.CSV(env.Stdout)
	case opts.json && len(args) == 2:
		rows, err := shown.Panels[0].Table.Objects()
		if err != nil {
			return err
		}
		return printJSON(env, rows)
	case opts.json:
		return printJSON(env, shown)
	}
	return printShown(env, shown)
}

// wrapped is a list in lines that a terminal has place for.
func wrapped(names []string) string {
	var lines []string
	for some := range slices.Chunk(names, 6) {
		lines = append(lines, "  "+strings.Join(some, ", "))
	}
	return strings.Join(lines, ",\n")
}

// showView asks the server for a view, or makes it of the copy of a Supabase
// project's rows.
func showView(ctx context.Context, env *Env, name string, q url.Values) (shown dashboard.Shown, err error) {
	t, err := link.Open(ctx, env)
	if err != nil {
		return shown, err
	}
	_, ours, err := t.About(ctx)
	if err != nil {
		return shown, err
	}
	slug, err := slugOf(ctx, t)
	if err != nil {
		return shown, err
	}
	if name == "" {
		name = dashboard.First
	}
	path := "/t/" + slug + "/" + name + ".json"
	if ours {
		return shown, t.Do(ctx, http.MethodGet, path, q, nil, &shown)
	}
	m, err := openMirror(ctx, env, t, false)
	if err != nil {
		return shown, err
	}
	defer func() { _ = m.Close() }() // the copy can be made again
	viewer, err := viewerOf(ctx, t, m.DB)
	if err != nil {
		return shown, err
	}
	pages := dashboard.New(dashboard.Config{DB: m.DB, Log: slog.New(slog.DiscardHandler), Viewer: func(*http.Request) (dashboard.Viewer, error) { return viewer, nil }})
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, path+"?"+q.Encode(), nil)
	if err != nil {
		return shown, err
	}
	w := heard{header: http.Header{}, status: http.StatusOK}
	pages.ServeHTTP(&w, r)
	if w.status != http.StatusOK {
		var said struct {
			Message string `json:"message"`
			Hint    string `json:"hint"`
		}
		_ = json.Unmarshal(w.body.Bytes(), &said)
		err := errors.New(said.Message)
		if said.Hint != "" {
			err = term.Hint(err, "%s", said.Hint)
		}
		return shown, command.Data(err)
	}
	return shown, json.Unmarshal(w.body.Bytes(), &shown)
}

// heard is what a handler of this process answers.
type heard struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *heard) Header() http.Header         { return a.header }
func (a *heard) Write(p []byte) (int, error) { return a.body.Write(p) }
func (a *heard) WriteHeader(status int)      { a.status = status }

// printShown prints panels as tables.
func printShown(env *Env, shown dashboard.Shown) error {
	paint := term.NewPaint(env.Stdout, env.Getenv)
	for i, p := range shown.Panels {
		if i > 0 {
			fmt.Fprintln(env.Stdout)
		}
		head := term.Line(p.Title)
		if id := p.ID; len(shown.Panels) > 1 {
			head += " " + paint.Dim("("+term.Line(id)+")")
		}
		fmt.Fprintln(env.Stdout, head)
		switch {
		case p.Failed != "":
			fmt.Fprintln(env.Stdout, paint.Dim(term.Line(p.Failed)))
			continue
		case p.Nothing():
			fmt.Fprintln(env.Stdout, paint.Dim(term.Line(p.Empty.Text)))
			if p.Empty.Command != "" {
				fmt.Fprintf(env.Stderr, "cairn: hint: %s\n", term.Line(p.Empty.Command))
			}
			continue
		}
		if err := printPanel(env, paint, p); err != nil {
			return err
		}
	}
	return nil
}

func printPanel(env *Env, paint term.Paint, p answer.Panel) error {
	figures := grid{head: []string{"<FIGURE", ">NOW", ">BEFORE"}}
	for _, f := range p.Figures {
		before := ""
		if f.Before != nil {
			before = answer.Show(f.Before, f.Unit)
		}
		figures.row(term.Line(f.Title), answer.Show(f.Value, f.Unit), before)
	}
	if len(p.Figures) > 0 {
		if err := figures.print(env.Stdout, paint); err != nil {
			return err
		}
	}
	if len(p.Table.Rows) == 0 {
		return nil
	}
	var g grid
	for _, c := range p.Table.Columns {
		mark := ">"
		switch c.Unit {
		case answer.Words:
			mark = "<"
		case answer.Day, answer.Week, answer.Moment:
			mark = ""
		}
		g.head = append(g.head, mark+strings.ToUpper(term.Line(c.Title)))
	}
	for _, row := range p.Table.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = shownCell(c, p.Table.Columns[i].Unit)
		}
		g.row(cells...)
	}
	if err := g.print(env.Stdout, paint); err != nil {
		return err
	}
	switch {
	case nextKey(p.Table.Next) != "":
		fmt.Fprintln(env.Stdout, paint.Dim("and more: --after "+nextKey(p.Table.Next)))
	case p.Table.More > 0:
		fmt.Fprintln(env.Stdout, paint.Dim(fmt.Sprintf("… and %d more", p.Table.More)))
	}
	return nil
}

// nextKey is what --after wants to go on with the rows after those of a page,
// "" where there are none.
func nextKey(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return term.Line(u.Query().Get("after"))
}

// shownCell is a cell with its interval.
func shownCell(c answer.Cell, u answer.Unit) string {
	if c.Value == nil || c.Value == "" {
		return ""
	}
	text := term.Line(answer.Show(c.Value, u))
	if c.Low != nil && c.High != nil {
		text += " [" + answer.Show(c.Low, u) + "–" + answer.Show(c.High, u) + "]"
	}
	return text
}

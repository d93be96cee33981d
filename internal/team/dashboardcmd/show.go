package dashboardcmd

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/dashboard"
	"cairn/internal/team/runs"
	"cairn/internal/term"
)

func showCommand() *command.Command {
	flags := []command.Flag{{Name: "weeks", Default: 0, Help: "number of weeks, including this one (default: 12)"}}
	for _, q := range asked {
		flags = append(flags, command.Flag{Name: q.name, Default: "", Help: q.help, Values: q.values})
	}
	return &command.Command{
		Path: "dashboard show", Short: "Print what a page of the team shows",
		Long: `Prints the same figures and tables as the team's page of that name, or one panel
of it. Without a VIEW it is the first page, Overview, which is called pulse or
overview. Data sources are called freshness or sources.

Views:
` + wrapped(dashboard.Views()),
		Args:     []command.Arg{{Name: "VIEW", Optional: true, Values: func(*command.Call) []string { return dashboard.Views() }}, {Name: "PANEL", Optional: true}},
		Examples: []string{"cairn dashboard show velocity --weeks 4", "cairn dashboard show velocity ships-by-week --csv"},
		Effect:   command.Reads, CSV: true, Waits: true, Flags: flags, Run: show,
	}
}

// asked are the flags that the address of a page has by the same names.
var asked = []struct {
	name, help string
	values     command.Offer
}{
	{"from", "first day, as 2026-03-02", nil},
	{"to", "last day", nil},
	{"repo", "of one repository, as acme/app", runs.Repositories},
	{"person", "of one person", nil},
	{"branch", "of one branch", runs.Branches},
	{"id", "the run or case that the page is of", nil},
	{"suite", "the suite that the page is of", nil},
	{"a", "of compare: the run before", nil},
	{"b", "of compare: the run after", nil},
	{"after", "go on with the rows after this one, as a page says", nil},
}

func show(c *command.Call) (*answer.Answer, error) {
	name, panel := c.Arg("VIEW"), c.Arg("PANEL")
	if panel == "" && c.Given("csv") {
		return nil, command.Usage(term.Hint(errors.New("--csv prints one panel"), "cairn dashboard show VIEW PANEL --csv"))
	}
	if !slices.Contains(dashboard.Views(), name) && name != "" {
		return nil, command.Usage(term.Hint(fmt.Errorf("there is no view %s", term.Printable(name)), "%s", strings.Join(dashboard.Views(), ", ")))
	}
	q := url.Values{}
	if weeks := c.Int("weeks"); weeks != 0 {
		q.Set("weeks", strconv.Itoa(weeks))
	}
	for _, f := range asked {
		if value := c.String(f.name); value != "" {
			q.Set(f.name, value)
		}
	}
	shown := ask(c, name, q)
	if panel == "" {
		return &answer.Answer{Data: shown, View: panels(c, shown.Panels)}, nil
	}
	i := slices.IndexFunc(shown.Panels, func(p answer.Panel) bool { return p.ID == panel })
	if i < 0 {
		var ids []string
		for _, p := range shown.Panels {
			ids = append(ids, p.ID)
		}
		return nil, command.Usage(term.Hint(fmt.Errorf("%s has no panel %s", name, term.Printable(panel)), "%s", strings.Join(ids, ", ")))
	}
	a := &answer.Answer{View: panels(c, shown.Panels[i:i+1])}
	if c.Given("csv") {
		a.View = &shown.Panels[i].Table
	}
	a.Data = must.Get(shown.Panels[i].Table.Objects())
	return a, nil
}

// wrapped is a list in lines that a terminal has place for.
func wrapped(names []string) string {
	var lines []string
	for some := range slices.Chunk(names, 6) {
		lines = append(lines, "  "+strings.Join(some, ", "))
	}
	return strings.Join(lines, ",\n")
}

// ask asks the server for a view, or makes it of the copy of a Supabase project's
// rows.
func ask(c *command.Call, name string, q url.Values) (shown dashboard.Shown) {
	t, ours := team(c)
	slug := slugOf(c, t)
	if name == "" {
		name = dashboard.First
	}
	path := "/t/" + slug + "/" + name + ".json"
	if ours {
		must.OK(t.Do(c, http.MethodGet, path, q, nil, &shown))
		return shown
	}
	m := openCopy(c, t, false)
	defer func() { _ = m.Close() }() // the copy can be made again
	viewer := viewerOf(c, t, m.DB)
	pages := dashboard.New(dashboard.Config{DB: m.DB, Log: slog.New(slog.DiscardHandler), Viewer: func(*http.Request) (dashboard.Viewer, error) { return viewer, nil }})
	r := must.Get(http.NewRequestWithContext(c, http.MethodGet, path+"?"+q.Encode(), nil))
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
		must.OK(command.Data(err))
		return shown
	}
	must.OK(json.Unmarshal(w.body.Bytes(), &shown))
	return shown
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

// panels shows panels as tables; what brings rows to an empty one is a hint.
func panels(c *command.Call, list []answer.Panel) (all answer.Views) {
	for i, p := range list {
		all = append(all, answer.Painted(func(page *answer.Page) error {
			head := term.Line(p.Title)
			if len(list) > 1 {
				head += " " + page.Dim("("+term.Line(p.ID)+")")
			}
			if i > 0 {
				head = "\n" + head
			}
			fmt.Fprintln(page, head)
			switch {
			case p.Failed != "":
				fmt.Fprintln(page, page.Dim(term.Line(p.Failed)))
			case p.Nothing():
				fmt.Fprintln(page, page.Dim(term.Line(p.Empty.Text)))
				if p.Empty.Command != "" {
					term.PrintHint(c.Stderr, "%s", term.Line(p.Empty.Command))
				}
			}
			return nil
		}))
		if p.Failed == "" && !p.Nothing() {
			all = append(all, then(&p)...)
		}
	}
	return all
}

// then shows the figures of a panel beside those of the time before, and its rows.
func then(p *answer.Panel) (all answer.Views) {
	if len(p.Figures) > 0 {
		t := answer.NewTable("figure", "now:number", "before:number")
		for _, f := range p.Figures {
			var before any
			if f.Before != nil {
				before = answer.Show(f.Before, f.Unit)
			}
			t.Add(f.Title, answer.Show(f.Value, f.Unit), before)
		}
		all = append(all, t)
	}
	if len(p.Table.Rows) == 0 {
		return all
	}
	return append(all, &p.Table, answer.Painted(func(page *answer.Page) error {
		switch next := nextKey(p.Table.Next); {
		case next != "":
			fmt.Fprintln(page, page.Dim("and more: --after "+next))
		case p.Table.More > 0:
			fmt.Fprintln(page, page.Dim(fmt.Sprintf("… and %d more", p.Table.More)))
		}
		return nil
	}))
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

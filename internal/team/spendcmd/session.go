package spendcmd

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/runtimes"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend"
	"cairn/internal/team/spend/book"
	"cairn/internal/team/spend/detail"
	"cairn/internal/term"
	"cairn/internal/text"
	"cairn/internal/tokens"
)

func session() *command.Command {
	return &command.Command{
		Path: "spend session", Args: []command.Arg{{Name: "ID", Help: "session, by the beginning of its id", Optional: true}},
		Short: "Show where a session's money went, and what would lower it",
		Long: `Splits the bill of a session: the start of its requests by source, prompts, tool
results by tool and command, results that the model had before, retries, what the
model wrote, compactions, and caches that had expired. A text costs when it is sent
first and again with every later request of its context. The parts add up to the bill.

Sizes are estimates, scaled to how much each prompt grew. What the agent's file does
not explain is shown as not known. Only Claude Code and Codex write enough for the
rest; for other agents the prompts are not split. Newer versions of Claude Code record
the system prompt and the tools; of older ones the start is not known. Memory files
(CLAUDE.md) are counted as they are on disk today. A request that failed at the
service leaves no usage, so retries of those are not in any bill.

Without an ID the latest sessions are listed.`,
		Examples: []string{"cairn spend session", "cairn spend session 5e55 --json"},
		Effect:   command.Reads, Waits: true, CSV: true, Run: runSession,
	}
}

func runSession(c *command.Call) (*answer.Answer, error) {
	b, report := open(c)
	defer b.Close()
	prefix := c.Arg("ID")
	found := must.Get(ledger.Titles(c, b.DB, prefix, mostTitles))
	exact := slices.IndexFunc(found, func(o figures.Outlay) bool { return o.Of == prefix })
	switch {
	case prefix == "":
		return latest(&report, found), nil
	case exact >= 0:
		found = found[exact : exact+1]
	case len(found) == 0:
		return nil, command.Data(term.Hint(fmt.Errorf("no session begins with %q", term.Line(prefix)), "cairn spend session lists the latest"))
	case len(found) > 1:
		return nil, command.Data(term.Hint(fmt.Errorf("%s begin with %q: %s and %s", text.Count(len(found), "session"), term.Line(prefix), term.Line(found[0].Of), term.Line(found[1].Of)), "give more of the id"))
	}
	s := dissect(c, b, found[0])
	return &answer.Answer{Data: s, View: s.view(most(c, mostLines)), Said: report.remark()}, nil
}

// latest lists sessions.
func latest(report *refreshed, found []figures.Outlay) *answer.Answer {
	type row struct {
		Session  string    `json:"session"`
		Agent    string    `json:"agent"`
		Last     time.Time `json:"last"`
		USD      float64   `json:"usd"`
		Requests int64     `json:"requests"`
	}
	rows := []row{}
	t := answer.NewTable("session:name", "agent:name", "last:time", "usd:usd", "requests:count")
	for _, f := range found {
		rows = append(rows, row{f.Of, f.Agent, f.Last, f.USD(), f.Requests})
		t.Add(f.Of, f.Agent, f.Last, f.USD(), int(f.Requests))
	}
	a := &answer.Answer{Data: rows, View: t, Said: report.remark(), Hint: "cairn spend session ID shows where the money of one went; the beginning of an id is enough"}
	if len(rows) == 0 {
		a.View, a.Said, a.Hint = nil, "cairn: "+none(report, ledger.Filter{}), ""
	}
	return a
}

// A dissected is where a session's money went.
type dissected struct {
	Session   string        `json:"session"`
	Agent     string        `json:"agent"`
	Models    []string      `json:"models"`
	Repos     []string      `json:"repos"`
	Start     time.Time     `json:"start"`
	End       time.Time     `json:"end"`
	USD       float64       `json:"usd"`
	Requests  int           `json:"requests"`
	Unpriced  int           `json:"unpriced_requests"`
	Subagents float64       `json:"subagents_usd"` // of usd
	Missing   int           `json:"requests_without_transcript"`
	Avoidable float64       `json:"avoidable_usd"`
	Lines     []detail.Line `json:"lines"`
	Advice    []advice      `json:"advice"`
}

// dissect finds out where a session's money went.
func dissect(c *command.Call, b *book.Book, o figures.Outlay) *dissected {
	requests := must.Get(ledger.Requests(c, b.DB, ledger.Which{Session: o.Of, Agent: o.Agent}))
	found := details(c, b, requests)
	d := &dissected{Session: o.Of, Agent: o.Agent, Models: []string{}, Repos: []string{}, Requests: len(requests), Missing: found.Missing}
	var subagents int64
	for i := range requests {
		q := &requests[i]
		d.Models, d.Repos = including(d.Models, q.Model), including(d.Repos, q.Place.Repo)
		if !q.Known {
			d.Unpriced++
		}
		if q.Sub != "" {
			subagents += q.Nanos
		}
		if i == 0 {
			d.Start = q.At
		}
		d.End = q.At
	}
	var total int64
	d.Lines, total = found.Lines(detail.All)
	d.USD, d.Subagents, d.Avoidable = spend.Dollars(total), spend.Dollars(subagents), avoidable(d.Lines)
	d.Advice = advise(o.Agent, d.Lines)
	return d
}

func including(list []string, name string) []string {
	if name == "" || slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// details reads the files of the sessions that requests are of.
func details(c *command.Call, b *book.Book, requests []ledger.Spent) *detail.Session {
	if len(requests) == 0 {
		return &detail.Session{}
	}
	known := must.Get(ledger.Files(c, b.DB))
	var all []string
	for _, path := range slices.Sorted(maps.Keys(known)) {
		if known[path].Agent == requests[0].Agent {
			all = append(all, path)
		}
	}
	dir := requests[0].Dir
	return detail.Of(requests, detail.Files(all, requests), memory(c, requests[0].Agent, dir), b.Prices, func(err error) { term.Warn(c.Stderr, "left out: %v", err) })
}

// memory is how large the files are today that an agent sends along and notes nowhere.
func memory(c *command.Call, agent, dir string) map[string]int {
	found := map[string]int{}
	if agent != "claude" || dir == "" {
		return found
	}
	add := func(name, file string) {
		if data, err := os.ReadFile(file); err == nil && len(data) < 1<<20 {
			found[name+" (as it is today)"] += tokens.Estimate(string(data))
		}
	}
	of, _ := runtimes.Find(agent)
	add("CLAUDE.md of the user", filepath.Join(of.Dir(home.UserDir(c.Getenv), c.Getenv), "CLAUDE.md"))
	for at := dir; ; at = filepath.Dir(at) {
		add("CLAUDE.md", filepath.Join(at, "CLAUDE.md"))
		if at == filepath.Dir(at) || at == home.UserDir(c.Getenv) {
			return found
		}
	}
}

// headings are what kinds are called.
var headings = map[detail.Kind]string{
	detail.Start: "start of every request", detail.Prompts: "prompts", detail.Results: "tool results", detail.Again: "read again",
	detail.Retries: "retries", detail.Answers: "answers", detail.Summary: "compactions", detail.Expired: "cache expired", detail.Lost: "cache lost",
	detail.NotKnown: "not known",
}

const mostTitles = 15 // sessions that are listed

const mostLines = 8 // of one kind in a terminal

// most is how many lines of one kind are shown: all to a program.
func most(c *command.Call, people int) int {
	if c.AsText() {
		return people
	}
	return 1 << 30
}

func (d *dissected) view(most int) answer.View {
	return answer.Views{answer.Painted(d.head), table(d.Lines, d.USD, most), answer.Painted(d.remarks), tips(d.Advice)}
}

func (d *dissected) head(p *answer.Page) error {
	line := fmt.Sprintf("%s  %s %s, %s, %s", money(d.USD), d.Agent, term.Line(d.Session), text.Count(d.Requests, "request"), term.Line(strings.Join(d.Models, ", ")))
	_, err := fmt.Fprintf(p, "%s\n\n", strings.Replace(text.Fold(line, p.Width, 7), money(d.USD), p.Bold(money(d.USD)), 1))
	return err
}

// remarks say what is not in the table, or not known.
func (d *dissected) remarks(p *answer.Page) error {
	var remarks []string
	if d.Subagents > 0 {
		remarks = append(remarks, money(d.Subagents)+" of it in subagents")
	}
	for i := range d.Lines {
		if l := &d.Lines[i]; l.Kind == detail.NotKnown && l.Tokens > 0 {
			remarks = append(remarks, fmt.Sprintf("not known: %s tokens of the %s", text.Approx(l.Tokens), l.Name))
		}
	}
	if d.Missing > 0 {
		remarks = append(remarks, text.Count(d.Missing, "request")+" in no transcript that can be read")
	}
	if d.Unpriced > 0 {
		remarks = append(remarks, p.Bad(text.Count(d.Unpriced, "request")+" without a known price: not in the dollars"))
	}
	for i, r := range remarks {
		if i == 0 {
			fmt.Fprintln(p)
		}
		fmt.Fprintln(p, r)
	}
	return nil
}

// table is lines as a table: of each kind the largest, and the rest of it in one.
func table(lines []detail.Line, total float64, most int) *answer.Table {
	t := answer.NewTable("for:name", "what", "usd:usd", "share:percent", "tokens:tokens", "times:count")
	kind, n := detail.Kind(""), 0
	rest := detail.Line{}
	flush := func() {
		if rest.Times > 1 {
			t.Add(headings[kind], fmt.Sprintf("%d others", rest.Times), rest.USD, share(rest.USD, total), answer.Some(rest.Tokens), nil)
		} else if rest.Times == 1 {
			t.Add(headings[kind], rest.Name, rest.USD, share(rest.USD, total), answer.Some(rest.Tokens), nil)
		}
		rest, n = detail.Line{}, 0
	}
	for _, l := range lines {
		if l.Kind != kind {
			flush()
			kind = l.Kind
		}
		if n++; n > most {
			rest.USD, rest.Tokens, rest.Times, rest.Name = rest.USD+l.USD, rest.Tokens+l.Tokens, rest.Times+1, l.Name
			continue
		}
		mark := ""
		if l.Kind.Avoidable() {
			mark = "warn"
		}
		t.Add(answer.Marked(headings[l.Kind], mark), l.Name, l.USD, share(l.USD, total), answer.Some(l.Tokens), answer.Some(l.Times))
	}
	flush()
	return t
}

func avoidable(lines []detail.Line) (usd float64) {
	for i := range lines {
		if lines[i].Kind.Avoidable() {
			usd += lines[i].USD
		}
	}
	return usd
}

// An advice is what would lower a bill.
type advice struct {
	USD     float64 `json:"usd"` // at most
	Text    string  `json:"text"`
	Command string  `json:"command,omitempty"`
}

// advise says what would lower a bill, by how much at most, the largest first. What is
// under a cent, and under a hundredth of the bill, is not worth a word.
func advise(agent string, lines []detail.Line) []advice {
	sums, total := map[detail.Kind]float64{}, 0.0
	all := []advice{}
	add := func(usd float64, command, format string, args ...any) {
		all = append(all, advice{usd, fmt.Sprintf(format, args...), command})
	}
	for i := range lines {
		l := &lines[i]
		sums[l.Kind] += l.USD
		total += l.USD
		if l.Kind != detail.Start {
			continue
		}
		if server, ok := strings.CutPrefix(l.Name, "MCP server "); ok {
			add(l.USD, agent+" mcp remove "+server, "tools of the MCP server %s: remove it where it is not used", server)
		} else if strings.HasPrefix(l.Name, "CLAUDE.md") || l.Name == "memory files" {
			add(l.USD, "", "%s: shorten it, or move parts to files that are read when needed", l.Name)
		} else if l.Name == "skills and commands" || l.Name == "agent roles" {
			add(l.USD, "", "%s: remove those that are not used", l.Name)
		}
	}
	if usd := sums[detail.Again]; usd > 0 {
		add(usd, "cairn install", "results that the model had before: the hook shortens a repeated read to a line")
	}
	if usd := sums[detail.Results]; usd > 0 {
		add(usd, "cairn compact benchmark --dollars", "all tool results: the command shows how much of it compaction would have saved")
	}
	if usd := sums[detail.Expired]; usd > 0 {
		add(usd, "/clear", "caches that had expired: start anew after a long pause, where the context is not needed")
	}
	if usd := sums[detail.Lost]; usd > 0 {
		add(usd, "", "caches that were lost: keep the model, the tools and the settings during a session")
	}
	if usd := sums[detail.Retries]; usd > 0 {
		add(usd, "", "calls repeated at once after they failed: write into the memory file which command works")
	}
	if usd := sums[detail.Summary]; usd > 0 {
		add(usd, "/clear", "compactions: start anew between tasks")
	}
	all = slices.DeleteFunc(all, func(a advice) bool { return a.USD < 0.01 && a.USD < total/100 || a.USD <= 0 })
	slices.SortStableFunc(all, func(a, b advice) int { return cmp.Compare(b.USD, a.USD) })
	return all
}

// tips are advice in a terminal, a line each.
func tips(all []advice) answer.View {
	return answer.Painted(func(p *answer.Page) error {
		if len(all) == 0 {
			return nil
		}
		fmt.Fprintln(p, "\nWhat would lower it, by at most:")
		for _, a := range all {
			line := fmt.Sprintf("%8s  %s", text.Dollars(a.USD), a.Text)
			if a.Command != "" {
				line += " (" + a.Command + ")"
			}
			fmt.Fprintln(p, text.Fold(term.Printable(line), p.Width, 10))
		}
		return nil
	})
}

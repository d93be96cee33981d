package spendcmd

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/eval"
	"cairn/internal/team/spend"
	"cairn/internal/team/spend/detail"
	"cairn/internal/term"
	"cairn/internal/text"
)

func pull() *command.Command {
	return &command.Command{
		Path: "spend pr", Args: []command.Arg{{Name: "PR", Help: "acme/shop#12, or 12 in its repository"}},
		Short: "Show what a pull request cost, and what of it was avoidable",
		Long: `Adds up the requests behind the commits of a pull request: by what they were spent
for, by model and by session, beside the lines that it changes and the commits of it
that were reverted. Avoidable are results that the model had before, calls repeated
at once after they failed, and caches that had expired or were lost.

Requests behind the last commit of a branch belong to no pull request. Sizes of texts
are estimates: see cairn spend session.`,
		Examples: []string{"cairn spend pr acme/app#4", "cairn spend pr 4 --json"},
		Effect:   command.Reads, Waits: true, CSV: true, Run: runPull,
	}
}

// A pulled is what a pull request cost.
type pulled struct {
	Key       string    `json:"key"`
	Repo      string    `json:"repo"`
	Pull      int64     `json:"pull_request"`
	USD       float64   `json:"usd"`
	Requests  int       `json:"requests"`
	Unpriced  int       `json:"unpriced_requests"`
	Start     time.Time `json:"start"`
	End       time.Time `json:"end"`
	Avoidable float64   `json:"avoidable_usd"`
	Reverted  float64   `json:"reverted_usd"` // of the commits that were reverted
	Models    []part    `json:"models"`
	Sessions  []part    `json:"sessions"`
	Commits   []part    `json:"commits"`
	Size      *size     `json:"size"` // null: git does not know
	Undone    []string  `json:"reverted_commits"`

	FirstCommit *time.Time `json:"first_commit"` // null: git does not know
	Merged      *time.Time `json:"merged"`       // null: no commit of the default branch says so

	Lines  []detail.Line `json:"lines"`
	Advice []advice      `json:"advice"`
}

type size struct {
	Files   int `json:"files"`
	Added   int `json:"added_lines"`
	Removed int `json:"removed_lines"`
}

// A part is what one model, session or commit cost of it.
type part struct {
	Key   string  `json:"key"`
	Agent string  `json:"agent,omitempty"`
	USD   float64 `json:"usd"`

	nanos int64
}

func runPull(c *command.Call) (*answer.Answer, error) {
	repo, number, err := pullOf(c, c.Arg("PR"))
	if err != nil {
		return nil, err
	}
	b, report := open(c)
	defer b.Close()
	requests := must.Get(ledger.Requests(c, b.DB, ledger.Which{Repo: repo, Pull: number}))
	key := fmt.Sprintf("%s#%d", repo, number)
	if len(requests) == 0 {
		return nil, command.Data(term.Hint(fmt.Errorf("no request belongs to %s", term.Line(key)), "cairn spend --by pr lists pull requests; merges, trailers and refs name them"))
	}
	p := &pulled{Key: key, Repo: repo, Pull: number, Requests: len(requests), Start: requests[0].At, End: requests[len(requests)-1].At,
		Models: []part{}, Sessions: []part{}, Commits: []part{}, Undone: []string{}}
	for i := range requests {
		q := &requests[i]
		p.Models = plus(p.Models, part{Key: q.Model}, q.Nanos)
		p.Sessions = plus(p.Sessions, part{Key: q.Session, Agent: q.Agent}, q.Nanos)
		p.Commits = plus(p.Commits, part{Key: q.Place.Commit}, q.Nanos)
		if !q.Known {
			p.Unpriced++
		}
	}
	var total int64
	of := detail.Session{Tokens: map[detail.Source]int{}, Times: map[detail.Source]int{}}
	for _, s := range p.Sessions { // a request's context began before the pull request's first
		whole := must.Get(ledger.Requests(c, b.DB, ledger.Which{Session: s.Key, Agent: s.Agent}))
		of.Costs = append(of.Costs, details(c, b, whole).Costs...)
	}
	p.Lines, total = of.Lines(func(q *ledger.Spent) bool { return q.Place.Repo == repo && q.Place.Pull == number })
	p.USD, p.Avoidable, p.Advice = spend.Dollars(total), avoidable(p.Lines), advise(p.Sessions[0].Agent, p.Lines)
	v := must.Get(b.Reviews(c, repo, map[int64][]ledger.Spent{number: requests}))[number]
	if v.Sized {
		p.Size = &size{v.Files, v.Added, v.Removed}
	}
	p.FirstCommit, p.Merged = known(v.First), known(v.Merged)
	p.Undone = append(p.Undone, v.Reverted...)
	for _, part := range p.Commits {
		if slices.Contains(v.Reverted, part.Key) {
			p.Reverted += part.USD
		}
	}
	return &answer.Answer{Data: p, View: p.view(most(c, 5)), Said: report.remark()}, nil
}

// known is a time as JSON tells it, nil of none.
func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// pullOf reads acme/shop#12, also with : in place of #, or 12 of the repository here.
func pullOf(c *command.Call, arg string) (repo string, number int64, err error) {
	i := strings.LastIndexAny(arg, "#:!")
	number, parsed := strconv.ParseInt(arg[i+1:], 10, 32)
	if parsed != nil || number < 1 {
		return "", 0, command.Usage(term.Hint(fmt.Errorf("PR must be acme/shop#12 or a number, not %q", term.Line(arg)), "cairn spend --by pr lists pull requests"))
	}
	if i > 0 {
		return arg[:i], number, nil
	}
	remote, _ := git.Run(c, c.Here(), "config", "--get", "remote.origin.url")
	top, in := git.Top(c.Here())
	if !in {
		return "", 0, command.Usage(term.Hint(fmt.Errorf("%s is in no repository", c.Here()), "name it: cairn spend pr acme/shop#%d", number))
	}
	return cmp.Or(eval.RepoSlug(remote), filepath.Base(git.MainTree(top))), number, nil
}

// plus adds to the part with a key.
func plus(parts []part, p part, nanos int64) []part {
	i := slices.IndexFunc(parts, func(o part) bool { return o.Key == p.Key && o.Agent == p.Agent })
	if i < 0 {
		parts, i = append(parts, p), len(parts)
	}
	parts[i].nanos += nanos
	parts[i].USD = spend.Dollars(parts[i].nanos)
	return parts
}

func (d *pulled) view(most int) answer.View {
	return answer.Views{answer.Painted(d.head), table(d.Lines, d.USD, most), answer.Painted(d.unpriced), tips(d.Advice)}
}

func (d *pulled) head(p *answer.Page) error {
	fmt.Fprintf(p, "%s  %s, %s in %s\n", p.Bold(money(d.USD)), term.Line(d.Key), text.Count(d.Requests, "request"), text.Count(len(d.Sessions), "session"))
	facts := []any{}
	for i, m := range d.Models {
		facts = append(facts, map[bool]string{true: "models"}[i == 0], m.Key+" "+money(m.USD))
	}
	for i, s := range d.Sessions[:min(5, len(d.Sessions))] {
		facts = append(facts, map[bool]string{true: "sessions"}[i == 0], s.Agent+" "+s.Key+" "+money(s.USD))
	}
	changes := "not known to git here"
	if d.Size != nil {
		changes = fmt.Sprintf("%s, +%d −%d lines", text.Count(d.Size.Files, "file"), d.Size.Added, d.Size.Removed)
		if n := d.Size.Added + d.Size.Removed; n > 0 {
			changes += fmt.Sprintf(", %s per line", text.Dollars(d.USD/float64(n)))
		}
	}
	undone := "none of its commits"
	if len(d.Undone) > 0 {
		undone = fmt.Sprintf("%s, which cost %s", text.Count(len(d.Undone), "commit"), money(d.Reverted))
	}
	review := "not known to git here"
	if d.FirstCommit != nil && d.Merged != nil && !d.Merged.Before(*d.FirstCommit) {
		review = answer.Show(d.Merged.Sub(*d.FirstCommit).Minutes(), answer.Minutes) + " from the first commit to the merge"
	}
	facts = append(facts, "changes", changes, "review", review, "reverted", undone, "avoidable", fmt.Sprintf("%s at most", money(d.Avoidable)))
	if err := answer.Facts(facts...).Print(p); err != nil {
		return err
	}
	fmt.Fprintln(p)
	return nil
}

func (d *pulled) unpriced(p *answer.Page) error {
	if d.Unpriced > 0 {
		fmt.Fprintln(p, p.Bad(fmt.Sprintf("\n%s without a known price: not in the dollars", text.Count(d.Unpriced, "request"))))
	}
	return nil
}

package evalpage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

// Case is what the page of one case in one run shows: what was asked, what came,
// why it is wrong, and since when.
type Case struct {
	Title    string   `json:"title"`
	Suite    string   `json:"suite,omitzero"`
	Variant  string   `json:"variant,omitzero"`
	Category string   `json:"category,omitzero"`
	Tags     []string `json:"tags,omitempty"`
	Status   string   `json:"status"`
	Why      string   `json:"why,omitzero"`

	ID   string `json:"id"`            // of the case, in links
	Run  Link   `json:"run"`           // the run's page
	Base string `json:"base,omitzero"` // of a link to a case of the run; its id follows
	List string `json:"list,omitzero"` // under which the run's page stored the order of its cases
	Prev string `json:"prev,omitzero"` // ids
	Next string `json:"next,omitzero"`
	At   int    `json:"at,omitzero"` // its place in the run, from 1
	Of   int    `json:"of,omitzero"`

	Asked    []Text   `json:"asked,omitempty"`
	Answers  []Answer `json:"answers"`            // this run's, then the one it stands beside
	Variants []Answer `json:"variants,omitempty"` // of the same input in this run
	Past     []Past   `json:"past,omitempty"`     // the newest last
	Since    string   `json:"since,omitzero"`
	Links    []Link   `json:"links,omitempty"`
	Beside   *Link    `json:"beside,omitempty"` // shows it beside another run
	Labels   *Labels  `json:"labels,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// A Link is an address and what it says.
type Link struct {
	Text string `json:"text"`
	To   string `json:"to,omitzero"`
}

// An Answer is how the case went in one run, or with one variant.
type Answer struct {
	Name     string    `json:"name"` // of the column
	About    string    `json:"about,omitzero"`
	Links    []Link    `json:"links,omitempty"`
	Status   string    `json:"status"`
	Attempts []Attempt `json:"attempts"`
}

// Past is one result of the case's history.
type Past struct {
	Status string `json:"status"`
	About  string `json:"about"` // when, commit, branch
	To     string `json:"to,omitzero"`
	Here   bool   `json:"here,omitzero"`
	Beside bool   `json:"beside,omitzero"`
	run    string // its id
	at     time.Time
	commit string
}

// A Site is where pages are shown: it makes their addresses, "" for none.
type Site struct {
	Zone *time.Location
	// Commit and Pull are the pages of a run's commit and of its pull request on
	// the repository's host.
	Commit func(*result.Run) string
	Pull   func(*result.Run) Link
}

// moment is a time as the site's pages write it.
func (s *Site) moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	zone := cmp.Or(s.Zone, time.UTC)
	out := t.In(zone).Format("2006-01-02 15:04")
	if zone == time.UTC {
		out += " UTC"
	}
	return out
}

// about says which run it was.
func (s *Site) about(run *result.Run) string {
	e := eval.EntryOf(run)
	for _, l := range s.links(run) {
		if strings.HasPrefix(l.Text, commitText) { // which says it
			e.SHA = ""
		}
	}
	when, about := s.Entry(e)
	return joined(" · ", when, about)
}

const commitText = "commit "

// Entry says when a run was, and of what.
func (s *Site) Entry(e eval.Entry) (when, about string) {
	label := e.Label
	if label == e.Branch {
		label = ""
	}
	return s.moment(e.Time.Time), joined(" · ", Visible(e.Branch), commitOf(e.SHA, e.Dirty), Visible(label))
}

func commitOf(sha string, dirty bool) string {
	sha = Visible(shortened(sha))
	if sha != "" && dirty {
		sha += " with changes"
	}
	return sha
}

func shortened(sha string) string { return strings.ToValidUTF8(sha[:min(len(sha), 10)], "") }

// links lead to a run's commit and pull request.
func (s *Site) links(run *result.Run) (list []Link) {
	if s.Commit != nil && run.GitSHA != "" {
		if to := webAddress(s.Commit(run)); to != "" {
			list = append(list, Link{commitText + Visible(shortened(run.GitSHA)), to})
		}
	}
	if s.Pull != nil {
		if l := s.Pull(run); webAddress(l.To) != "" {
			list = append(list, Link{Visible(l.Text), l.To})
		}
	}
	return list
}

// Answer is how a case went in a run.
func (s *Site) Answer(name string, run *result.Run, t *eval.Tally) Answer {
	a := Answer{Name: Visible(name), About: s.about(run), Links: s.links(run), Status: StatusOf(t)}
	for _, r := range t.Results {
		a.Attempts = append(a.Attempts, attemptOf(r))
	}
	return a
}

// Variant is how another variant of a case went in the same run.
func (s *Site) Variant(run *result.Run, t *eval.Tally) Answer {
	a := s.Answer(cmp.Or(t.Results[0].Variant, "no variant"), run, t)
	a.About, a.Links = "", nil
	return a
}

// StatusOf is how a case went over all its attempts, in one word.
func StatusOf(t *eval.Tally) string {
	switch t.Mark() {
	case "✓":
		return string(result.Pass)
	case "✗":
		return string(result.Fail)
	case "~":
		return "flaky"
	case "!":
		return string(result.Error)
	}
	return string(result.Skip)
}

// Case begins the page of a case with what the run alone says. The caller adds links,
// history and the answer to show beside it.
func (s *Site) Case(run *result.Run, t *eval.Tally) *Case {
	first := t.Results[0]
	c := &Case{
		Title: Visible(first.Name), Suite: Visible(t.Suite), Variant: Visible(first.Variant), Category: Visible(t.Category),
		Status: StatusOf(t), Why: Why(t), Answers: []Answer{s.Answer("This run", run, t)}, Links: s.links(run),
	}
	for _, tag := range first.Tags {
		c.Tags = append(c.Tags, Visible(tag))
	}
	for _, r := range t.Results { // all attempts were asked the same
		if c.Asked, _ = asked(r); len(c.Asked) > 0 {
			break
		}
	}
	return c
}

// Why is the first reason of a case for not having passed.
func Why(t *eval.Tally) string {
	for _, r := range t.Results {
		if why := whyOf(r); why != "" {
			return text.Shorten(Visible(why), mostWhy)
		}
	}
	return ""
}

const mostWhy = 400 // bytes of a reason in one line

// Past is one result of a case's history.
func (s *Site) Past(e eval.Entry, status, to string) Past {
	when, about := s.Entry(e)
	return Past{Status: status, About: joined(" · ", when, about), To: to, run: e.ID, at: e.Time.Time, commit: commitOf(e.SHA, e.Dirty)}
}

// MostPast is how many results a history shows.
const MostPast = 40

// History puts a history, the newest last, on the page of run: the newest results,
// or those up to the one that the page is of. It returns the run to show beside it
// and what to call that: with, if the history has it, else the run before; "" where
// there is none.
func (s *Site) History(c *Case, past []Past, run, with string) (beside, name string) {
	here, lastPass := slices.IndexFunc(past, func(p Past) bool { return p.run == run }), ""
	if name = "Run before"; here > 0 {
		beside = past[here-1].run
		for _, p := range past[:here] {
			if p.Status == string(result.Pass) {
				lastPass = p.run
			}
		}
	}
	if with != "" && with != run && slices.ContainsFunc(past, func(p Past) bool { return p.run == with }) {
		beside, name = with, "Other run"
	}
	if lastPass != "" && lastPass != beside && c.Status != string(result.Pass) {
		c.Beside = &Link{Text: "Show beside the last pass", To: c.Base + c.ID + "&with=" + lastPass}
	}
	for i := range past {
		past[i].Here, past[i].Beside = past[i].run == run, past[i].run == beside
	}
	from := max(0, len(past)-MostPast)
	if here >= 0 && here < from {
		from = max(0, here-MostPast+1)
	}
	c.Past = past[from:min(len(past), from+MostPast)]
	if here >= 0 {
		c.Since = s.since(past[from : here+1])
		if here+1 < len(past) && c.Since != "" {
			c.Since = "Up to this run: " + strings.ToLower(c.Since[:1]) + c.Since[1:]
		}
	}
	return beside, name
}

// since is one sentence: since when the case has had its newest outcome. Results that
// were not judged do not count.
func (s *Site) since(past []Past) string {
	var judged []Past
	for _, p := range past {
		if p.Status == "pass" || p.Status == "fail" || p.Status == "flaky" {
			judged = append(judged, p)
		}
	}
	if len(judged) == 0 {
		return ""
	}
	last := judged[len(judged)-1]
	first := len(judged) - 1
	for first > 0 && judged[first-1].Status == last.Status {
		first--
	}
	verb := map[string]string{"pass": "Passes", "fail": "Fails", "flaky": "Passes and fails"}[last.Status]
	n := len(judged) - first
	switch {
	case len(judged) == 1:
		return verb + " in the only judged result shown."
	case first == 0:
		return verb + " in all " + text.Count(n, "judged result") + " shown."
	}
	passed := 0
	for _, p := range judged[:first] {
		if p.Status == "pass" {
			passed++
		}
	}
	at := s.moment(judged[first].at)
	if commit := judged[first].commit; commit != "" {
		at += " (" + commit + ")"
	}
	return verb + " since " + at + ", " + text.Count(n, "result") + " in a row; passed " + text.Thousands(passed) + " of the " + text.Thousands(first) + " before."
}

func joined(by string, parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, by)
}

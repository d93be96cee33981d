package upcmd

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/compact/compactcmd"
	"cairn/internal/must"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/local"
	"cairn/internal/team/spend"
	"cairn/internal/team/spend/book"
	"cairn/internal/team/spend/detail"
	"cairn/internal/term"
	"cairn/internal/transcript"
)

const mostPulls = 30 // the last ones

// costs says what the repository's pull requests cost, and what of it bought nothing,
// for the pages of the machine's own server. Nothing of it is sent.
func (u *up) costs() (pulls []local.PullCost) {
	u.do("costs", func() (said string) {
		if err := must.Catch(func() { pulls = u.pulls(); said = costsText(pulls) }); err != nil {
			must.Fail(leftOut{err})
		}
		return said
	})
	return pulls
}

func (u *up) pulls() (pulls []local.PullCost) {
	b := must.Get(book.Open(u, u.home, u.Getenv))
	defer b.Close()
	list := must.Get(ledger.Outlays(u, b.DB, ledger.Filter{Repo: u.told.Repo}, "pr", nil))
	list = slices.DeleteFunc(list, func(o figures.Outlay) bool { return o.Key("pr") == "" })
	slices.SortStableFunc(list, func(a, b figures.Outlay) int { return b.Last.Compare(a.Last) })
	d := dissector{up: u, book: b, files: must.Get(ledger.Files(u, b.DB)), done: map[[2]string]*detail.Session{}}
	requests := map[int64][]ledger.Spent{}
	for _, o := range list[:min(len(list), mostPulls)] {
		number, _ := strconv.ParseInt(o.Of, 10, 64) // the database's
		requests[number] = must.Get(ledger.Requests(u, b.DB, ledger.Which{Repo: u.told.Repo, Pull: number}))
		pulls = append(pulls, d.pull(number, &o, requests[number]))
	}
	reviews := must.Get(b.Reviews(u, u.told.Repo, requests))
	for i := range pulls {
		if v, ok := reviews[pulls[i].Pull]; ok {
			pulls[i].First, pulls[i].Merged, pulls[i].Reverted = v.First.UTC(), v.Merged.UTC(), len(v.Reverted)
			if v.Sized {
				lines := v.Added + v.Removed
				pulls[i].Lines = &lines
			}
		}
	}
	return pulls
}

// mostBills is how many bytes of transcripts are read for what compaction saved: cairn up
// is not to be waited for.
const mostBills = 256 << 20

// saved is what compaction saved, nil where it is not known.
func (u *up) saved(since time.Time) *local.Saved {
	size := int64(0)
	for _, f := range transcript.Files(transcript.Roots(u.Getenv), since, func(error) {}) {
		size += f.Size
	}
	if size > mostBills {
		return nil
	}
	past, ok := compactcmd.Billed(u.Call, since)
	if !ok {
		return nil
	}
	s := &local.Saved{USD: past.Saved, Bill: past.Bill, NotKnown: past.NotKnown, Rules: []local.RuleSaved{}}
	for _, r := range past.Rules {
		s.Rules = append(s.Rules, local.RuleSaved{Rule: r.Rule, USD: r.Saved})
	}
	return s
}

func costsText(pulls []local.PullCost) string {
	var words []string
	for _, p := range pulls[:min(len(pulls), 3)] {
		s := fmt.Sprintf("#%d %s", p.Pull, answer.Show(p.USD, answer.Dollars))
		if p.Read {
			s += fmt.Sprintf(", %s of it avoidable", answer.Show(p.Avoidable(), answer.Dollars))
		}
		words = append(words, s)
	}
	if more := len(pulls) - len(words); more > 0 {
		words = append(words, fmt.Sprintf("%d more on the page Spend", more))
	}
	return strings.Join(words, "; ")
}

// A dissector reads transcripts again, each once, as long as there is room.
type dissector struct {
	*up
	book  *book.Book
	files map[string]ledger.Known
	done  map[[2]string]*detail.Session // by session and agent; nil: it was too large
	read  int64                         // bytes
}

func (d *dissector) pull(number int64, o *figures.Outlay, requests []ledger.Spent) local.PullCost {
	p := local.PullCost{Pull: number, USD: o.USD(), Requests: o.Requests, Unpriced: o.Unpriced, Last: o.Last, Read: true}
	sums := map[detail.Kind]float64{}
	sessions := map[[2]string]bool{}
	for _, q := range requests {
		sessions[[2]string{q.Session, q.Agent}] = true
	}
	for s := range sessions {
		of := d.session(s)
		if of == nil {
			p.Read = false
			return p
		}
		for i := range of.Costs {
			c := &of.Costs[i]
			if c.Place.Repo != d.told.Repo || c.Place.Pull != number {
				continue
			}
			for source, nanos := range c.By {
				sums[source.Kind] += nanos
			}
		}
	}
	usd := func(k detail.Kind) float64 { return spend.Dollars(int64(sums[k] + 0.5)) }
	p.Again, p.Retries, p.Expired, p.Lost = usd(detail.Again), usd(detail.Retries), usd(detail.Expired), usd(detail.Lost)
	return p
}

func (d *dissector) session(s [2]string) *detail.Session {
	if of, ok := d.done[s]; ok {
		return of
	}
	requests := must.Get(ledger.Requests(d, d.book.DB, ledger.Which{Session: s[0], Agent: s[1]}))
	files := detail.Files(slices.Collect(maps.Keys(d.files)), requests)
	size := int64(0)
	for _, f := range files {
		size += d.files[f].Size
	}
	d.done[s] = nil
	if d.read+size > mostTranscripts {
		return nil
	}
	d.read += size
	d.done[s] = detail.Of(requests, files, nil, d.book.Prices, func(err error) { term.Warn(d.Stderr, "left out: %s", term.Printable(err.Error())) })
	return d.done[s]
}

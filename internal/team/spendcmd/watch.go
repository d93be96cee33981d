package spendcmd

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/budget"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend/book"
	"cairn/internal/term"
	"cairn/internal/text"
)

func watch() *command.Command {
	return &command.Command{
		Path: "spend watch", Short: "Show live what agents cost in this five-hour block",
		Long: `Shows the present five-hour block with its rate and projection, today's sum, budgets
and the sessions at work, and draws it anew every two seconds until Ctrl-C. Where the
output is no terminal, a line is printed whenever a sum changes.

A block is the five hours for which a subscription's limit counts: it starts at the
full hour of the first request after the block before. The rate is that of the last
hour of the block; the projection goes on at that rate until its end. A session is
listed if it sent a request in the last ten minutes. --json prints one state and ends.`,
		Examples: []string{"cairn spend watch --once", "cairn spend watch --once --json"},
		Flags: []command.Flag{
			{Name: "once", Default: false, Help: "print the present state and end"},
			{Name: "every", Default: 2 * time.Second, Help: "time between two looks"},
		},
		Effect: command.Reads, Waits: true, Run: runWatch,
	}
}

// A state is what watch shows.
type state struct {
	At       time.Time       `json:"at"`
	Today    float64         `json:"today_usd"`
	Block    *block          `json:"block"`
	Budgets  []budget.Use    `json:"budgets"`
	Sessions []ledger.Active `json:"sessions"`
}

// A block is the present five hours.
type block struct {
	budget.Span
	Rate      float64 `json:"usd_per_hour"`
	Projected float64 `json:"projected_usd"`
}

const (
	atWork    = 10 * time.Minute
	leastRate = 15 * time.Minute // of a block that has just begun
)

// look says how it stands in the ledger, and closes that: others want it, too.
func look(c *command.Call, b *book.Book) (s state) {
	defer b.Close()
	now := b.Now.At
	s = state{At: now, Today: b.Now.Today.Spent, Budgets: append([]budget.Use{}, b.Now.Uses...), Sessions: []ledger.Active{}}
	since := now.Add(-atWork)
	if b.Now.Block != nil {
		since = b.Now.Block.Start
	}
	lately := must.Get(ledger.Latest(c, b.DB, since, now))
	if b.Now.Block != nil {
		s.Block = &block{Span: *b.Now.Block}
		hour, first := 0.0, now
		for _, a := range lately {
			hour += a.Hour
			if a.First.Before(first) {
				first = a.First
			}
		}
		s.Block.Rate = hour / min(1, max(leastRate, now.Sub(first)).Hours())
		s.Block.Projected = s.Block.Spent + s.Block.Rate*max(0, s.Block.End.Sub(now).Hours())
	}
	for _, a := range lately {
		if now.Sub(a.Last) <= atWork {
			s.Sessions = append(s.Sessions, a)
		}
	}
	return s
}

func runWatch(c *command.Call) (*answer.Answer, error) {
	every := c.Duration("every")
	if every < 100*time.Millisecond || every > time.Hour {
		return nil, command.Usagef("--every must be from 100ms to 1h, not %s", every)
	}
	b, report := open(c)
	s := look(c, b)
	if c.Bool("once") || !c.AsText() {
		return &answer.Answer{Data: s, View: s, Said: report.remark()}, nil
	}
	live := term.IsTerminal(c.Stdout)
	paint := term.NewPaint(c.Stdout, c.Getenv)
	lines, last := 0, ""
	for tick := time.NewTicker(every); ; {
		if live {
			lines = draw(c.Stdout, s, paint, lines)
		} else if now := s.line(); now != last {
			last = now
			fmt.Fprintln(c.Stdout, s.At.Format("15:04:05")+" "+now)
		}
		select {
		case <-c.Done():
			return &answer.Answer{Data: s}, nil
		case <-tick.C:
		}
		b, _, err := refresh(c, &term.Progress{})
		if c.Err() != nil {
			return &answer.Answer{Data: s}, nil
		}
		if err != nil {
			return nil, err
		}
		s = look(c, b)
	}
}

// draw draws a state in place of the last, of which it was told how many lines it
// had, and returns how many this one has.
func draw(w io.Writer, s state, paint term.Paint, lines int) int {
	var b bytes.Buffer
	_ = s.Print(&answer.Page{Writer: &b, Paint: paint, Width: term.TerminalWidth(w)})
	up := ""
	if lines > 0 {
		up = fmt.Sprintf("\x1b[%dA\r", lines)
	}
	// Each line is cleared behind its text, so that nothing flickers.
	fmt.Fprint(w, up, strings.ReplaceAll(b.String(), "\n", "\x1b[K\n"), "\x1b[J")
	return strings.Count(b.String(), "\n")
}

// line is a state in one line, without its time.
func (s *state) line() string {
	line := money(s.Today) + " today"
	if s.Block != nil {
		line += fmt.Sprintf(", %s this block until %s", money(s.Block.Spent), s.Block.End.Format("15:04"))
	}
	line += ", " + text.Count(len(s.Sessions), "session") + " at work"
	for i := range s.Budgets {
		if s.Budgets[i].Level() > 0 {
			line += "; " + term.Line(s.Budgets[i].String())
		}
	}
	return line
}

// Print implements answer.View.
func (s state) Print(p *answer.Page) error {
	facts := []any{"today", money(s.Today)}
	if b := s.Block; b != nil {
		facts = append(facts, "block", fmt.Sprintf("%s to %s, %s left", b.Start.Format("15:04"), b.End.Format("15:04"), text.Duration(max(0, b.End.Sub(s.At)).Round(time.Minute))),
			"spent", money(b.Spent),
			"rate", money(b.Rate)+" per hour",
			"projected", money(b.Projected)+" at the end of the block")
	} else {
		facts = append(facts, "block", "none has begun")
	}
	if err := answer.Facts(facts...).Print(p); err != nil {
		return err
	}
	var near []budget.Use
	for _, u := range s.Budgets {
		if u.Level() > 0 {
			near = append(near, u)
		}
	}
	if err := alerts(near).Print(p); err != nil {
		return err
	}
	fmt.Fprintln(p)
	if len(s.Sessions) == 0 {
		fmt.Fprintln(p, "no session is at work")
		return nil
	}
	t := answer.NewTable("at_work:name", "session:name", "where", "model", "usd:usd", "last:name")
	for i := range s.Sessions {
		a := &s.Sessions[i]
		where := a.Repo
		if a.Branch != "" {
			where += ":" + a.Branch
		}
		t.Add(a.Agent, brief(a.Session), where, a.Model, a.USD, text.Ago(a.Last, s.At))
	}
	return t.Print(p)
}

// brief is the beginning of a session's id, which other commands take.
func brief(session string) string { return session[:min(len(session), 13)] }

package hook

import (
	"fmt"
	"strings"

	"cairn/internal/host"
	"cairn/internal/plan/guard"
)

// advised is the answer with what the plan has to say in it, below the notice, if
// there is one; nil when there is nothing to say, or no way to. Whatever happens
// to the plan's part, the notice is said.
func (set Settings) advised(h host.Host, ev host.Event, answer []byte, notice string) (advised []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			advised, err = nil, fmt.Errorf("panic in the plan's part: %v", p)
			if notice != "" && ev.Advise != nil {
				advised, _ = ev.Advise(answer, notice)
			}
		}
	}()
	if ev.Kind == host.StatusLine {
		return []byte(set.Plan.Line(statusOf(h, ev))), nil
	}
	if ev.Advise == nil && ev.Refuse == nil && ev.Kind != host.SessionBegan {
		return nil, nil
	}
	said := set.Plan.Answer(eventOf(h, ev))
	if notice != "" {
		said.Text = strings.TrimRight(notice+"\n\n"+said.Text, "\n")
	}
	switch {
	case said.Refusal != "" && ev.Refuse != nil:
		return ev.Refuse(said.Refusal)
	case said.Text != "" && ev.Advise != nil:
		return ev.Advise(answer, said.Text)
	}
	return nil, nil
}

// eventOf is the event in the words of package guard.
func eventOf(h host.Host, ev host.Event) guard.Event {
	e := guard.Event{
		Session: ev.Session, Dir: ev.Cwd, Tool: ev.Tool, Command: ev.Command, File: ev.File, Text: ev.Text,
		Subagent: ev.Subagent, Late: h.AdviseLate, Unread: !h.ReadsFirst, Mute: ev.Advise == nil, Used: ev.Used, Reserve: reserveOf(h),
	}
	switch ev.Kind {
	case host.SessionBegan:
		e.Kind = guard.SessionBegan
	case host.CallBegins:
		e.Kind = guard.CallBegins
	case host.CallEnded:
		e.Kind = guard.CallEnded
	}
	e.Results = ev.Texts
	if ev.Output != nil {
		e.Results = ev.Output.Texts
		if ev.Output.File != "" {
			e.File = ev.Output.File
		}
	}
	return e
}

func statusOf(h host.Host, ev host.Event) guard.Status {
	s := ev.Status
	return guard.Status{
		Session: ev.Session, Model: s.Model, Dir: s.Dir, Left: s.Left, Size: s.Size,
		Reserve: reserveOf(h),
		Task:    s.Task, Command: s.Command,
	}
}

func reserveOf(h host.Host) guard.Reserve {
	return guard.Reserve{Env: h.ReserveEnv, Percent: h.Reserve}
}

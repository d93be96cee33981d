package upcmd

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"cairn/internal/benchmark"
	"cairn/internal/compact/compactcmd"
	"cairn/internal/must"
	"cairn/internal/team/local"
	"cairn/internal/text"
	"cairn/internal/transcript"
)

const (
	sessionDays     = 90
	mostTranscripts = 16 << 20 // bytes, the newest: cairn up is not to be waited for
)

// sessions counts what agents did on this machine, for the first page of the
// machine's own server. Nothing of it is sent.
func (u *up) sessions() {
	if u.told.Data == "" { // a server elsewhere
		return
	}
	pulls := map[string][]local.PullCost{}
	if was := local.ReadSessions(u.place.Dir); was != nil {
		maps.Copy(pulls, was.Pulls)
	}
	if u.sync != nil && u.told.Repo != "" {
		delete(pulls, u.told.Repo)
		if of := u.costs(); len(of) > 0 {
			pulls[u.told.Repo] = of
		}
	}
	u.do("sessions", func() string {
		now := time.Now()
		s := local.Sessions{At: now.UTC().Truncate(time.Second), Since: now.AddDate(0, 0, -sessionDays).UTC().Truncate(time.Second), Pulls: pulls}
		s.Saved = u.saved(s.Since)
		past, err := compactcmd.Past(u.Call, s.Since, mostTranscripts)
		if errors.Is(err, benchmark.ErrNoCalls) {
			if len(pulls) == 0 && s.Saved == nil {
				_ = os.Remove(local.SessionsFile(u.place.Dir))
			} else {
				must.OK(local.WriteSessions(u.place.Dir, s))
			}
			return ""
		}
		must.OK(err)
		s.Left, s.Before = past.Left, past.Received.Before
		s.After = s.Before - past.Touched.Before + past.Touched.After
		s.Agents = byAgent(past, s.Since)
		must.OK(local.WriteSessions(u.place.Dir, s))
		sessions := 0
		for _, a := range s.Agents {
			sessions += a.Sessions
		}
		said := fmt.Sprintf("%s with agents in %d days, %s tokens of tool results", text.Count(sessions, "session"), sessionDays, text.Approx(s.Before))
		if s.After < s.Before {
			said += fmt.Sprintf("; compaction would have saved %s", text.Approx(s.Before-s.After))
		}
		return said
	})
}

// byAgent counts sessions and turns of transcripts.
func byAgent(past *benchmark.Sum, since time.Time) []local.Agent {
	of := map[string]*local.Agent{}
	for _, h := range past.Hosts {
		of[h.Host] = &local.Agent{Name: h.Host, Calls: h.Calls, Tokens: h.Tokens}
	}
	for _, f := range past.Files {
		if !f.IsSession() {
			continue
		}
		talk, err := transcript.ReadConversation(f)
		a := of[cmp.Or(talk.Host, f.Host)]
		if err != nil || a == nil || !talk.Ended.IsZero() && talk.Ended.Before(since) { // one that is being written is counted the next time
			continue
		}
		a.Sessions++
		for _, m := range talk.Messages {
			if m.Role == "assistant" && (m.Time.IsZero() || !m.Time.Before(since)) {
				a.Turns++
			}
		}
	}
	var out []local.Agent
	for _, a := range of {
		out = append(out, *a)
	}
	slices.SortFunc(out, func(a, b local.Agent) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

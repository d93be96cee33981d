package synccmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/project"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/replica"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/text"
)

// When the queue is worth a warning.
const (
	manyWaiting = 100
	longWaiting = 24 * time.Hour
)

func statusCommand() *command.Command {
	return &command.Command{
		Path:  "sync status",
		Short: "Show whether sync works, what waits and the data's age",
		Long: `Shows the repository's team, your settings, whether the server can be reached and
knows you, the last push and pull, what waits in the queue, what the server
refused and why, the age of the cache and the size of the log.`,
		Examples: []string{"cairn sync status", "cairn sync status --json | jq .queue"},
		Effect:   command.Reads, Waits: true, Run: runStatus,
	}
}

// status is what --json prints.
type status struct {
	Project       *teamFile       `json:"project"` // null without a team
	Settings      map[string]bool `json:"settings"`
	Connected     bool            `json:"connected"`
	Authenticated bool            `json:"authenticated"`
	Email         string          `json:"email,omitempty"`
	Problem       string          `json:"problem,omitempty"`
	LastPush      *event          `json:"last_push"`
	LastPull      *time.Time      `json:"last_pull"`
	Queue         struct {
		Waiting int        `json:"waiting"`
		Claimed int        `json:"claimed"`
		Oldest  *time.Time `json:"oldest"`
	} `json:"queue"`
	Refused  []spool.Refusal          `json:"refused"`
	Cache    map[string]client.Pulled `json:"cache"`
	Log      string                   `json:"log"`
	LogBytes int64                    `json:"log_bytes"`
	Warnings []string                 `json:"warnings"`

	took time.Duration
	err  error // of what is not connected or not authenticated
}

type teamFile struct {
	File string `json:"file"`
	URL  string `json:"url"`
	Team string `json:"team"`
}

type event struct {
	At   time.Time `json:"at"`
	What string    `json:"what"`
}

func runStatus(c *command.Call) (*answer.Answer, error) {
	s := link.Any(c.Env)
	st := &status{Settings: map[string]bool{}, Refused: []spool.Refusal{}, Cache: map[string]client.Pulled{}, Warnings: []string{}}
	for _, key := range []string{config.SyncEnabled, config.SyncTranscripts, config.SyncPlanText} {
		st.Settings[key] = s.Config.Bool(key)
	}
	if _, err := link.Find(c.Env); err != nil {
		st.warn("nothing goes to the team: %v", err)
	}
	if file := s.Home.Auth(); openToOthers(file) {
		st.warn("others on this machine may read your sessions: chmod 600 %s", file)
	}
	st.Settings[config.SyncEnabled] = st.Settings[config.SyncEnabled] || s.Enabled // or by the credentials of CI
	if s.File.URL != "" {
		st.Project = &teamFile{".cairn/team.json", s.File.URL, s.File.Slug}
		if s.Enabled {
			st.ask(c, s)
		}
		st.lookAtCache(s)
	}
	st.lookAtQueue(s)
	st.lookAtLog(s)
	var warnings strings.Builder
	for _, w := range st.Warnings {
		term.Warn(&warnings, "%s", w)
	}
	return &answer.Answer{Data: st, View: st.view(c.Env), Said: strings.TrimSpace(warnings.String()), Hint: term.HintOf(st.err)}, nil
}

func (st *status) warn(format string, args ...any) {
	st.Warnings = append(st.Warnings, fmt.Sprintf(format, args...))
}

// openToOthers reports whether other users of the machine can read a file.
func openToOthers(file string) bool {
	fi, err := os.Stat(file)
	return err == nil && runtime.GOOS != "windows" && fi.Mode().Perm()&0o077 != 0
}

// ask finds out whether the server is there, and knows us.
func (st *status) ask(ctx context.Context, s *link.Checkout) {
	c, err := s.Client()
	if err == nil {
		reach, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		st.took, err = c.Reach(reach)
		st.Connected = err == nil
	}
	if err == nil {
		who, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		st.Email, err = c.Who(who)
		st.Authenticated = err == nil
	}
	if err != nil {
		st.err, st.Problem = err, err.Error()
	}
}

func (st *status) lookAtCache(s *link.Checkout) {
	cache := client.OpenCache(s.Dir)
	meta := cache.Meta()
	if !meta.LastPull.IsZero() {
		st.LastPull = &meta.LastPull
	}
	maps.Copy(st.Cache, meta.Tables)
	if err := cache.Problem(); err != nil {
		st.warn("the team's data cannot be renewed: %v", err)
	}
}

func (st *status) lookAtQueue(s *link.Checkout) {
	q := spool.Open(s.Home.Queue())
	n, err := q.Status()
	if err != nil {
		st.warn("the queue cannot be read: %v", err)
	}
	st.Queue.Waiting, st.Queue.Claimed = n.Waiting, n.Claimed
	if !n.Oldest.IsZero() {
		st.Queue.Oldest = &n.Oldest
		if time.Since(n.Oldest) > longWaiting {
			st.warn("the oldest of what waits is from %s; cairn sync drain says why", ago(n.Oldest))
		}
	}
	if n.Waiting > manyWaiting {
		st.warn("%d records wait; cairn sync drain delivers them", n.Waiting)
	}
	if n.Refused == 0 {
		return
	}
	if st.Refused, err = q.Refusals(); err != nil {
		st.warn("what was refused cannot be read: %v", err)
	}
	st.warn("%s refused by the server; they are in %s/refused", text.Count(n.Refused, "record"), s.Home.Queue())
}

func (st *status) lookAtLog(s *link.Checkout) {
	log := client.OpenLog(s.Home)
	st.Log = log.File()
	if fi, err := os.Stat(st.Log); err == nil {
		st.LogBytes = fi.Size()
	}
	if line, ok := log.Last(func(l client.Line) bool { return l.Verb == "PUSH" && l.Outcome == "OK" }); ok {
		st.LastPush = &event{line.At, line.What}
	}
	if line, ok := log.Last(func(l client.Line) bool { return l.Verb == "PUSH" && l.Outcome == "LOST" }); ok && time.Since(line.At) < longWaiting {
		st.warn("a record could not be queued %s: %s", ago(line.At), line.More)
	}
}

func ago(at time.Time) string { return text.Ago(at, time.Now()) }

func (st *status) view(env *command.Env) *answer.Table {
	t := answer.Facts("Project:", st.project(env))
	var set []string
	for _, key := range slices.Sorted(maps.Keys(st.Settings)) {
		set = append(set, fmt.Sprintf("%s=%t", key, st.Settings[key]))
	}
	t.Add("Settings:", strings.Join(set, ", "))
	if st.Project != nil && st.Settings[config.SyncEnabled] || st.Connected || st.err != nil {
		connected := answer.Marked("no: "+st.Problem, "bad")
		if st.Connected {
			connected = answer.Marked("yes ("+text.Duration(st.took)+")", "good")
		}
		t.Add("Connected:", connected)
		t.Add("Authenticated:", st.signedIn())
	}
	push, pull, queue := "never", "never", text.Count(st.Queue.Waiting+st.Queue.Claimed, "record")
	if st.LastPush != nil {
		push = fmt.Sprintf("%s (%s)", ago(st.LastPush.At), st.LastPush.What)
	}
	if st.LastPull != nil {
		pull = ago(*st.LastPull)
	}
	if st.Queue.Oldest != nil {
		queue += ", the oldest from " + ago(*st.Queue.Oldest)
	}
	t.Add("Last push:", push)
	t.Add("Last pull:", pull)
	t.Add("Queue:", queue)
	if len(st.Refused) > 0 {
		t.Add("Refused:", refusedText(st.Refused))
	}
	if len(st.Cache) > 0 {
		t.Add("Cache:", cacheText(st.Cache))
	}
	t.Add("Sync log:", fmt.Sprintf("%s (%s)", st.Log, text.Bytes(st.LogBytes)))
	return t
}

// project names the team, or says why there is none to show.
func (st *status) project(env *command.Env) string {
	switch {
	case st.Project != nil && st.Project.Team != "":
		return fmt.Sprintf("%s (%s, team %s)", st.Project.File, st.Project.URL, st.Project.Team)
	case st.Project != nil:
		return fmt.Sprintf("%s (%s)", st.Project.File, st.Project.URL)
	}
	if d := project.Find(env.Here(), env.Getenv); d != nil {
		_, data, err := config.ReadTeam(d)
		switch {
		case err == nil && !d.Trusts(project.Team, data):
			return "no team: .cairn/team.json is not trusted; cairn trust shows what it would do"
		case !errors.Is(err, fs.ErrNotExist):
			return "no team: .cairn/team.json cannot be read"
		}
	}
	return "no team: there is no .cairn/team.json"
}

func (st *status) signedIn() any {
	switch {
	case st.Authenticated && st.Email != "":
		return answer.Marked("yes ("+st.Email+")", "good")
	case st.Authenticated:
		return answer.Marked("yes (a token for CI)", "good")
	case st.Connected || errors.Is(st.err, client.ErrSignIn):
		return answer.Marked("no: "+st.Problem, "bad")
	}
	return "not known"
}

// refusedText names the reasons, the most frequent first.
func refusedText(list []spool.Refusal) string {
	count := map[string]int{}
	for _, r := range list {
		count[r.Kind+": "+r.Reason]++
	}
	reasons := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	})
	s := fmt.Sprintf("%d × %s", count[reasons[0]], text.Shorten(term.Line(reasons[0]), 160))
	if len(reasons) > 1 {
		s += "; and " + text.Count(len(reasons)-1, "other reason")
	}
	return s
}

// cacheText is "eval_runs 3, ship_logs 1 row".
func cacheText(tables map[string]client.Pulled) string {
	var parts []string
	last := 0
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if rows := tables[name].Rows; name != replica.Pulse && rows > 0 {
			parts, last = append(parts, fmt.Sprintf("%s %d", name, rows)), rows
		}
	}
	if parts == nil {
		return "empty"
	}
	return strings.Join(parts, ", ") + " " + text.Plural(last, "row")
}

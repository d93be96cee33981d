package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/text"
)

// When the queue is worth a warning.
const (
	manyWaiting = 100
	longWaiting = 24 * time.Hour
)

func newSyncStatus(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say whether sync works, what waits and how old the team's data is",
		Long: `Shows the repository's team, your settings, whether the server is there and
knows you, the last push and pull, what waits in the queue, what the server
refused and why, the age of the cache and the size of the log.`,
		Example: "  cairn sync status\n  cairn sync status --json | jq .queue",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runSyncStatus(env, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

// syncStatus is what `sync status --json` prints.
type syncStatus struct {
	Project *struct {
		File string `json:"file"`
		URL  string `json:"url"`
		Team string `json:"team"`
	} `json:"project"` // null without a team
	Settings      map[string]bool `json:"settings"`
	Connected     bool            `json:"connected"`
	Authenticated bool            `json:"authenticated"`
	Email         string          `json:"email,omitempty"`
	Problem       string          `json:"problem,omitempty"`
	LastPush      *syncEvent      `json:"last_push"`
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

type syncEvent struct {
	At   time.Time `json:"at"`
	What string    `json:"what"`
}

func runSyncStatus(env *Env, asJSON bool) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	st, err := lookAtSync(ctx, env)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(env, st)
	}
	st.print(env)
	for _, w := range st.Warnings {
		term.Warn(env.Stderr, "%s", w)
	}
	if st.err != nil {
		if hint := term.HintOf(st.err); hint != "" {
			term.PrintHint(env.Stderr, "%s", hint)
		}
	}
	return nil
}

func lookAtSync(ctx context.Context, env *Env) (*syncStatus, error) {
	s := link.Any(env)
	st := &syncStatus{Settings: map[string]bool{}, Refused: []spool.Refusal{}, Cache: map[string]client.Pulled{}, Warnings: []string{}}
	for _, key := range []string{config.SyncEnabled, "sync_transcripts"} {
		st.Settings[key] = s.Config.Bool(key)
	}
	if _, err := link.Find(env); err != nil {
		st.Warnings = append(st.Warnings, "nothing goes to the team: "+err.Error())
	}
	if open := openToOthers(s.Home.Auth()); open != "" {
		st.Warnings = append(st.Warnings, open)
	}
	st.Settings[config.SyncEnabled] = st.Settings[config.SyncEnabled] || s.Enabled // or by the credentials of CI
	if s.File.URL != "" {
		st.Project = &struct {
			File string `json:"file"`
			URL  string `json:"url"`
			Team string `json:"team"`
		}{".cairn/team.json", s.File.URL, s.File.Slug}
		if s.Enabled {
			st.ask(ctx, s)
		}
		st.lookAtCache(s)
	}
	st.lookAtQueue(s)
	st.lookAtLog(s)
	return st, nil
}

// ask finds out whether the server is there, and knows us.
func (st *syncStatus) ask(ctx context.Context, s *link.Checkout) {
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

func (st *syncStatus) lookAtCache(s *link.Checkout) {
	cache := client.OpenCache(s.Dir)
	meta := cache.Meta()
	if !meta.LastPull.IsZero() {
		st.LastPull = &meta.LastPull
	}
	maps.Copy(st.Cache, meta.Tables)
	if err := cache.Problem(); err != nil {
		st.Warnings = append(st.Warnings, fmt.Sprintf("the team's data cannot be renewed: %v", err))
	}
}

func (st *syncStatus) lookAtQueue(s *link.Checkout) {
	q := spool.Open(s.Home.Queue())
	n, err := q.Status()
	if err != nil {
		st.Warnings = append(st.Warnings, fmt.Sprintf("the queue cannot be read: %v", err))
	}
	st.Queue.Waiting, st.Queue.Claimed = n.Waiting, n.Claimed
	if !n.Oldest.IsZero() {
		st.Queue.Oldest = &n.Oldest
		if age := time.Since(n.Oldest); age > longWaiting {
			st.Warnings = append(st.Warnings, fmt.Sprintf("the oldest of what waits is from %s; cairn sync drain says why", text.Ago(n.Oldest, time.Now())))
		}
	}
	if n.Waiting > manyWaiting {
		st.Warnings = append(st.Warnings, fmt.Sprintf("%d records wait; cairn sync drain delivers them", n.Waiting))
	}
	if n.Refused == 0 {
		return
	}
	if st.Refused, err = q.Refusals(); err != nil {
		st.Warnings = append(st.Warnings, fmt.Sprintf("what was refused cannot be read: %v", err))
	}
	st.Warnings = append(st.Warnings, fmt.Sprintf("%s refused by the server; they are in %s/refused", text.Count(n.Refused, "record"), s.Home.Queue()))
}

func (st *syncStatus) lookAtLog(s *link.Checkout) {
	log := client.OpenLog(s.Home)
	st.Log = log.File()
	if fi, err := os.Stat(st.Log); err == nil {
		st.LogBytes = fi.Size()
	}
	if line, ok := log.Last(func(l client.Line) bool { return l.Verb == "PUSH" && l.Outcome == "OK" }); ok {
		st.LastPush = &syncEvent{line.At, line.What}
	}
	if line, ok := log.Last(func(l client.Line) bool { return l.Verb == "PUSH" && l.Outcome == "LOST" }); ok && time.Since(line.At) < longWaiting {
		st.Warnings = append(st.Warnings, fmt.Sprintf("a record could not be queued %s: %s", text.Ago(line.At, time.Now()), line.More))
	}
}

func (st *syncStatus) print(env *Env) {
	paint := term.NewPaint(env.Stdout, env.Getenv)
	t := term.NewColumns(env.Stdout)
	row := func(name, text string) { fmt.Fprintf(t, "%s\t%s\n", paint.Bold(name+":"), text) }
	if st.Project == nil {
		row("Project", noProject(env))
	} else {
		team := ""
		if st.Project.Team != "" {
			team = ", team " + term.Line(st.Project.Team)
		}
		row("Project", fmt.Sprintf(".cairn/team.json (%s%s)", term.Line(st.Project.URL), team))
	}
	var set []string
	for _, key := range slices.Sorted(maps.Keys(st.Settings)) {
		set = append(set, fmt.Sprintf("%s=%t", key, st.Settings[key]))
	}
	row("Settings", strings.Join(set, ", "))
	if st.Project != nil && st.Settings[config.SyncEnabled] || st.Connected || st.err != nil {
		row("Connected", st.connectedText(paint))
		row("Authenticated", st.signedInText(paint))
	}
	if st.LastPush != nil {
		row("Last push", fmt.Sprintf("%s (%s)", text.Ago(st.LastPush.At, time.Now()), term.Line(st.LastPush.What)))
	} else {
		row("Last push", "never")
	}
	if st.LastPull != nil {
		row("Last pull", text.Ago(*st.LastPull, time.Now()))
	} else {
		row("Last pull", "never")
	}
	row("Queue", st.queueText())
	if len(st.Refused) > 0 {
		row("Refused", refusedText(st.Refused))
	}
	if len(st.Cache) > 0 {
		row("Cache", cacheText(st.Cache))
	}
	row("Sync log", fmt.Sprintf("%s (%s)", st.Log, text.Bytes(st.LogBytes)))
	_ = t.Flush()
}

func (st *syncStatus) connectedText(paint term.Paint) string {
	if st.Connected {
		return paint.Good("yes") + " (" + text.Duration(st.took) + ")"
	}
	return paint.Bad("no") + ": " + term.Line(st.Problem)
}

func (st *syncStatus) signedInText(paint term.Paint) string {
	switch {
	case st.Authenticated && st.Email != "":
		return paint.Good("yes") + " (" + term.Line(st.Email) + ")"
	case st.Authenticated:
		return paint.Good("yes") + " (a token for CI)"
	case st.Connected || errors.Is(st.err, client.ErrSignIn):
		return paint.Bad("no") + ": " + term.Line(st.Problem)
	}
	return "not known"
}

func (st *syncStatus) queueText() string {
	s := text.Count(st.Queue.Waiting+st.Queue.Claimed, "record")
	if st.Queue.Oldest != nil {
		s += ", the oldest from " + text.Ago(*st.Queue.Oldest, time.Now())
	}
	return s
}

// refusedText names the reasons, the most frequent first.
func refusedText(list []spool.Refusal) string {
	count := map[string]int{}
	for _, r := range list {
		count[r.Kind+": "+r.Reason]++
	}
	reasons := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	s := fmt.Sprintf("%d × %s", count[reasons[0]], text.Shorten(term.Line(reasons[0]), 160))
	if len(reasons) > 1 {
		s += fmt.Sprintf("; and %s", text.Count(len(reasons)-1, "other reason"))
	}
	return s
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

// allTeams names no team.
var allTeams uuid.UUID

type digestSettings struct {
	timezone, weekday string
	hour              int
}

func newTeamDigestSettings(env *Env) *cobra.Command {
	var opts digestSettings
	cmd := &cobra.Command{
		Use:   "settings",
		Short: "Show or change when the digest comes",
		Example: `  cairn team digest settings
  cairn team digest settings --timezone Europe/Berlin --weekday friday --hour 16`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runTeamDigestSettings(env, opts, cmd.Flags().Changed("hour"))
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.timezone, "timezone", "", "of the team, as Europe/Berlin")
	f.StringVar(&opts.weekday, "weekday", "", "monday to sunday")
	f.IntVar(&opts.hour, "hour", 0, "0 to 23")
	return cmd
}

func runTeamDigestSettings(env *Env, opts digestSettings, hour bool) error {
	day := -1
	for d := time.Sunday; d <= time.Saturday; d++ {
		if opts.weekday != "" && strings.EqualFold(opts.weekday, d.String()) {
			day = int(d)
		}
	}
	_, err := time.LoadLocation(opts.timezone)
	switch {
	case opts.weekday != "" && day < 0:
		return command.Usagef("--weekday %s is none; monday to sunday is wanted", term.Line(opts.weekday))
	case hour && (opts.hour < 0 || opts.hour > 23):
		return command.Usagef("--hour %d is none; 0 to 23 is wanted", opts.hour)
	case opts.timezone != "" && (err != nil || opts.timezone == "Local"):
		return command.Usage(term.Hint(errors.New("--timezone "+term.Line(opts.timezone)+" is not known"), "a name of the tz database is wanted, as America/New_York"))
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	s, err := t.Settings(ctx, t.ID)
	if err != nil {
		return err
	}
	was := s
	if opts.timezone != "" {
		s.Timezone = opts.timezone
	}
	if day >= 0 {
		s.Weekday = day
	}
	if hour {
		s.Hour = opts.hour
	}
	if s != was {
		if err := t.Set(ctx, s); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(env.Stdout, "the digest comes every %s at %d:00, %s\n", time.Weekday(s.Weekday), s.Hour, term.Line(s.Timezone))
	return err
}

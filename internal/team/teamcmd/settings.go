package teamcmd

import (
	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/link"
)

func settingsCommands() []*command.Command {
	return []*command.Command{{
		Path: "team settings", Short: "Show or change whether people are ranked",
		Long: `Pages and the digest list people by name. With --rank-people on, an owner or an
admin turns on rankings for the whole team: the leaderboard, and lists with those
first who have most. cairn team digest settings has the digest's schedule.`,
		Examples: []string{"cairn team settings", "cairn team settings --rank-people on"},
		Effect:   command.Writes, Run: with(settings),
		Flags: []command.Flag{{Name: "rank-people", Default: "", OneOf: []string{"on", "off"}, Help: "whether people are ranked, `on|off`"}},
	}}
}

func settings(c *command.Call, t *link.Team) (*answer.Answer, error) {
	told := struct {
		Team   string `json:"team"`
		Ranked bool   `json:"people_ranked"`
	}{t.Name(), must.Get(t.Ranked(c, t.ID))}
	if want := c.String("rank-people"); want != "" && told.Ranked != (want == "on") {
		told.Ranked = want == "on"
		must.OK(t.SetRanked(c, t.ID, told.Ranked))
	}
	if told.Ranked {
		return done(told, "people are ranked on pages and in the digest")
	}
	return done(told, "people are not ranked: pages and the digest list them by name")
}

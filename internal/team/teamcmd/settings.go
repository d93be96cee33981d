package teamcmd

import (
	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
)

func settingsCommands() []*command.Command {
	return []*command.Command{{
		Path: "team settings", Short: "Show or change what pages tell of people",
		Long: `Pages and the digest list people by name. With --rank-people on, an owner or an
admin turns on rankings for the whole team: the leaderboard, and lists with those
first who have most. With --spend-by-person on, all members see on the page Spend
what each person's agents cost, where five people or more have spent something;
else everybody sees their own. cairn team digest settings has the digest's schedule.`,
		Examples: []string{"cairn team settings", "cairn team settings --rank-people on"},
		Effect:   command.Writes, Run: with(settings),
		Flags: []command.Flag{
			{Name: "rank-people", Default: "", OneOf: []string{"on", "off"}, Help: "whether people are ranked, `on|off`"},
			{Name: "spend-by-person", Default: "", OneOf: []string{"on", "off"}, Help: "whether all see what each spends, `on|off`"},
		},
	}}
}

func settings(c *command.Call, t *link.Team) (*answer.Answer, error) {
	shown := must.Get(t.Shown(c, t.ID))
	was := shown
	for _, one := range []struct {
		flag string
		to   *bool
	}{{"rank-people", &shown.Ranked}, {"spend-by-person", &shown.Spend}} {
		if want := c.String(one.flag); want != "" {
			*one.to = want == "on"
		}
	}
	if shown != was {
		must.OK(t.SetShown(c, t.ID, shown))
	}
	told := struct {
		Team string `json:"team"`
		client.Shown
	}{t.Name(), shown}
	text := "people are not ranked: pages and the digest list them by name"
	if shown.Ranked {
		text = "people are ranked on pages and in the digest"
	}
	if shown.Spend {
		text += "; all see what each spends"
	} else {
		text += "; what a person spends is for that person"
	}
	return done(told, text)
}

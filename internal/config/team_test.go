package config

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"cairn/internal/project"
)

func TestReadTeam(t *testing.T) {
	f := newFixture(t)
	if _, _, err := ReadTeam(project.Open("", f.repo)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without the file: %v", err)
	}
	for _, tt := range []struct{ text, err string }{
		{`{"url": "https://team.example.com", "anon_key": "k", "team_slug": "s", "later": [1]}`, ""},
		{"{\n \"url\": \"x\",\n}", "team.json:3: invalid character"},
		{"{\n \"url\": \"x\",\n \"team_slug\": 3\n}", "team.json:3: team_slug must be a string, not number"},
		{"{", "team.json:1: unexpected end"},
		{"", "team.json:1: unexpected end"},
		{"[]", "team.json: "},
		{`{"anon_key": "k"}`, "team.json: url: missing"},
	} {
		write(t, f.repo.Team(), tt.text)
		team, _, err := ReadTeam(project.Open("", f.repo))
		if tt.err == "" {
			if err != nil || team != (Team{URL: "https://team.example.com", AnonKey: "k", Slug: "s"}) {
				t.Errorf("%+v, %v", team, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.err)
		}
	}
}

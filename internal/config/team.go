package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"cairn/internal/home"
	"cairn/internal/project"
)

// A Team is where a repository's records go: REPO/.cairn/team.json, a JSON
// object that is committed and so holds no secret; the key is the public one.
type Team struct {
	URL     string `json:"url"`
	AnonKey string `json:"anon_key"`
	Slug    string `json:"team_slug"`
}

// ReadTeam reads the repository's team.json, whether or not anybody trusts it;
// data is what it holds. Keys it does not know are ignored. Without the file the
// error is fs.ErrNotExist; a malformed file is an error with its name and line.
func ReadTeam(d *project.Dir) (t Team, data []byte, err error) {
	file := d.Path(project.Team)
	data, err = d.Read(project.Team, maxFile)
	if err != nil {
		return Team{}, nil, err
	}
	err = json.Unmarshal(data, &t)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return Team{}, nil, fmt.Errorf("%s: %w", position(file, lineAt(data, syntax.Offset)), err)
	case errors.As(err, &kind) && kind.Field != "":
		return Team{}, nil, fmt.Errorf("%s: %s must be a string, not %s", position(file, lineAt(data, kind.Offset)), kind.Field, kind.Value)
	case err != nil:
		return Team{}, nil, fmt.Errorf("%s: %w", file, err)
	case t.URL == "":
		return Team{}, nil, fmt.Errorf("%s: url: missing", file)
	}
	return t, data, nil
}

// lineAt returns the line, from 1, of a byte offset.
func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int64(len(data)), offset)], []byte("\n"))
}

// WriteTeam writes the repository's team.json, for everybody to read. Who has
// it written trusts it.
func WriteTeam(d *project.Dir, t Team) error {
	data, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	return d.WriteTrusted(project.Team, append(data, '\n'), home.SharedFile)
}

package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A Team is where a repository's records go: REPO/.cairn/team.json, a JSON
// object that is committed and so holds no secret; the key is the public one.
type Team struct {
	URL     string `json:"url"`
	AnonKey string `json:"anon_key"`
	Slug    string `json:"team_slug"`
}

// ReadTeam reads the repository's team.json. Keys it does not know are
// ignored. Without the file the error is fs.ErrNotExist; a malformed file is
// an error with its name and line.
func ReadTeam(repo home.Repo) (Team, error) {
	file := repo.Team()
	data, err := atomicfile.ReadRegular(file, maxFile)
	if err != nil {
		return Team{}, err
	}
	var t Team
	err = json.Unmarshal(data, &t)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return Team{}, fmt.Errorf("%s: %w", position(file, lineAt(data, syntax.Offset)), err)
	case errors.As(err, &kind) && kind.Field != "":
		return Team{}, fmt.Errorf("%s: %s: a string is wanted, not %s", position(file, lineAt(data, kind.Offset)), kind.Field, kind.Value)
	case err != nil:
		return Team{}, fmt.Errorf("%s: %w", file, err)
	case t.URL == "":
		return Team{}, fmt.Errorf("%s: url: missing", file)
	}
	return t, nil
}

// lineAt returns the line, from 1, of a byte offset.
func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int64(len(data)), offset)], []byte("\n"))
}

// WriteTeam writes the repository's team.json, for everybody to read.
func WriteTeam(repo home.Repo, t Team) error {
	data, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(repo.Team()), home.SharedDir); err != nil {
		return err
	}
	if err := staysInside(repo); err != nil {
		return err
	}
	return atomicfile.WriteFile(repo.Team(), append(data, '\n'), home.SharedFile)
}

// staysInside refuses a repository whose links lead what is written out of it:
// who committed them is not who writes.
func staysInside(repo home.Repo) error {
	dir := filepath.Dir(repo.Team())
	root, err := filepath.EvalSymlinks(string(repo))
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%s is a link that leads out of the repository: nothing is written there", dir)
	}
	if fi, err := os.Lstat(repo.Team()); err == nil && fi.Mode()&os.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link: nothing is written there", repo.Team())
	}
	return nil
}

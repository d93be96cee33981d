package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cairn/internal/home"
	"cairn/internal/project"
)

const (
	maxFile   = 1 << 20 // a larger file is no configuration
	maxBroken = 20      // lines that are left out before the rest is
)

// take takes the settings of one file that was read, or could not be; one that
// is not there is fine.
func (c *Config) take(name, kind string, data []byte, err error) (warnings []Warning) {
	warn := func(line int, key, format string, args ...any) {
		warnings = append(warnings, Warning{File: name, Line: line, Key: key, Text: fmt.Sprintf(format, args...)})
	}
	var at *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, project.ErrUntrusted):
		return []Warning{{File: name, Text: "not trusted, so it is ignored; cairn trust shows what it would do", Untrusted: true}}
	case errors.As(err, &at):
		warn(0, "", "cannot be read: %v", at.Err)
		return warnings
	case err != nil:
		warn(0, "", "cannot be read: %v", err)
		return warnings
	}
	places := scan(data)
	tree := parseLenient(data, places, warn)
	found := map[string]any{}
	flatten("", tree, found)
	for _, key := range slices.Sorted(maps.Keys(found)) {
		line := lineOf(places, key)
		v := c.find(key)
		if v == nil && slices.Contains(retired[:], key) {
			continue
		}
		if v == nil {
			warn(line, key, "%v", unknown(key))
			continue
		}
		if kind == Project && v.Setting.ByUser {
			warn(line, key, "a project may not set this")
			continue
		}
		parsed, err := v.Setting.check(found[key])
		if err != nil {
			warn(line, key, "%v", err)
			continue
		}
		v.Any, v.Source = parsed, Source{Kind: kind, File: name, Line: line}
	}
	return warnings
}

// parseLenient reads TOML and leaves out, with a warning each, the lines that
// are none, so that one slip does not silence every setting of the file.
func parseLenient(data []byte, places []place, warn func(line int, key, format string, args ...any)) map[string]any {
	lines := bytes.SplitAfter(bytes.Clone(data), []byte("\n"))
	for range maxBroken {
		tree := map[string]any{}
		err := toml.Unmarshal(bytes.Join(lines, nil), &tree)
		if err == nil {
			return tree
		}
		var at *toml.DecodeError
		if !errors.As(err, &at) {
			warn(0, "", "%v", err)
			return nil
		}
		line, _ := at.Position()
		warn(line, keyAt(places, line), "%s", strings.TrimPrefix(at.Error(), "toml: "))
		if line < 1 || line > len(lines) || len(bytes.TrimSpace(lines[line-1])) == 0 {
			return nil
		}
		lines[line-1] = []byte("\n")
	}
	return nil
}

// flatten writes the leaves of tree under their dotted keys.
func flatten(prefix string, tree, into map[string]any) {
	for key, v := range tree {
		if sub, ok := v.(map[string]any); ok {
			flatten(prefix+key+".", sub, into)
		} else {
			into[prefix+key] = v
		}
	}
}

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

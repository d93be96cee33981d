package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"cairn/internal/config"
	"cairn/internal/project"
	"cairn/internal/team/client"
)

// noProject says why there is no team to show.
func noProject(env *Env) string {
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

// openToOthers warns of sessions that other users of the machine can read, ""
// where none can.
func openToOthers(file string) string {
	fi, err := os.Stat(file)
	if err != nil || runtime.GOOS == "windows" || fi.Mode().Perm()&0o077 == 0 {
		return ""
	}
	return fmt.Sprintf("others on this machine may read your sessions: chmod 600 %s", file)
}

func cacheText(tables map[string]client.Pulled) string {
	var parts []string
	rows := "rows"
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if t := tables[name]; name != client.Pulses && t.Rows > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", name, t.Rows))
			if rows = "rows"; t.Rows == 1 {
				rows = "row"
			}
		}
	}
	if len(parts) == 0 {
		return "empty"
	}
	return strings.Join(parts, ", ") + " " + rows
}

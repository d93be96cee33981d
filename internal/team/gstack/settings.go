package gstack

import (
	"cairn/internal/must"
	"slices"
	"strings"
)

// same are the settings that mean the same with us, by the name they have with
// both.
var same = [...]string{"sync_enabled", "sync_transcripts", "update_check"}

// readSettings reads lines of "key: value", of which the last of a key counts;
// values are as they stand, without quotes.
func (im *importer) readSettings(f found) {
	data, ok := im.read(Settings, f.path, mostFile)
	if !ok {
		return
	}
	type setting struct {
		value string
		line  int
	}
	last := map[string]setting{}
	var keys []string
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		n++
		key, value, ok := strings.Cut(strings.TrimRight(line, " \t\r\n"), ":")
		if !ok || key == "" || strings.ContainsAny(key, " \t#-") {
			continue // nothing that the tool would find
		}
		if _, known := last[key]; !known {
			keys = append(keys, key)
		}
		last[key] = setting{strings.TrimSpace(value), n}
	}
	for _, key := range keys {
		s := last[key]
		left := Left{Kind: Settings, Path: f.path, Line: s.line, Name: key}
		switch {
		case !slices.Contains(same[:], key):
			left.Why = "cairn has no setting of that name"
		case s.value != "true" && s.value != "false":
			left.Why, left.Bad = key+" must be true or false", true
		case key == "sync_transcripts" && s.value == "true":
			left.Why = "that was for another server; cairn config set sync_transcripts true says it for yours"
		default:
			fresh, why, err := im.keep.Setting(key, s.value)
			must.OK(err)
			if why == "" {
				im.report.kept(Settings, fresh)
				if fresh {
					im.report.Settings = append(im.report.Settings, Taken{key, s.value})
				}
				continue
			}
			left.Why = why
		}
		im.report.left(left)
	}
}

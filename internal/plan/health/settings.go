package health

import (
	"strings"

	"cairn/internal/plan/settings"
)

// settingCheck is the check of one setting's value. It is called by the last
// part of its key, under which older files have it too.
func settingCheck(code, key string) Check {
	return Check{
		Code: code, Level: Warning, What: key + " has a value that fits", Fix: "cairn plan config set",
		run: func(l *look) []Finding {
			return l.settingsThat(func(w settings.Warning) bool { return !w.Unknown && lastPart(w.Key) == key })
		},
	}
}

// templateCheck is the check that a branch's name has the part that tells one
// from another.
func templateCheck(code, key, part string) Check {
	return Check{
		Code: code, Level: Warning, What: key + " has " + part, Fix: "cairn plan config set " + key,
		run: func(l *look) []Finding {
			v, ok := l.settings.Value(key)
			text, isText := v.Any.(string)
			if !ok || !isText || text == "" || strings.Contains(text, part) {
				return nil
			}
			return []Finding{{Message: key + " " + text + " lacks " + part, Path: v.Source.File, Line: v.Source.Line}}
		},
	}
}

// checkedApart are the settings with a code of their own.
var checkedApart = [...]string{"model_profile", "branching_strategy", "context_window"}

func otherSettings(l *look) []Finding {
	return l.settingsThat(func(w settings.Warning) bool {
		for _, key := range checkedApart {
			if !w.Unknown && lastPart(w.Key) == key {
				return false
			}
		}
		return true
	})
}

func (l *look) settingsThat(keep func(settings.Warning) bool) []Finding {
	var out []Finding
	for _, w := range l.settings.Warnings() {
		if keep(w) {
			out = append(out, Finding{Message: "config.json: " + w.Key + ": " + w.Text, Path: w.File, Line: w.Line})
		}
	}
	return out
}

func configBroken(l *look) []Finding {
	err := l.settings.Err()
	if err == nil {
		return nil
	}
	f := Finding{Message: "config.json: " + reason(err), Path: l.Shared(settings.FileName)}
	f.Path, f.Line = placeOf(err, f.Path)
	return []Finding{f}
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

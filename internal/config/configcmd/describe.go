package configcmd

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"cairn/internal/compact/rule"
	"cairn/internal/config"
	"cairn/internal/project"
	"cairn/internal/term"
	"cairn/internal/text"
)

// A file says what one of a repository would do. All of it is a stranger's text.
type file struct {
	File   string   `json:"file"` // below .cairn
	State  string   `json:"state"`
	SHA256 string   `json:"sha256,omitzero"`
	Does   []string `json:"does"`
}

const (
	stateTrusted = "trusted"
	stateNew     = "untrusted"
	stateChanged = "changed"
	stateBroken  = "unreadable"
)

const mostShown = 60 // lines about a file

func describe(d *project.Dir, f project.File) file {
	t := file{File: f.Name, State: stateNew, Does: []string{}}
	switch {
	case f.Err != nil:
		t.State, t.Does = stateBroken, []string{f.Err.Error()}
		return t
	case f.Trusted:
		t.State = stateTrusted
	case f.Changed:
		t.State = stateChanged
	}
	sum := sha256.Sum256(f.Data)
	t.SHA256 = hex.EncodeToString(sum[:])
	switch f.Name {
	case project.Config:
		t.Does = append(t.Does, settingsDo(d, f.Data)...)
	case project.Team:
		t.Does = append(t.Does, teamDoes(f.Data)...)
	default:
		t.Does = append(t.Does, ruleDoes(f.Data)...)
	}
	for i, line := range t.Does {
		t.Does[i] = text.Shorten(term.Line(line), 300)
	}
	if more := len(t.Does) - mostShown; more > 0 {
		t.Does = append(t.Does[:mostShown], fmt.Sprintf("… and %d more; read the file", more))
	}
	return t
}

func settingsDo(d *project.Dir, data []byte) (does []string) {
	values, warnings := config.Preview(d.Path(project.Config), data)
	for _, v := range values {
		line := fmt.Sprintf("sets %s = %s", v.Setting.Key, v)
		if v.String() != v.Setting.Default {
			line += fmt.Sprintf(" (default: %s)", cmp.Or(v.Setting.Default, "none"))
		}
		does = append(does, line)
	}
	for _, w := range warnings {
		does = append(does, "ignored: "+w.Key+" "+w.Text)
	}
	if len(does) == 0 {
		does = append(does, "sets nothing")
	}
	return does
}

func teamDoes(data []byte) []string {
	var t config.Team
	if json.Unmarshal(data, &t) != nil {
		return []string{"cannot be read"}
	}
	to := "names the server " + t.URL
	if t.Slug != "" {
		to += " and the team " + t.Slug
	}
	return []string{to, "where you are signed in there and sync is on, this repository's records go to it, and the team's come from it (docs/privacy.md)"}
}

func ruleDoes(data []byte) (does []string) {
	r, err := rule.Parse(data)
	if err != nil {
		return []string{"cannot be read as a rule, so it does nothing: " + err.Error()}
	}
	say := func(what string, list ...string) {
		for _, text := range list {
			if text != "" {
				does = append(does, what+" "+text)
			}
		}
	}
	say("is the rule", r.ID)
	say("for the command", strings.Join(r.Match.Commands, ", "))
	say("for the tools", strings.Join(r.Match.Tools, ", "))
	say("for output that matches", r.Match.Patterns...)
	say("reads it as", r.Parser)
	f := r.Primitives.Filter
	say("strips", f.Strip...)
	say("drops lines that match", f.Drop...)
	say("drops lines that do not match", f.Only...)
	say("keeps lines that match", f.Keep...)
	for _, b := range f.Blocks {
		say("keeps blocks from", b.Start+" to "+cmp.Or(b.End, "the next blank line"))
	}
	if g := r.Primitives.Group; g != nil {
		say("groups lines by", g.By)
	}
	if d := r.Primitives.Dedupe; d != nil {
		say("folds", "lines that repeat")
	}
	if t := r.Primitives.Truncate; t != nil {
		say("leaves of the rest", fmt.Sprintf("the first %d lines and the last %d", t.HeadLines, t.TailLines))
	}
	for _, c := range r.Primitives.Count.Counters {
		say("counts lines that match", c.Pattern)
	}
	if r.Data || r.Tee != nil {
		say("ignored:", "data and tee, which a repository's rule cannot set")
	}
	return does
}

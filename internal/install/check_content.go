package install

import (
	"errors"
	"fmt"
	"strings"

	"cairn/internal/host"
	"cairn/internal/install/render"
)

// A Status is what is installed in one target. Lists are of paths below Dir.
type Status struct {
	Host    string      `json:"host"`
	Dir     string      `json:"dir"`
	Local   bool        `json:"local"`
	Cairn   string      `json:"cairn"` // the version that installed it
	Parts   []host.Part `json:"parts"`
	Profile string      `json:"profile,omitempty"`
	Files   int         `json:"files"`
	Missing []string    `json:"missing,omitempty"`
	Edited  []string    `json:"edited,omitempty"`
	// Outdated are files that this cairn would write otherwise, or not at all,
	// and those that it would write besides.
	Outdated []string `json:"outdated,omitempty"`
	// Waiting are files whose text of the user's is not merged yet.
	Waiting []string `json:"waiting,omitempty"`
}

// Status compares what is in t with what was noted, and with the files that
// this cairn would write; nil when nothing is installed.
func (m Machine) Status(t Target, files []render.File) (*Status, error) {
	mf, err := m.Manifest(t)
	if err != nil || mf == nil {
		return nil, err
	}
	s := &Status{Host: t.Host.Name, Dir: t.Dir, Local: t.Local(), Cairn: mf.Cairn, Parts: mf.Parts,
		Profile: mf.Profile, Files: len(mf.Content), Waiting: m.Waiting(t)}
	fresh := map[string]string{}
	for _, f := range files {
		fresh[f.Path] = digest(f.Data)
	}
	for _, e := range mf.Content {
		name, err := t.place(e.Path)
		if err != nil {
			return nil, err
		}
		there, err := readOwn(name)
		switch {
		case err == nil && there == nil:
			s.Missing = append(s.Missing, e.Path)
		case err != nil || !m.wrote(there, &e):
			s.Edited = append(s.Edited, e.Path)
		}
		if fresh[e.Path] != e.SHA256 {
			s.Outdated = append(s.Outdated, e.Path)
		}
		delete(fresh, e.Path)
	}
	if mf.Has(host.Plan) {
		for _, f := range files {
			if _, ok := fresh[f.Path]; ok {
				s.Outdated = append(s.Outdated, f.Path)
			}
		}
	}
	return s, nil
}

// CheckContent is what the doctor says of commands and agents. Files are those
// that this cairn would write.
func (m Machine) CheckContent(t Target, files []render.File) []Check {
	c := m.checkup(t)
	if !t.Host.Takes(host.Plan) {
		return nil
	}
	s, err := m.Status(t, files)
	switch {
	case errors.Is(err, ErrManifest):
		c.add("content", Fail, "take that file away, then: cairn install "+c.words, "%v", err)
		return c.all
	case err != nil:
		c.add("content", Fail, "", "%v", err)
		return c.all
	case s == nil || len(s.Parts) > 0 && s.Files == 0:
		c.add("content", OK, "cairn install "+c.words, "no commands and agents are installed")
		return c.all
	case len(s.Missing) > 0:
		c.add("content", Fail, c.again(), "missing in %s: %s", t.Dir, listed(s.Missing))
	case len(s.Outdated) > 0:
		c.add("content", Warn, "cairn update "+c.words, "%d of %d files of commands and agents are of another cairn (%s)", len(s.Outdated), s.Files, s.Cairn)
	default:
		c.add("content", OK, "", "%d files of commands and agents in %s, profile %s", s.Files, t.Dir, s.Profile)
	}
	if len(s.Edited) > 0 {
		c.add("content", OK, "", "edited by you: %s", listed(s.Edited))
	}
	if len(s.Waiting) > 0 {
		c.add("content", Warn, "cairn update --reapply "+c.words, "your own text waits to be merged: %s", listed(s.Waiting))
	}
	return c.all
}

// listed names some of the paths.
func listed(paths []string) string {
	const most = 4
	if len(paths) <= most {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:most], ", "), len(paths)-most)
}

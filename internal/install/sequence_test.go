package install

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/host"
	"cairn/test/cairntest"
)

// A story is a random sequence of installs and edits in one target, and what
// must be true of it.
type story struct {
	*testing.T
	*rand.Rand
	m      Machine
	target Target
	told   []string
	// settings are those without us: what the user had, with each edit since.
	settings string
	byHand   bool
	// marks are words that the user wrote into files of ours.
	marks []string
	own   []string // files of the user's in our directories
}

// Whatever is installed, renewed, edited, merged and taken out in which order:
// in the end the tree is as it was but for the user's own edits, and no word
// of the user's is lost on the way.
func TestAnySequence(t *testing.T) {
	cairntest.Long(t)
	hosts := host.All()
	claude, _ := host.Find("claude")
	more := claude // members in several files, one of them in an object of the user's
	more.Members = append(slices.Clone(claude.Members),
		host.Member{File: "extra.json", Else: []string{"extra.jsonc"}, Path: []string{"a", "b"}, Value: `{"x": ["@host@"]}`, Part: host.Plan},
		host.Member{File: "settings.json", Path: []string{"env", "OURS"}, Value: "true", Part: host.Plan},
		host.Member{File: "settings.json", Path: []string{"model"}, Value: `"never"`, Part: host.Compact})
	rounds := 6
	if testing.Short() {
		rounds = 3
	}
	for _, h := range append(slices.Clone(hosts), more) {
		for round := range rounds {
			for _, local := range []bool{false, true} {
				s := &story{T: t, Rand: rand.New(rand.NewPCG(uint64(round), 7))}
				s.m, _ = sandbox(t)
				s.target = s.m.Target(h)
				if local {
					if s.target = s.m.LocalTarget(h, filepath.Join(filepath.Dir(s.target.Dir), "repo")); s.target.Dir == "" {
						continue
					}
				}
				s.play(round)
				if t.Failed() {
					t.Fatalf("%s, round %d, local %v:\n%s", h.Name, round, local, strings.Join(s.told, "\n"))
				}
			}
		}
	}
}

func (s *story) play(round int) {
	file := s.target.Settings()
	s.byHand = file != "" && s.target.Host.Own == nil && round%3 != 0
	if s.byHand {
		s.settings = []string{someSettings, `{"model":"opus","env":{"MINE":"1"}}`, "{\n\t\"model\": \"opus\", // mine\n\t\"hooks\": {\"Stop\": []},\n}\n"}[round%3]
		write(s.T, file, s.settings, 0o640)
	}
	write(s.T, filepath.Join(s.target.Dir, "agents", "mine.md"), "mine", 0o644)
	write(s.T, filepath.Join(s.target.Dir, "extra.jsonc"), "{\"z\": 1,}\n", 0o644)
	base := filepath.Dir(s.target.Dir)
	before := tree(s.T, base)
	for range 3 + s.IntN(12) {
		s.step()
		s.look()
		if s.Failed() {
			return
		}
	}
	s.tell("out")
	takeOut(s.T, s.m, s.target, nil, host.Parts()...)
	s.look()
	for _, name := range s.own {
		if read(s.T, name) != "mine too" {
			s.Errorf("%s is lost", name)
		}
		os.Remove(name)
		os.Remove(filepath.Dir(name)) // it was ours, and stayed for the file
		os.Remove(filepath.Dir(filepath.Dir(name)))
	}
	if s.byHand {
		if got := read(s.T, file); got != s.settings {
			s.Errorf("settings are\n%s\nwant\n%s", got, s.settings)
		}
		write(s.T, file, strings.SplitAfter(before, "\n")[0], 0o640)
	}
	if got := tree(s.T, base); shape(got) != shape(before) {
		s.Errorf("in the end\n%s\nbefore\n%s", got, before)
	}
}

// shape is a tree without what settings say and without our own directory.
func shape(tree string) string {
	var out []string
	for line := range strings.Lines(tree) {
		if strings.Contains(line, ".cairn") || strings.Contains(line, "settings.json") || strings.Contains(line, "hooks.json") {
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "")
}

func (s *story) tell(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

func (s *story) parts() []host.Part {
	return [][]host.Part{host.Parts(), {host.Compact}, {host.Plan}}[s.IntN(3)]
}

func (s *story) step() {
	switch s.IntN(7) {
	case 0, 1, 2:
		o := version(fmt.Sprint(1+s.IntN(3)), pieces[:1+s.IntN(3)]...)
		o.Parts, o.Force, o.Plain = s.parts(), s.IntN(5) == 0, false
		s.tell("install %v of %d, %.12q…", o.Parts, len(o.Files), o.Files[0].Data[30:])
		put(s.T, s.m, s.target, o)
		if p, err := s.m.PlanInstall(s.target, o); err != nil || p.Changed() {
			s.Errorf("again: %v\n%s", err, p.Diff())
		}
	case 3:
		parts := s.parts()
		s.tell("out %v", parts)
		takeOut(s.T, s.m, s.target, nil, parts...)
	case 4: // a line of a file of ours
		name := at(s.target, pieces[s.IntN(3)])
		data, err := os.ReadFile(name)
		if err != nil {
			return
		}
		mark := fmt.Sprintf("mark-%d", len(s.marks))
		s.marks = append(s.marks, mark)
		line := []string{"first\n", "last\n", "# "}[s.IntN(3)]
		s.tell("edit %s: %s at %q", name, mark, line)
		write(s.T, name, strings.Replace(string(data)+mark+" end\n", line, line+mark+"\n", 1), 0o600)
	case 5: // settings
		if !s.byHand {
			return
		}
		name := s.target.Settings()
		add := func(text string) string {
			return strings.Replace(text, "{", fmt.Sprintf("{\"u%d\":  1, ", len(s.told)), 1)
		}
		s.settings = add(s.settings)
		write(s.T, name, add(read(s.T, name)), 0o640)
		s.tell("edit settings")
	case 6:
		if s.IntN(2) == 0 {
			name := filepath.Join(s.target.Dir, "skills", "cairn-ship", fmt.Sprintf("notes-%d.md", len(s.own)))
			write(s.T, name, "mine too", 0o644)
			s.own = append(s.own, name)
			s.tell("add %s", name)
			return
		}
		merges, err := s.m.Reapply(s.Context(), s.target)
		if err != nil {
			s.Error(err)
		}
		s.tell("merge %+v", merges)
	}
}

// look checks that every word of the user's is somewhere, and that the
// manifest tells the truth.
func (s *story) look() {
	texts := tree(s.T, s.target.Dir) + tree(s.T, s.m.Home.InstallEdited())
	for _, mark := range s.marks {
		if !strings.Contains(texts, mark+" end") {
			s.Errorf("%s is lost", mark)
		}
	}
	mf, err := s.m.Manifest(s.target)
	if err != nil || mf == nil {
		if err != nil || strings.Contains(texts, "version ") && s.target.Host.Takes(host.Plan) && strings.Contains(tree(s.T, s.target.Dir), "version ") {
			s.Errorf("no manifest: %v", err)
		}
		return
	}
	for _, e := range mf.Content {
		if !exists(at(s.target, e.Path)) || e.Was != "" {
			s.Errorf("the manifest has %+v", e)
		}
		if _, err := s.m.text(e.SHA256); err != nil {
			s.Errorf("the text of %s is not kept: %v", e.Path, err)
		}
	}
}

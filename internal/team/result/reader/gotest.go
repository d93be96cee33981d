package reader

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// goEvent is one line of `go test -json`, as `go doc test2json` has it.
type goEvent struct {
	Time        time.Time
	Action      string
	Package     string
	Test        string
	ImportPath  string // of a build
	Output      string
	Elapsed     float64 // seconds
	FailedBuild string
	Key, Value  string // of t.Attr
}

// goStream turns events into cases.
type goStream struct {
	packages    map[string]*goPackage
	order       []*goPackage
	builds      map[string]*strings.Builder // ImportPath → what the compiler said
	first, last time.Time
	events      int
	text        int // lines that are no events
	cutOff      bool
}

// readGoTest reads a stream of events. Lines between them that are no JSON,
// as from 2>&1, are passed over.
func readGoTest(data []byte, c *collector) *result.Run {
	s := goStream{packages: map[string]*goPackage{}, builds: map[string]*strings.Builder{}}
	var building string // the package that plain compiler output is about, before Go 1.24
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) == 0 {
			continue
		}
		var e goEvent
		if trimmed[0] != '{' || json.Unmarshal(trimmed, &e, foreign()) != nil || e.Action == "" {
			s.text++
			s.cutOff = trimmed[0] == '{' && len(bytes.TrimSpace(data)) == 0
			if name, ok := bytes.CutPrefix(trimmed, []byte("# ")); ok {
				building = string(name)
			} else if building != "" {
				s.build(building, string(line)+"\n")
			}
			continue
		}
		building = ""
		s.event(&e)
	}
	if s.events == 0 {
		must.Fail(errors.New("no events of go test -json in it"))
	}
	if s.text > 0 && !(s.cutOff && s.text == 1) {
		c.warn("lines that are no events of go test -json, passed over: %d", s.text)
	}
	if s.cutOff {
		c.warn("the last line is cut off: what had not ended by then counts as an error")
	}
	return s.run(c)
}

func (s *goStream) build(path, text string) {
	b := s.builds[path]
	if b == nil {
		b = &strings.Builder{}
		s.builds[path] = b
	}
	keep(b, text)
}

// keep adds to a text that is needed only to the length of a message.
func keep(b *strings.Builder, text string) {
	if b.Len() < 4*mostMessage {
		b.WriteString(text[:min(len(text), 4*mostMessage)])
	}
}

func (s *goStream) event(e *goEvent) {
	s.events++
	if !e.Time.IsZero() {
		if s.first.IsZero() {
			s.first = e.Time
		}
		s.last = e.Time
	}
	if strings.HasPrefix(e.Action, "build-") {
		if e.Action == "build-output" {
			s.build(e.ImportPath, e.Output)
		}
		return
	}
	p := s.packages[e.Package]
	if p == nil || e.Action == "start" && p.ended {
		fresh := &goPackage{path: e.Package, tests: map[string]*goTest{}, tries: map[string]int{}}
		if p != nil {
			fresh.tries = p.tries // the package ran again: its tests are repeats
		}
		p = fresh
		s.packages[e.Package] = p
		s.order = append(s.order, p)
	}
	if e.Test == "" {
		p.event(e)
		return
	}
	p.test(e).event(e)
}

// run lists the cases package by package, as they began.
func (s *goStream) run(c *collector) *result.Run {
	run := &result.Run{Tool: "go test"}
	if !s.first.IsZero() && s.first.Year() >= 1970 {
		run.Timestamp = result.Time{Time: s.first}
		run.WallClockMS = max(0, s.last.Sub(s.first).Seconds()*1000)
	}
	paths := make([]string, 0, len(s.order))
	for _, p := range s.order {
		run.Results = append(run.Results, p.results(s, c)...)
		paths = append(paths, p.path)
	}
	run.Suite = commonPath(paths)
	return run
}

// commonPath is what the import paths share, in whole elements.
func commonPath(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	common := paths[0]
	for _, p := range paths[1:] {
		for common != "" && p != common && !strings.HasPrefix(p, common+"/") {
			common = common[:max(0, strings.LastIndex(common, "/"))]
		}
	}
	return common
}

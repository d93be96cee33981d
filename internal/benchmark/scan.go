package benchmark

import (
	"cairn/internal/redact"
	"cairn/internal/transcript"
)

// A scan goes through the transcripts and replays every call. What it holds
// of a call is a few numbers.
type scan struct {
	opt    Options
	reader transcript.Reader
	calls  []measured
	first  []int // of each file: its first call

	clusters map[cluster]int
	names    []cluster
	examples []string // of each cluster: the first command, redacted
	hosts    map[string]*hostShare
}

// measured is a call with what was made of it.
type measured struct {
	outcome
	cluster int
	heavy   bool // one of the few that hold most of the tokens
}

type hostShare struct{ calls, tokens int }

func newScan(opt Options) *scan {
	return &scan{
		opt: opt, reader: transcript.Reader{Since: opt.Since, Progress: opt.Step},
		clusters: map[cluster]int{}, hosts: map[string]*hostShare{},
	}
}

func (s *scan) file(i int, f transcript.File) {
	s.first = append(s.first, len(s.calls))
	err := s.reader.Read(f, func(c *transcript.Call) {
		out, _ := s.opt.replay(c)
		s.calls = append(s.calls, measured{outcome: out, cluster: s.clusterIndex(c)})
		h := s.hosts[c.Host]
		if h == nil {
			h = &hostShare{}
			s.hosts[c.Host] = h
		}
		h.calls++
		h.tokens += out.before
	})
	if err != nil {
		s.opt.Warn(err)
	}
}

func (s *scan) clusterIndex(c *transcript.Call) int {
	key := clusterOf(c)
	i, had := s.clusters[key]
	if !had {
		i = len(s.names)
		s.clusters[key] = i
		s.names = append(s.names, key)
		s.examples = append(s.examples, example(c))
	}
	return i
}

// example is what a reader is shown of a call.
func example(c *transcript.Call) string {
	text := c.Command
	if text == "" {
		text = c.File
	}
	if r := []rune(text); len(r) > 300 {
		text = string(r[:299]) + "…"
	}
	return redact.Line(text)
}

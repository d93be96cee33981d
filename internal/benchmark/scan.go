package benchmark

import (
	"cmp"

	"cairn/internal/redact"
	"cairn/internal/text"
	"cairn/internal/transcript"
)

// A scan goes through the transcripts and replays every call. What it holds
// of a call is a few numbers.
type scan struct {
	opt    Options
	reader transcript.Reader
	files  []transcript.File
	listed int   // files, with those that are too old to be read
	size   int64 // of all files that are read, in bytes
	calls  []measured
	first  []int // of each file: its first call

	told     func(*transcript.Call)
	ledger   *ledger // nil: no prices were given
	clusters map[cluster]int
	names    []cluster
	examples []string // of each cluster: the first command, redacted
	hosts    map[string]*HostShare
}

// measured is a call with what was made of it.
type measured struct {
	outcome
	cluster int
	usd     float64 // of one token of the result, as the bill counts it
	read    int     // requests that it stood in
	priced  bool    // usd is known
	heavy   bool    // one of the few that hold most of the tokens
}

// newScan goes through all transcripts.
func newScan(opt Options) (*scan, error) {
	s := &scan{
		opt: opt, reader: transcript.Reader{Since: opt.Since, Progress: opt.Step},
		files:    transcript.Files(opt.Roots, opt.Since, opt.Warn),
		clusters: map[cluster]int{}, hosts: map[string]*HostShare{},
	}
	s.listed = len(s.files)
	if opt.Most > 0 {
		s.files = newest(s.files, opt.Most)
	}
	for _, f := range s.files {
		s.size += f.Size
	}
	if opt.Price != nil {
		s.ledger = newLedger(opt.Price, opt.Since)
		s.reader.Said = s.ledger.said
		s.reader.Requests = func(all []transcript.Request) { s.ledger.end(all, s.calls) }
	}
	opt.Progress("scanning", s.size)
	s.told = func(*transcript.Call) {}
	if opt.Follow != nil {
		told, end := opt.Follow()
		defer end()
		s.told = told
	}
	for _, f := range s.files {
		s.file(f)
	}
	if len(s.calls) == 0 {
		return nil, ErrNoCalls
	}
	return s, nil
}

// newest are the last files that together have at most so many bytes.
func newest(files []transcript.File, most int64) []transcript.File {
	from := len(files)
	for from > 0 && files[from-1].Size <= most {
		from--
		most -= files[from].Size
	}
	return files[from:]
}

func (s *scan) file(f transcript.File) {
	s.first = append(s.first, len(s.calls))
	err := s.reader.Read(f, func(c *transcript.Call) {
		s.told(c)
		out, shown := s.opt.replay(c)
		if s.ledger != nil {
			s.ledger.called(len(s.calls), c, out, shown)
		}
		s.calls = append(s.calls, measured{outcome: out, cluster: s.clusterIndex(c)})
		h := s.hosts[c.Host]
		if h == nil {
			h = &HostShare{Host: c.Host}
			s.hosts[c.Host] = h
		}
		h.Calls++
		h.Tokens += out.before
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

// again goes through the transcripts once more.
func (s *scan) again(progress func(int64), each func(file int, c *transcript.Call)) {
	reader := transcript.Reader{Since: s.opt.Since, Progress: progress}
	for i, f := range s.files {
		if err := reader.Read(f, func(c *transcript.Call) { each(i, c) }); err != nil {
			s.opt.Warn(err)
		}
	}
}

const maxExample = 300 // characters

// example is what a reader is shown of a call.
func example(c *transcript.Call) string {
	return text.Shorten(redact.Text(cmp.Or(c.Command, c.File)), maxExample)
}

package benchmark

import (
	"maps"
	"slices"

	"cairn/internal/transcript"
)

// A Sum is what transcripts hold, and what compaction would have made of it.
type Sum struct {
	Hosts    []HostShare
	Received Total // every tool result
	Touched  Total // those that cairn may touch
	Files    []transcript.File
	Left     int // files that were not read, for Options.Most
}

// Measure only counts: the first stage of Run.
func Measure(opt Options) (*Sum, error) {
	s, err := newScan(opt)
	if err != nil {
		return nil, err
	}
	sum := &Sum{Files: s.files, Left: s.listed - len(s.files)}
	for _, name := range slices.Sorted(maps.Keys(s.hosts)) {
		sum.Hosts = append(sum.Hosts, *s.hosts[name])
	}
	for _, m := range s.calls {
		if sum.Received.add(m.outcome); m.why == Touched {
			sum.Touched.add(m.outcome)
		}
	}
	return sum, nil
}

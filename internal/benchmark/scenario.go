package benchmark

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/compact"
	"cairn/internal/redact"
	"cairn/internal/transcript"
)

// A scenario is the heavy calls of one cluster.
type scenario struct {
	Scenario // as it is reported
	cluster  int
	tool     string
	command  string       // of the first call
	calls    int          // that were seen again
	fixture  bytes.Buffer // envelopes, one a line, secrets taken out
	dropped  dropped
	plants   plants
	text     []string // lines of real output to plant into
	dir      string   // that the first call ran in
}

// maxFixture is how many bytes of envelopes a scenario's file gets.
const maxFixture = 4 << 20

// scenarios reads the transcripts again for the texts of the heavy calls.
func (s *scan) scenarios(r ranking) []*scenario {
	byCluster := map[int]*scenario{}
	var all []*scenario
	for i, c := range r.clusters {
		sc := &scenario{cluster: c, tool: s.names[c].tool}
		sc.Name, sc.Title, sc.Rules = fmt.Sprintf("B%02d_%s", i+1, s.names[c].slug()), s.names[c].String(), []string{}
		byCluster[c] = sc
		all = append(all, sc)
	}
	next := slices.Clone(s.first)
	end := append(s.first[1:len(s.first):len(s.first)], len(s.calls))
	s.again(s.opt.Step, func(file int, c *transcript.Call) {
		if next[file] >= end[file] {
			return // the file is not what it was
		}
		m := s.calls[next[file]]
		next[file]++
		if sc := byCluster[m.cluster]; m.heavy && sc != nil {
			sc.add(c, s.opt)
		}
	})
	for _, sc := range all {
		sc.plants = s.opt.plant(sc)
		sc.Planted, sc.Scenario.Lost, sc.Dropped = sc.plants.planted, len(sc.plants.lost), sc.dropped.top()
	}
	return all
}

// add takes a call into the scenario.
func (sc *scenario) add(c *transcript.Call, opt Options) {
	if sc.calls++; sc.calls == 1 {
		sc.command, sc.dir, sc.Example = c.Command, c.Project, example(c)
	}
	_, text := opt.replay(c)
	sc.dropped.add(c.Body, text)
	for line := range strings.Lines(c.Body) {
		if len(sc.text) < plantLines {
			sc.text = append(sc.text, strings.TrimSuffix(line, "\n"))
		}
	}
	env := compact.Envelope{Tool: c.Tool, Command: redact.Text(c.Command), CombinedText: redact.Text(c.Body), ExitCode: c.Exit, Cwd: c.Project, Host: c.Host}
	data, err := json.Marshal(env)
	if err == nil && sc.fixture.Len()+len(data) < maxFixture {
		sc.fixture.Write(data)
		sc.fixture.WriteByte('\n')
		sc.InFile++
	}
}

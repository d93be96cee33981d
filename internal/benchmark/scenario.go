package benchmark

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"cairn/internal/compact"
	"cairn/internal/redact"
	"cairn/internal/transcript"
)

// A scenario is the heavy calls of one cluster.
type scenario struct {
	name    string
	cluster int
	tool    string
	command string // of the first call
	example string // of that call, for a reader

	calls   int
	fixture bytes.Buffer // envelopes, one a line, secrets taken out
	stored  int          // calls in it
	dropped dropped
	plants  plants
	text    []string // lines of real output to plant into
	dir     string   // that the first call ran in
}

// maxFixture is how many bytes of envelopes a scenario's file gets.
const maxFixture = 4 << 20

// scenarios reads the transcripts again for the texts of the heavy calls.
func (s *scan) scenarios(files []transcript.File, r ranking) ([]*scenario, error) {
	byCluster := map[int]*scenario{}
	var all []*scenario
	for i, c := range r.clusters {
		sc := &scenario{name: fmt.Sprintf("B%02d_%s", i+1, s.names[c].slug()), cluster: c, tool: s.names[c].tool}
		byCluster[c] = sc
		all = append(all, sc)
	}
	again := transcript.Reader{Since: s.opt.Since, Progress: s.opt.Step}
	for i, f := range files {
		n := s.first[i]
		err := again.Read(f, func(c *transcript.Call) {
			if n >= len(s.calls) || i+1 < len(s.first) && n >= s.first[i+1] {
				return // the file is not what it was
			}
			m := s.calls[n]
			n++
			if sc := byCluster[m.cluster]; m.heavy && sc != nil {
				sc.add(c, s.opt)
			}
		})
		if err != nil {
			s.opt.Warn(err)
		}
	}
	for _, sc := range all {
		sc.plants = s.opt.plant(sc)
	}
	return all, nil
}

// add takes a call into the scenario.
func (sc *scenario) add(c *transcript.Call, opt Options) {
	if sc.calls == 0 {
		sc.command, sc.dir, sc.example = c.Command, c.Project, example(c)
	}
	sc.calls++
	_, text := opt.replay(c)
	sc.dropped.add(c.Body, text)
	for line := range strings.Lines(c.Body) {
		if len(sc.text) < plantLines {
			sc.text = append(sc.text, strings.TrimSuffix(line, "\n"))
		}
	}
	env := compact.Envelope{Tool: c.Tool, Command: redactText(c.Command), CombinedText: redactText(c.Body), ExitCode: c.Exit, Cwd: c.Project, Host: c.Host}
	data, err := json.Marshal(env)
	if err == nil && sc.fixture.Len()+len(data) < maxFixture {
		sc.fixture.Write(data)
		sc.fixture.WriteByte('\n')
		sc.stored++
	}
}

func redactText(text string) string {
	var r redact.Redactor
	var b strings.Builder
	for line := range strings.Lines(text) {
		body, end := strings.CutSuffix(line, "\n")
		b.WriteString(r.Line(body))
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

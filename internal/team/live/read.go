package live

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/result"
	"cairn/internal/text"
)

// Read reads all that a runner wrote as the run that it tells of; of several
// the last one. Its Timestamp is zero when no event tells a time. The warnings
// are about what was taken all the same.
func Read(data []byte) (*result.Run, []string, error) {
	unknown := time.Unix(0, 0).UTC() // of events that tell no time
	run := &Run{}
	for line := range bytes.Lines(data) {
		run.Line(line, unknown)
	}
	b := run.Broken
	switch {
	case b.Lines > 0 && run.Started.IsZero():
		return nil, nil, fmt.Errorf("line %d: %s", b.Last, b.Why)
	case run.Started.IsZero():
		return nil, nil, errors.New("no event of a run in it")
	}
	var warnings []string
	if b.Lines > 0 {
		warnings = append(warnings, fmt.Sprintf("%s could not be read, the last is %d: %s", text.Count(b.Lines, "line"), b.Last, b.Why))
	}
	if run.Generation > 0 {
		warnings = append(warnings, "left out, as a later one follows: "+text.Count(run.Generation, "run"))
	}
	switch {
	case run.Aborted != "":
		warnings = append(warnings, "the runner gave up: "+run.Aborted)
	case run.Ended.IsZero() && !run.GoTest():
		warnings = append(warnings, "the run is not finished; running: "+text.Count(run.Going, "test"))
	}
	out := run.Result()
	if out.Timestamp.Equal(unknown) {
		out.Timestamp, out.WallClockMS = result.Time{}, 0
	}
	return out, warnings, nil
}

// Begins reports whether the first line is an event of a run.
func Begins(data []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(data[:min(len(data), 64<<10)]), []byte("\n"))
	var head struct {
		Event string `json:"event"`
	}
	if json.Unmarshal(line, &head) != nil {
		return false
	}
	switch head.Event {
	case "start", "running", "case", "cost", "finish":
		return true
	}
	return false
}

package live

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"cairn/internal/team/result"
)

// Read reads all that a runner wrote as the run that it tells of; of several
// the last one. now is when it was written, for events that tell no time. The
// warnings are about what was taken all the same.
func Read(data []byte, now time.Time) (*result.Run, []string, error) {
	run := &Run{}
	for line := range bytes.Lines(data) {
		run.Line(line, now)
	}
	b := run.Broken
	switch {
	case run.Lines == 0:
		return nil, nil, errors.New("no event in it")
	case b.Lines == run.Lines:
		return nil, nil, fmt.Errorf("line %d: %s", b.Last, b.Why)
	}
	var warnings []string
	if b.Lines > 0 {
		warnings = append(warnings, fmt.Sprintf("%s could not be read, the last is %d: %s", number(b.Lines, "line"), b.Last, b.Why))
	}
	if run.Generation > 0 {
		warnings = append(warnings, "left out, as a later one follows: "+number(run.Generation, "run"))
	}
	switch {
	case run.Aborted != "":
		warnings = append(warnings, "the runner gave up: "+run.Aborted)
	case run.Ended.IsZero() && !run.GoTest():
		warnings = append(warnings, "the run is not finished; running: "+number(run.Going, "test"))
	}
	return run.Result(), warnings, nil
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

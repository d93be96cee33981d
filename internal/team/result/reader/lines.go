package reader

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// readCaseLines reads a result a line, {"name":"a","passed":true}, as a runner
// writes it that has nothing to say of the whole. Its members and rules are those
// of all_results.
func readCaseLines(data []byte, c *collector) *result.Run {
	doc := append(make([]byte, 0, len(data)+64), `{"schema_version":1,"all_results":[`...)
	var at []int // the line of each result
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if len(at) > 0 {
			doc = append(doc, ',')
		}
		at = append(at, n)
		doc = append(doc, line...)
	}
	run, warnings, err := result.Decode(append(doc, "]}"...))
	if err != nil {
		must.Fail(inLines(data, at, err))
	}
	for _, w := range warnings {
		c.warn("%s", w)
	}
	return run
}

// readCaseList reads the same as a list.
func readCaseList(data []byte, c *collector) *result.Run {
	const head = `{"schema_version":1,"all_results":`
	return readV1(append(append([]byte(head), bytes.TrimSpace(data)...), '}'), c)
}

// inLines says of a problem in which line it is.
func inLines(data []byte, at []int, err error) error {
	n := 0
	for line := range bytes.Lines(data) { // one that is no value of its own
		n++
		if line = bytes.TrimSpace(line); len(line) > 0 && !jsontext.Value(line).IsValid() {
			var v any
			return fmt.Errorf("line %d: %w", n, withoutLine(must.Catch(func() { decode(line, &v) })))
		}
	}
	var problems result.Problems
	if !errors.As(err, &problems) {
		return err
	}
	p := problems[0]
	var i int
	if _, err := fmt.Sscanf(p.Path, "all_results[%d]", &i); err == nil && i < len(at) {
		p.Line = at[i]
		p.Path = strings.TrimPrefix(strings.TrimPrefix(p.Path, fmt.Sprintf("all_results[%d]", i)), ".")
	}
	for i := len(at) - 1; i >= 0; i-- {
		p.What = strings.ReplaceAll(p.What, fmt.Sprintf("all_results[%d]", i), fmt.Sprintf("line %d", at[i]))
	}
	return p
}

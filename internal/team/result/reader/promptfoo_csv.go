package reader

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// csvColumn is where a prompt×provider pair stands in `-o results.csv`.
type csvColumn struct {
	output                        int
	provider, prompt              string
	status, score, scores, reason int // -1 is not there
}

// isPromptfooCSV reports whether a line is the head of promptfoo's CSV: columns
// "[provider] prompt", each with a Status.
func isPromptfooCSV(data []byte) bool {
	if i := bytes.IndexAny(data, "[\""); i < 0 || i > 4096 {
		return false
	}
	head, err := csv.NewReader(bytes.NewReader(data[:min(len(data), 1<<20)])).Read()
	if err != nil {
		return false
	}
	for _, col := range csvColumns(head) {
		if col.status > 0 {
			return true
		}
	}
	return false
}

func csvColumns(head []string) (columns []csvColumn) {
	for i, name := range head {
		if provider, prompt, ok := strings.Cut(name, "] "); ok && strings.HasPrefix(provider, "[") {
			columns = append(columns, csvColumn{output: i, provider: provider[1:], prompt: prompt, status: -1, score: -1, scores: -1, reason: -1})
			continue
		}
		if len(columns) == 0 {
			continue
		}
		last := &columns[len(columns)-1]
		switch name {
		case "Status":
			last.status = i
		case "Score":
			last.score = i
		case "Named Scores":
			last.scores = i
		case "Grader Reason":
			last.reason = i
		}
	}
	return columns
}

// readPromptfooCSV reads `-o results.csv`: a line a test, a group of columns a
// variant. It holds no times, no costs, scores of two digits.
func readPromptfooCSV(data []byte, c *collector) (*result.Run, error) {
	in := csv.NewReader(bytes.NewReader(bytes.ToValidUTF8(data, []byte("\ufffd"))))
	in.ReuseRecord = true
	head, err := in.Read()
	if err != nil {
		return nil, csvError(err)
	}
	head = append([]string(nil), head...)
	columns := csvColumns(head)
	if len(columns) == 0 {
		return nil, errors.New("no column [provider] prompt in the first line")
	}
	p := newPromptfoo(c)
	for test := 0; ; test++ {
		record, err := in.Read()
		if err == io.EOF {
			return p.finish()
		}
		if err != nil {
			return nil, csvError(err)
		}
		var description string
		var vars []member
		for i := 0; i < columns[0].output; i++ {
			switch {
			case head[i] == "Description" && i == 0:
				description = record[i]
			default:
				vars = append(vars, member{head[i], quote(record[i])})
			}
		}
		for n, col := range columns {
			if col.status < 0 {
				continue
			}
			row := promptfooRow{
				TestIdx: float64(test), PromptIdx: float64(n), Description: description,
				Provider: promptfooProvider{ID: col.provider}, Prompt: promptfooPrompt{Label: col.prompt},
				Vars: csvVars(vars), Response: promptfooResponse{Output: quote(record[col.output])},
			}
			if err := col.verdict(&row, record); err != nil {
				line, _ := in.FieldPos(col.status)
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			if err := p.add(&row); err != nil {
				return nil, err
			}
		}
	}
}

// csvVars leaves out a name that stands twice in the head.
func csvVars(vars []member) jsontext.Value {
	seen := map[string]bool{}
	unique := vars[:0:0]
	for _, v := range vars {
		if !seen[v.name] {
			unique = append(unique, v)
		}
		seen[v.name] = true
	}
	return object(unique...)
}

func (col *csvColumn) verdict(row *promptfooRow, record []string) error {
	passed, reason := false, 1.0
	switch record[col.status] {
	case "PASS":
		passed, reason = true, 0
	case "FAIL":
	case "ERROR":
		reason = 2
	default:
		return fmt.Errorf("%q is no status; PASS, FAIL or ERROR is wanted", oneLine(record[col.status], 40))
	}
	row.Success, row.FailureReason = &passed, &reason
	if col.reason >= 0 {
		row.Error = quote(record[col.reason])
		row.Grading = &promptfooGrade{Reason: record[col.reason]}
	}
	if col.score >= 0 {
		if f, ok := number(record[col.score]); ok {
			row.Score = &f
		}
	}
	if col.scores >= 0 && record[col.scores] != "" {
		if err := json.Unmarshal([]byte(record[col.scores]), &row.NamedScores, foreign()); err != nil {
			return errors.New("named scores: an object of figures is wanted")
		}
	}
	return nil
}

func csvError(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("line %d: %w", parse.StartLine, parse.Err)
	}
	return err
}

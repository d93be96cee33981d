package reader

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// csvColumn is where a prompt×provider pair stands in `-o results.csv`.
type csvColumn struct {
	output           int
	provider, prompt string
	at               map[string]int // of the columns behind it: Status, Score, Named Scores, Grader Reason
}

// cell is what a record says in one of these columns; a column that is not there
// says nothing.
func (col *csvColumn) cell(record []string, name string) string {
	if i, ok := col.at[name]; ok {
		return record[i]
	}
	return ""
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
	return slices.ContainsFunc(csvColumns(head), func(col csvColumn) bool { return col.at["Status"] > 0 })
}

func csvColumns(head []string) (columns []csvColumn) {
	for i, name := range head {
		if provider, prompt, ok := strings.Cut(name, "] "); ok && strings.HasPrefix(provider, "[") {
			columns = append(columns, csvColumn{i, provider[1:], prompt, map[string]int{}})
		} else if len(columns) > 0 {
			columns[len(columns)-1].at[name] = i
		}
	}
	return columns
}

// readPromptfooCSV reads `-o results.csv`: a line a test, a group of columns a
// variant. It holds no times, no costs, scores of two digits.
func readPromptfooCSV(data []byte, c *collector) *result.Run {
	in := csv.NewReader(bytes.NewReader(bytes.ToValidUTF8(data, []byte("\ufffd"))))
	in.ReuseRecord = true
	head, err := in.Read()
	must.OK(csvError(err))
	head = slices.Clone(head)
	columns := csvColumns(head)
	if len(columns) == 0 {
		must.Fail(errors.New("no column [provider] prompt in the first line"))
	}
	p := newPromptfoo(c)
	for test := 0; ; test++ {
		record, err := in.Read()
		if err == io.EOF {
			return p.finish()
		}
		must.OK(csvError(err))
		var description string
		var vars []member
		for i := 0; i < columns[0].output; i++ {
			if head[i] == "Description" && i == 0 {
				description = record[i]
			} else if !slices.ContainsFunc(vars, func(v member) bool { return v.name == head[i] }) { // the first of a name counts
				vars = append(vars, member{head[i], quote(record[i])})
			}
		}
		for n, col := range columns {
			status, ok := col.at["Status"]
			if !ok {
				continue
			}
			row := promptfooRow{
				TestIdx: float64(test), PromptIdx: float64(n), Description: description,
				Provider: promptfooProvider{ID: col.provider}, Prompt: promptfooPrompt{Label: col.prompt},
				Vars: object(vars...), Response: promptfooResponse{Output: quote(record[col.output])},
			}
			if err := col.verdict(&row, record); err != nil {
				line, _ := in.FieldPos(status)
				must.Fail(fmt.Errorf("line %d: %w", line, err))
			}
			p.add(&row)
		}
	}
}

func (col *csvColumn) verdict(row *promptfooRow, record []string) error {
	passed, reason := false, 1.0
	switch status := col.cell(record, "Status"); status {
	case "PASS":
		passed, reason = true, 0
	case "FAIL":
	case "ERROR":
		reason = 2
	default:
		return fmt.Errorf("%q is no status; PASS, FAIL or ERROR is wanted", oneLine(status, 40))
	}
	row.Success, row.FailureReason = &passed, &reason
	if i, ok := col.at["Grader Reason"]; ok {
		row.Error = quote(record[i])
		row.Grading = &promptfooGrade{Reason: record[i], Comment: col.cell(record, "Comment")}
	}
	if f, ok := number(col.cell(record, "Score")); ok {
		row.Score = &f
	}
	if scores := col.cell(record, "Named Scores"); scores != "" && json.Unmarshal([]byte(scores), &row.NamedScores, foreign()) != nil {
		return errors.New("named scores: an object of figures is wanted")
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

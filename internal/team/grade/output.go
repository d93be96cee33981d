package grade

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

// An Output is what a runner got for one case, with what it tells of it.
type Output struct {
	Name        string             `json:"name"` // of the case; NAME@TIER, NAME@control and NAME@treatment where a case has several
	Suite       string             `json:"suite"`
	Variant     string             `json:"variant"`
	Raw         jsontext.Value     `json:"output"`
	Attempt     int                `json:"attempt"`
	DurationMS  float64            `json:"duration_ms"`
	CostUSD     *float64           `json:"cost_usd"` // nil: nobody counted
	Model       string             `json:"model"`
	Error       string             `json:"error"`        // the case could not be run
	JudgeScores map[string]float64 `json:"judge_scores"` // of judges that the runner asked
	Original    any                `json:"original"`     // what the output was made from
	Comparison  jsontext.Value     `json:"comparison"`   // control_scores and treatment_scores
	Usage       any                `json:"usage"`        // tokens, as APIs count them
	Turns       any                `json:"turns"`        // how many there were
	From        string             `json:"-"`            // where it was read

	Value any `json:"-"` // Raw, decoded
}

// spent is what the output cost, 0 where nobody counted.
func (o *Output) spent() float64 {
	if o.CostUSD == nil {
		return 0
	}
	return *o.CostUSD
}

// entryMembers are those that an Output may have as JSON.
var entryMembers = [...]string{"name", "suite", "variant", "output", "attempt", "duration_ms", "cost_usd", "model", "error", "judge_scores", "original", "comparison"}

// ReadOutputs reads outputs in any of the forms that are known:
//
//   - an object: name of the case → output, or → entry
//   - entries, {name, output, …}, one after another (NDJSON) or in a list
//   - results of format version 1, which are graded again by their output
//
// An output that is a text or a list is the object {"response": value}.
//
// An entry where an output may stand is an object that has output and no member
// that no entry has.
func ReadOutputs(file string, data []byte) ([]Output, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > result.MaxBytes {
		return nil, fmt.Errorf("%s: larger than %d MB", file, result.MaxBytes>>20)
	}
	values, err := valuesOf(file, data)
	switch {
	case err != nil:
		return nil, err
	case len(values) == 1:
		outputs, err := outputsOf(file, values[0].json, values[0].line)
		if err == nil && len(outputs) == 0 {
			err = fmt.Errorf("%s: holds no outputs", file)
		}
		return outputs, err
	case len(values) == 0:
		return nil, fmt.Errorf("%s: holds no outputs", file)
	}
	outputs := make([]Output, len(values))
	for i, v := range values {
		if outputs[i], err = entryOf(file, "the value", v.json, v.line); err != nil {
			return nil, err
		}
	}
	return outputs, nil
}

// value is one JSON value of a file that may hold several.
type value struct {
	json jsontext.Value
	line int
}

func valuesOf(file string, data []byte) (values []value, err error) {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	line, counted := 1, 0 // of the value, and up to where lines were counted
	for {
		v, err := dec.ReadValue()
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		start := max(counted, min(len(data), int(dec.InputOffset())-len(v)))
		line += bytes.Count(data[counted:start], []byte("\n"))
		counted = start
		if err != nil {
			return nil, badJSON(file, line, err)
		}
		values = append(values, value{v.Clone(), line})
	}
}

func badJSON(file string, line int, err error) error {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	what := err.Error()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		what = "the file ends in the middle of the JSON"
	case errors.As(err, &syntactic):
		what = "this is no JSON: " + strings.TrimPrefix(syntactic.Err.Error(), "jsontext: ")
		if p := string(syntactic.JSONPointer); p != "" {
			what += " in " + text.First(p, mostShort)
		}
	case errors.As(err, &semantic):
		what = "a value of another kind is wanted"
		if semantic.Err != nil {
			what = semantic.Err.Error()
		}
		if p := string(semantic.JSONPointer); p != "" {
			what = text.First(p, mostShort) + ": " + what
		}
	}
	return fmt.Errorf("%s: line %d: %s", file, line, term.Printable(what))
}

func outputsOf(file string, v jsontext.Value, line int) ([]Output, error) {
	switch v.Kind() {
	case '[':
		var list []jsontext.Value
		if err := json.Unmarshal(v, &list); err != nil {
			return nil, badJSON(file, line, err)
		}
		var outputs []Output
		for i, item := range list {
			o, err := entryOf(file, fmt.Sprintf("entry %d", i), item, line)
			if err != nil {
				return nil, err
			}
			outputs = append(outputs, o)
		}
		return outputs, nil
	case '{':
	default:
		return nil, fmt.Errorf("%s: line %d: outputs are an object or a list", file, line)
	}
	var object members
	if err := json.Unmarshal(v, &object); err != nil {
		return nil, badJSON(file, line, err)
	}
	switch {
	case object.has("schema_version") && object.has("all_results"):
		return fromRun(file, v)
	case object.has("name") && object.has("output") || object.has("name") && object.has("error") && object.isEntry():
		o, err := entryOf(file, "the entry", v, line)
		return []Output{o}, err
	}
	var outputs []Output
	for _, m := range object {
		o := Output{Name: m.name, Raw: m.value}
		var inner members
		if m.value.Kind() == '{' {
			if err := json.Unmarshal(m.value, &inner); err != nil {
				return nil, badJSON(file, line, err)
			}
		}
		if inner.has("output") && inner.isEntry() {
			if err := json.Unmarshal(m.value, &o); err != nil {
				return nil, badJSON(file, line, err)
			}
			o.Name = m.name
		}
		o.From = file
		outputs = append(outputs, o)
	}
	return outputs, decode(outputs)
}

// members is a JSON object in the order of the file.
type members []one

type one struct {
	name  string
	value jsontext.Value
}

func (m *members) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		*m = append(*m, one{key, value.Clone()})
	}
	_, err := dec.ReadToken()
	return err
}

func (m members) has(name string) bool {
	return slices.ContainsFunc(m, func(one one) bool { return one.name == name })
}

func (m members) isEntry() bool {
	return !slices.ContainsFunc(m, func(one one) bool { return !slices.Contains(entryMembers[:], one.name) })
}

func entryOf(file, which string, v jsontext.Value, line int) (Output, error) {
	o := Output{From: file}
	if v.Kind() != '{' {
		return o, fmt.Errorf("%s: line %d: %s is no entry, an object with name and output", file, line, which)
	}
	if err := json.Unmarshal(v, &o); err != nil {
		return o, badJSON(file, line, err)
	}
	if strings.TrimSpace(o.Name) == "" {
		return o, fmt.Errorf("%s: line %d: %s has no name", file, line, which)
	}
	one := []Output{o}
	err := decode(one)
	return one[0], err
}

func decode(outputs []Output) error {
	for i := range outputs {
		o := &outputs[i]
		if !(o.Attempt >= 0 && o.DurationMS >= 0 && (o.CostUSD == nil || *o.CostUSD >= 0)) {
			return fmt.Errorf("%s: %s: attempt, duration_ms and cost_usd cannot be negative", o.From, term.Printable(text.First(o.Name, mostShort)))
		}
		if o.Raw == nil {
			continue
		}
		if err := json.Unmarshal(o.Raw, &o.Value); err != nil {
			return fmt.Errorf("%s: the output of %s: %s", o.From, term.Printable(text.First(o.Name, mostShort)), term.Printable(err.Error()))
		}
		switch o.Value.(type) {
		case string, []any: // as result.Answered has it
			o.Raw, o.Value = jsontext.Value(`{"response":`+string(o.Raw)+`}`), map[string]any{"response": o.Value}
		}
	}
	return nil
}

// fromRun takes the outputs of graded results to grade them again.
func fromRun(file string, data []byte) ([]Output, error) {
	run, _, err := result.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	outputs := make([]Output, len(run.Results))
	for i := range run.Results {
		r := &run.Results[i]
		outputs[i] = Output{Name: r.Name, Suite: r.Suite, Variant: r.Variant, Raw: r.Output, Attempt: r.Attempt, DurationMS: r.DurationMS,
			Model: r.Model, Error: r.Error, JudgeScores: r.JudgeScores, Comparison: r.Comparison, From: file}
		if strings.HasPrefix(r.Error, notJudged) {
			outputs[i].Error = "" // it ran, and can be judged once more
		}
		if r.CostUSD > 0 { // the format knows no other than 0 for what nobody counted
			outputs[i].CostUSD = &r.CostUSD
		}
	}
	return outputs, decode(outputs)
}

// maxOutputs is how many files a directory of outputs may hold.
const maxOutputs = 100_000

// ReadOutputDir reads every .json file of a directory, at any depth: NAME.json
// is the output (or the entry) of the case NAME. skip tells files that are
// outputs of tiers, which their chain asks for.
func ReadOutputDir(dir string, files fs.FS, skip func(path string) bool) ([]Output, error) {
	var outputs []Output
	seen := 0
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() && d.Type() != fs.ModeSymlink || !strings.HasSuffix(path, ".json") || skip(path) {
			return nil
		}
		if seen++; seen > maxOutputs {
			return fmt.Errorf("%s: more than %d files", dir, maxOutputs)
		}
		info, err := fs.Stat(files, path) // of what a link leads to, too
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || info.Size() > result.MaxBytes {
			return fmt.Errorf("%s/%s: a file of at most %d MB is wanted", dir, path, result.MaxBytes>>20)
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		o, err := oneOutput(dir+"/"+path, strings.TrimSuffix(path, ".json"), data)
		outputs = append(outputs, o)
		return err
	})
	if err == nil && seen == 0 {
		err = fmt.Errorf("%s: no .json file in it", dir)
	}
	return outputs, err
}

// oneOutput reads a file that holds the output, or the entry, of one case.
func oneOutput(file, name string, data []byte) (Output, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > result.MaxBytes {
		return Output{}, fmt.Errorf("%s: larger than %d MB", file, result.MaxBytes>>20)
	}
	o := Output{Name: name, From: file}
	v := jsontext.Value(data)
	if err := json.Unmarshal(data, &v); err != nil {
		return o, badJSON(file, 1, err)
	}
	o.Raw = v
	if v.Kind() == '{' {
		var object members
		if err := json.Unmarshal(v, &object); err != nil {
			return o, badJSON(file, 1, err)
		}
		if object.has("output") && object.isEntry() {
			o.Raw = nil
			if err := json.Unmarshal(v, &o); err != nil {
				return o, badJSON(file, 1, err)
			}
		}
	}
	one := []Output{o}
	err := decode(one)
	return one[0], err
}

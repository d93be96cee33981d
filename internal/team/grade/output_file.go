package grade

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// fromRun takes the outputs of graded results to grade them again.
func fromRun(file string, data []byte) ([]Output, error) {
	run, _, err := result.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	outputs := make([]Output, len(run.Results))
	for i := range run.Results {
		r := &run.Results[i]
		outputs[i] = Output{Name: r.Name, Suite: r.Suite, Variant: r.Variant, Raw: r.Output, Attempt: r.Attempt, DurationMS: r.DurationMS, CostUSD: r.CostUSD,
			Model: r.Model, Error: r.Error, JudgeScores: r.JudgeScores, Comparison: r.Comparison, From: file}
		if strings.HasPrefix(r.Error, notJudged) {
			outputs[i].Error = "" // it ran, and can be judged once more
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

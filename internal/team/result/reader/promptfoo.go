package reader

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// readPromptfoo reads `-o results.json`, row by row, of version 2 and 3; its YAML
// says the same.
func readPromptfoo(data []byte, c *collector) (*result.Run, error) {
	p := newPromptfoo(c)
	dec := jsontext.NewDecoder(bytes.NewReader(data), foreign())
	err := eachMember(dec, func(name string) error {
		switch name {
		case "results":
			return p.readResults(dec)
		case "timestamp", "stats": // at the top in what evaluate() returns
			return p.readHead(dec, name)
		case "config":
			var config struct {
				Description string `json:"description"`
			}
			err := into(dec, '{', &config)
			p.run.Suite = cmp.Or(config.Description, p.run.Suite)
			return err
		case "metadata":
			var m struct {
				Version string `json:"promptfooVersion"`
			}
			err := into(dec, '{', &m)
			p.run.ToolVer = cmp.Or(m.Version, p.run.ToolVer)
			return err
		}
		return dec.SkipValue()
	})
	if err == nil {
		err = atEnd(dec)
	}
	if err != nil {
		return nil, inJSON(data, err)
	}
	if !p.listed {
		return nil, errors.New("promptfoo's JSON without a list of results; write it with promptfoo eval -o results.json")
	}
	return p.finish()
}

// readResults reads the object that holds the rows; before version 2 it was
// the list itself.
func (p *promptfoo) readResults(dec *jsontext.Decoder) error {
	if dec.PeekKind() == '[' {
		return p.readRows(dec)
	}
	return eachMember(dec, func(name string) error {
		if name == "results" {
			return p.readRows(dec)
		}
		return p.readHead(dec, name)
	})
}

// readHead reads what is said of the whole beside the rows.
func (p *promptfoo) readHead(dec *jsontext.Decoder, name string) error {
	switch name {
	case "timestamp":
		at := ""
		err := into(dec, '"', &at)
		if t := stamp(at); !t.IsZero() {
			p.run.Timestamp = t
		}
		return err
	case "stats":
		var stats struct {
			DurationMS float64 `json:"durationMs"`
		}
		err := into(dec, '{', &stats)
		p.run.WallClockMS = cmp.Or(max(0, stats.DurationMS), p.run.WallClockMS)
		return err
	}
	return dec.SkipValue()
}

func (p *promptfoo) readRows(dec *jsontext.Decoder) error {
	p.listed = true
	return eachItem(dec, "results.results", p.add)
}

// into decodes a value of a kind, and passes over one of another.
func into(dec *jsontext.Decoder, kind jsontext.Kind, v any) error {
	if dec.PeekKind() != kind {
		return dec.SkipValue()
	}
	return json.UnmarshalDecode(dec, v, foreign())
}

// eachItem reads a list and has each of its values read by f.
func eachItem[T any](dec *jsontext.Decoder, name string, f func(*T) error) error {
	if dec.PeekKind() != '[' {
		if err := dec.SkipValue(); err != nil {
			return err
		}
		return errors.New(name + ": a list is wanted")
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		var item T
		if err := json.UnmarshalDecode(dec, &item, foreign()); err != nil {
			return err
		}
		if err := f(&item); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// readPromptfooLines reads `-o results.jsonl`: a row a line, nothing of the
// whole.
func readPromptfooLines(data []byte, c *collector) (*result.Run, error) {
	p := newPromptfoo(c)
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row promptfooRow
		if err := decode(line, &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, withoutLine(err))
		}
		if err := p.add(&row); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return p.finish()
}

// eachMember reads an object and has each member's value read by f.
func eachMember(dec *jsontext.Decoder, f func(name string) error) error {
	if kind := dec.PeekKind(); kind != '{' {
		at := dec.StackPointer()
		if err := dec.SkipValue(); err != nil {
			return err
		}
		return result.Problem{Path: result.Path(at), What: "an object is wanted"}
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		if err := f(name.String()); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// atEnd refuses what follows the value.
func atEnd(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	return errors.New("more follows the JSON value")
}

// inJSON explains an error of a decoder that read data; our own stay.
func inJSON(data []byte, err error) error {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	if errors.As(err, &syntax) || errors.As(err, &semantic) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return result.Explain(data, err)[0]
	}
	return err
}

// withoutLine drops the line of a problem that was found in a line alone.
func withoutLine(err error) error {
	var p result.Problem
	if errors.As(err, &p) {
		p.Line = 0
		return p
	}
	return err
}

package reader

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// readPromptfoo reads `-o results.json`, row by row, of version 2 and 3; its YAML
// says the same.
func readPromptfoo(data []byte, c *collector) *result.Run {
	p := newPromptfoo(c)
	dec := jsontext.NewDecoder(bytes.NewReader(data), foreign())
	eachOf(data, dec, func(name string) {
		switch name {
		case "results":
			p.readResults(dec)
		case "config":
			var config struct {
				Description string `json:"description"`
			}
			into(dec, '{', &config)
			p.run.Suite = cmp.Or(config.Description, p.run.Suite)
		case "metadata":
			var m struct {
				Version string `json:"promptfooVersion"`
			}
			into(dec, '{', &m)
			p.run.ToolVer = cmp.Or(m.Version, p.run.ToolVer)
		default: // timestamp and stats are at the top in what evaluate() returns
			p.readHead(dec, name)
		}
	})
	if !p.listed {
		must.Fail(errors.New("promptfoo's JSON without a list of results; write it with promptfoo eval -o results.json"))
	}
	return p.finish()
}

// readResults reads the object that holds the rows; before version 2 it was
// the list itself.
func (p *promptfoo) readResults(dec *jsontext.Decoder) {
	if dec.PeekKind() == '[' {
		p.readRows(dec)
		return
	}
	eachMember(dec, func(name string) {
		if name == "results" {
			p.readRows(dec)
		} else {
			p.readHead(dec, name)
		}
	})
}

// readHead reads what is said of the whole beside the rows.
func (p *promptfoo) readHead(dec *jsontext.Decoder, name string) {
	switch name {
	case "timestamp":
		at := ""
		into(dec, '"', &at)
		if t := stamp(at); !t.IsZero() {
			p.run.Timestamp = t
		}
	case "prompts":
		if dec.PeekKind() != '[' {
			must.OK(dec.SkipValue())
			return
		}
		eachItem(dec, "results.prompts", func(text *promptfooPrompt) { p.texts = append(p.texts, *text) })
	case "stats":
		var stats struct {
			DurationMS float64 `json:"durationMs"`
		}
		into(dec, '{', &stats)
		p.run.WallClockMS = cmp.Or(max(0, stats.DurationMS), p.run.WallClockMS)
	default:
		must.OK(dec.SkipValue())
	}
}

func (p *promptfoo) readRows(dec *jsontext.Decoder) {
	p.listed = true
	eachItem(dec, "results.results", p.add)
}

// into decodes a value of a kind, and passes over one of another.
func into(dec *jsontext.Decoder, kind jsontext.Kind, v any) {
	if dec.PeekKind() != kind {
		must.OK(dec.SkipValue())
		return
	}
	must.OK(json.UnmarshalDecode(dec, v, foreign()))
}

// eachItem reads a list and has each of its values read by f.
func eachItem[T any](dec *jsontext.Decoder, name string, f func(*T)) {
	if dec.PeekKind() != '[' {
		must.OK(dec.SkipValue())
		must.Fail(errors.New(name + ": a list is wanted"))
	}
	must.Get(dec.ReadToken())
	for dec.PeekKind() != ']' {
		var item T
		must.OK(json.UnmarshalDecode(dec, &item, foreign()))
		f(&item)
	}
	must.Get(dec.ReadToken())
}

// readPromptfooLines reads `-o results.jsonl`: a row a line, nothing of the
// whole.
func readPromptfooLines(data []byte, c *collector) *result.Run {
	p := newPromptfoo(c)
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := must.Catch(func() {
			var row promptfooRow
			decode(line, &row)
			p.add(&row)
		}); err != nil {
			must.Fail(fmt.Errorf("line %d: %w", n, withoutLine(err)))
		}
	}
	return p.finish()
}

// eachOf reads an object that fills data, and has each member's value read by f.
func eachOf(data []byte, dec *jsontext.Decoder, f func(name string)) {
	if err := must.Catch(func() {
		eachMember(dec, f)
		if _, err := dec.ReadToken(); err != io.EOF {
			must.OK(err)
			must.Fail(errors.New("more follows the JSON value"))
		}
	}); err != nil {
		must.Fail(inJSON(data, err))
	}
}

// eachMember reads an object and has each member's value read by f.
func eachMember(dec *jsontext.Decoder, f func(name string)) {
	if kind := dec.PeekKind(); kind != '{' {
		at := dec.StackPointer()
		must.OK(dec.SkipValue())
		must.Fail(result.Problem{Path: result.Path(at), What: "an object is wanted"})
	}
	must.Get(dec.ReadToken())
	for dec.PeekKind() != '}' {
		f(must.Get(dec.ReadToken()).String())
	}
	must.Get(dec.ReadToken())
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

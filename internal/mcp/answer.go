package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"cairn/internal/term"
	"cairn/internal/text"
)

// MaxText is how many bytes of text an answer has, about 10,000 tokens: from
// there on Claude Code warns, and others cut in the middle.
const MaxText = 40_000

// An Answer is what a tool found.
type Answer struct {
	Page *Page
	Data any // an object with JSON tags, of which the text is for reading; nil for none
	// Rest says how to ask for what is cut, after so many lines; nil where there
	// is no way.
	Rest func(lines int) string
}

// A Page is text of which only the first MaxText bytes are kept.
type Page struct {
	text  []byte
	size  int // of everything
	lines int // that ended, of everything
}

// Write implements io.Writer, and takes everything.
func (p *Page) Write(data []byte) (int, error) {
	p.text = append(p.text, data[:min(len(data), MaxText-len(p.text))]...)
	p.size += len(data)
	p.lines += bytes.Count(data, []byte("\n"))
	return len(data), nil
}

// String returns the text up to its last whole line, and what is missing.
func (a Answer) String() string {
	s := a.Page.text
	if a.Page.size <= MaxText {
		return strings.ToValidUTF8(string(s), "\uFFFD")
	}
	missing, shown := "the rest of this line", 0
	if end := bytes.LastIndexByte(s, '\n'); end >= 0 {
		s = s[:end]
		shown = bytes.Count(s, []byte("\n")) + 1
		missing = text.Count(max(a.Page.lines-shown, 1), "more line")
	}
	if a.Rest != nil {
		missing += "; " + a.Rest(shown)
	}
	return strings.ToValidUTF8(string(s), "") + "\n[cairn: cut: " + missing + "]\n"
}

type (
	callResult struct {
		result
		Content []part          `json:"content"`
		Data    json.RawMessage `json:"structuredContent,omitempty"`
		IsError bool            `json:"isError,omitempty"`
	}
	part struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
)

// call runs a tool. Whatever goes wrong in it is an answer that a model can
// read.
func (s *Server) call(ctx context.Context, head result, msg *message) (any, error) {
	if len(msg.Params) == 0 {
		return nil, &failure{Code: codeInvalid, Message: "the request has no params"}
	}
	var asked struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := params(msg, &asked); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(s.Tools, func(t Tool) bool { return t.Name == asked.Name })
	if i < 0 {
		return nil, &failure{Code: codeBadParams, Message: fmt.Sprintf("unknown tool %q", text.Cut(asked.Name, 40))}
	}
	res := s.run(ctx, s.Tools[i], asked.Arguments)
	res.result = head
	return res, nil
}

func (s *Server) run(ctx context.Context, t Tool, arguments []byte) (res callResult) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a tool crashed", "tool", t.Name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			res = failed(fmt.Errorf("%s crashed; the log of this server has more", t.Name))
		}
	}()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return failed(errors.New("the call was cancelled"))
	}
	s.dir.RLock()
	defer s.dir.RUnlock()
	args, err := readArgs(t, arguments)
	if err != nil {
		return failed(err)
	}
	a, err := t.Run(ctx, args)
	if err != nil {
		return failed(err)
	}
	return a.result(s.Data)
}

func (a Answer) result(withData bool) callResult {
	res := callResult{Content: []part{{"text", a.String()}}}
	if a.Data == nil || !withData {
		return res
	}
	data, err := json.Marshal(a.Data)
	if err != nil {
		return failed(err)
	}
	if len(data) <= MaxText { // a part of an object would be another object
		res.Data = json.RawMessage(term.PrintableJSON(data))
	}
	return res
}

// failed is an error with its remedy, as the model is told.
func failed(err error) callResult {
	text := err.Error()
	if hint := term.HintOf(err); hint != "" {
		text += "\nhint: " + hint
	}
	return callResult{IsError: true, Content: []part{{"text", strings.ToValidUTF8(text, "\uFFFD")}}}
}

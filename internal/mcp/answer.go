package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

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

// handler runs a tool. Whatever goes wrong in it is an answer that a model can
// read.
func (s *Server) handler(t Tool, log *slog.Logger) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (res *sdk.CallToolResult, _ error) {
		defer func() {
			if p := recover(); p != nil {
				log.Error("a tool crashed", "tool", t.Name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				res = failed(fmt.Errorf("%s crashed; the log of this server has more", t.Name))
			}
		}()
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
			return failed(errors.New("the call was cancelled")), nil
		}
		s.dir.RLock()
		defer s.dir.RUnlock()
		args, err := readArgs(t, req.Params.Arguments)
		if err != nil {
			return failed(err), nil
		}
		a, err := t.Run(ctx, args)
		if err != nil {
			return failed(err), nil
		}
		return a.result(s.Data)
	}
}

func (a Answer) result(withData bool) (*sdk.CallToolResult, error) {
	res := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: a.String()}}}
	if a.Data == nil || !withData {
		return res, nil
	}
	data, err := json.Marshal(a.Data)
	if err != nil {
		return failed(err), nil
	}
	if len(data) <= MaxText { // a part of an object would be another object
		res.StructuredContent = json.RawMessage(term.PrintableJSON(data))
	}
	return res, nil
}

// failed is an error with its remedy, as the model is told.
func failed(err error) *sdk.CallToolResult {
	text := err.Error()
	if hint := term.HintOf(err); hint != "" {
		text += "\nhint: " + hint
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: strings.ToValidUTF8(text, "\uFFFD")}}}
}

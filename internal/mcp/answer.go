package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"cairn/internal/term"
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

// A Page is text that is written up to MaxText; of the rest only the lines
// are counted.
type Page struct {
	text        strings.Builder
	full        bool
	lines, more int // lines that are whole in text; lines after that
}

// Write implements io.Writer, and takes everything.
func (p *Page) Write(data []byte) (int, error) {
	n := len(data)
	for len(data) > 0 && !p.full {
		line, _, ended := strings.Cut(string(data), "\n")
		if p.text.Len()+len(line)+1 > MaxText {
			p.full = true
			p.cutInto(line)
			break
		}
		p.text.WriteString(line)
		data = data[len(line):]
		if ended {
			p.text.WriteByte('\n')
			p.lines++
			data = data[1:]
		}
	}
	if p.full {
		p.more += strings.Count(string(data), "\n")
	}
	return n, nil
}

// cutInto takes a part of a line that is longer than a page.
func (p *Page) cutInto(line string) {
	if p.lines == 0 {
		p.text.WriteString(strings.ToValidUTF8(line[:MaxText-p.text.Len()], ""))
	}
}

// String returns the text, and what is missing from it.
func (a Answer) String() string {
	text := a.Page.text.String()
	if !a.Page.full {
		return text
	}
	more := term.Count(max(a.Page.more, 1), "more line")
	if a.Page.lines == 0 {
		more = "the rest of this line"
	}
	note := "cut: " + more
	if a.Rest != nil {
		note += "; " + a.Rest(a.Page.lines)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + "[cairn: " + note + "]\n"
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
	res := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: strings.ToValidUTF8(a.String(), "\uFFFD")}}}
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

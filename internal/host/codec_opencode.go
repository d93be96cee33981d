package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// decodeOpenCode reads what our plugin (own/opencode.js) sends: the call and
// its result as OpenCode's tool.execute.after has them, observed with 1.18.33
// (testdata). The answer has the members of the result to put in place,
// {"output": text} or for an MCP tool {"content": [block, …]}.
func decodeOpenCode(data []byte) (Event, error) {
	m, err := cut(data)
	if err != nil {
		return Event{}, wrong(err)
	}
	var ev Event
	var event, name, path string
	var attachments float64
	var output *string
	err = errors.Join(m.read("event", &event), m.read("session", &ev.Session), m.read("cwd", &ev.Cwd), m.read("tool", &name),
		m.read("output", &output), m.read("attachments", &attachments), m.read("exit", &ev.ExitCode), m.read("outputPath", &path))
	if err != nil {
		return Event{}, wrong(err)
	}
	ev.Tool = opencodeTool(name)
	switch event {
	case "tool.execute.before":
		ev.Kind, ev.Refuse = CallBegins, opencodeRefuse
	case "tool.execute.after":
		ev.Kind, ev.Advise = CallEnded, opencodeAdvise(output)
	case "session.created":
		ev.Kind = SessionBegan
		return ev, nil
	default:
		return ev, nil
	}
	if content := m.get("content"); content != nil {
		ev.Tool, ev.Output = "mcp__"+name, opencodeMCP(content)
		if ev.Output != nil {
			ev.Advise = opencodeAdviseMCP(content)
		}
		return ev, nil
	}
	if ev.Tool == "" || attachments > 0 {
		return ev, nil
	}
	var args struct {
		Command, FilePath  string
		Offset, Limit      *float64
		Content, NewString string
	}
	if raw := m.get("args"); raw != nil || output != nil {
		err = json.Unmarshal(raw, &args)
	}
	if err != nil {
		return Event{}, wrong(err)
	}
	switch ev.Tool {
	case "Write":
		ev.File, ev.Text = args.FilePath, args.Content
		return ev, nil
	case "Edit":
		ev.File, ev.Text = args.FilePath, args.NewString
		return ev, nil
	}
	if ev.Kind == CallBegins || output == nil {
		ev.Command = args.Command
		return ev, nil
	}
	f := framed{text: *output}
	out := &Output{}
	switch ev.Tool {
	case "Bash":
		ev.Command, out.Complete = args.Command, path
		f.opencodeBash(path)
		f.opencodeExit(ev.ExitCode)
	case "Read":
		out.File, out.Range = args.FilePath, args.Offset != nil || args.Limit != nil
		if !f.opencodeFile() {
			return ev, nil
		}
	case "Grep", "Glob":
		f.cutNote()
	}
	out.Texts = []string{f.text}
	out.Encode = func(texts []string) ([]byte, error) {
		return json.Marshal(map[string]string{"output": f.before + texts[0] + f.after})
	}
	ev.Output = out
	return ev, nil
}

// opencodeTool is the usual name of a tool whose output is looked at, else "".
func opencodeTool(name string) string {
	switch name {
	case "write":
		return "Write"
	case "edit":
		return "Edit"
	case "bash":
		return "Bash"
	case "read":
		return "Read"
	case "grep":
		return "Grep"
	case "glob":
		return "Glob"
	case "webfetch":
		return "WebFetch"
	case "websearch":
		return "WebSearch"
	}
	return ""
}

// opencodeAdvise: what is said goes below the output.
func opencodeAdvise(output *string) func(answer []byte, text string) ([]byte, error) {
	if output == nil {
		return nil
	}
	return func(answer []byte, text string) ([]byte, error) {
		if len(answer) > 0 {
			return appendTo(answer, "output", text)
		}
		return json.Marshal(map[string]string{"output": below(*output, text)})
	}
}

func opencodeAdviseMCP(content json.RawMessage) func(answer []byte, text string) ([]byte, error) {
	return func(answer []byte, text string) ([]byte, error) {
		if len(answer) > 0 {
			m, err := cut(answer)
			if err != nil {
				return nil, err
			}
			content = m.get("content")
		}
		var blocks []json.RawMessage
		if err := json.Unmarshal(content, &blocks); err != nil {
			return nil, err
		}
		ours, err := json.Marshal(map[string]string{"type": "text", "text": text})
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]any{"content": append(blocks, ours)})
	}
}

// opencodeRefuse: the plugin throws this.
func opencodeRefuse(why string) ([]byte, error) {
	return json.Marshal(map[string]string{"refuse": why})
}

func opencodeMCP(content json.RawMessage) *Output {
	b := textBlocks(content)
	if b == nil {
		return nil
	}
	return &Output{Texts: b.texts, Encode: func(texts []string) ([]byte, error) {
		blocks, err := b.with(texts)
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]json.RawMessage{"content": blocks})
	}}
}

// opencodeBash: of a long output the host shows the end, below
//
//	...output truncated...
//
//	Full output saved to: FILE
//
// and it says why it stopped a command in <shell_metadata> at the end.
func (f *framed) opencodeBash(path string) {
	saved := "Full output saved to: " + path + "\n\n"
	if before, text, found := strings.Cut(f.text, saved); path != "" && found && len(before) < 100 {
		f.before, f.text = saved, text
	}
	if i := strings.LastIndex(f.text, "\n\n<shell_metadata>\n"); i >= 0 {
		f.text, f.after = f.text[:i], f.text[i:]
	}
}

// opencodeExit: how a command ended the host does not tell the model. A result
// in which we show less says it.
func (f *framed) opencodeExit(code *int) {
	if code != nil && *code != 0 {
		f.after = fmt.Sprintf("\n[exit code %d]", *code) + f.after
	}
}

// opencodeFile: a file's numbered lines stand between tags. It reports whether
// this is a file.
func (f *framed) opencodeFile() bool {
	const begins, ends = "\n<type>file</type>\n<content>\n", "\n</content>"
	i := strings.Index(f.text, begins)
	j := strings.LastIndex(f.text, ends)
	if i < 0 || j < i+len(begins) {
		return false
	}
	f.before, f.text, f.after = f.text[:i+len(begins)], f.text[i+len(begins):j], f.text[j:]
	f.cutNote()
	return true
}

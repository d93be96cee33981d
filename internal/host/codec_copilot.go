package host

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
)

// decodeCopilot reads what Copilot CLI sends to postToolUse, as observed with
// 1.0.102 (testdata). The envelope does not name its event: the one with a
// toolResult is of a finished call. The answer is {"modifiedResult": the
// toolResult with another textResultForLlm}.
func decodeCopilot(data []byte) (Event, error) {
	m, err := cut(data)
	if err != nil {
		return Event{}, wrong(err)
	}
	var ev Event
	var name string
	err = errors.Join(m.read("sessionId", &ev.Session), m.read("cwd", &ev.Cwd), m.read("toolName", &name))
	raw := m.get("toolResult")
	if err != nil || raw == nil {
		return ev, wrong(err)
	}
	ev.Kind, ev.Tool = CallEnded, copilotTool(name)
	args, err := copilotArgs(m.get("toolArgs"))
	if ev.Tool == "Write" || ev.Tool == "Edit" {
		err = errors.Join(err, args.read("path", &ev.File), args.read("file_text", &ev.Text), args.read("new_str", &ev.Text))
	}
	result, rerr := cut(raw)
	var text *string
	if err = errors.Join(err, rerr, result.read("textResultForLlm", &text)); err != nil {
		return Event{}, wrong(err)
	}
	if text == nil || ev.Tool == "" {
		return ev, nil
	}
	ev.Advise = copilotAdvise(result, *text)
	f := framed{text: *text}
	out := &Output{}
	switch ev.Tool {
	case "Write", "Edit":
		return ev, nil
	case "Bash":
		if err = errors.Join(err, args.read("command", &ev.Command)); err != nil {
			return Event{}, wrong(err)
		}
		if ev.ExitCode = f.copilotExit(); ev.ExitCode == nil {
			return ev, nil // it is still running
		}
	case "Read":
		if err = errors.Join(err, args.read("path", &out.File)); err != nil {
			return Event{}, wrong(err)
		}
		out.Range = args.get("view_range") != nil
	}
	if ev.Tool != "Read" {
		out.Complete = f.copilotSaved()
	}
	out.Texts = []string{f.text}
	out.Encode = func(texts []string) ([]byte, error) {
		updated, err := result.replace(map[string]any{"textResultForLlm": f.before + texts[0] + f.after})
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]json.RawMessage{"modifiedResult": updated})
	}
	ev.Output = out
	return ev, nil
}

// copilotAdvise: what is said goes below the result.
func copilotAdvise(result members, text string) func(answer []byte, said string) ([]byte, error) {
	return func(answer []byte, said string) ([]byte, error) {
		if len(answer) > 0 {
			m, err := cut(answer)
			if err != nil {
				return nil, err
			}
			if result, err = cut(m.get("modifiedResult")); err != nil {
				return nil, err
			}
			if err := result.read("textResultForLlm", &text); err != nil {
				return nil, err
			}
		}
		updated, err := result.replace(map[string]any{"textResultForLlm": below(text, said)})
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]json.RawMessage{"modifiedResult": updated})
	}
}

// copilotTool is the name in rules of a tool, or "" for one whose output is
// left alone: the host's own grep and glob are grouped and counted already.
// An MCP tool is called SERVER-TOOL, and no other has a hyphen.
func copilotTool(name string) string {
	switch name {
	case "bash", "read_bash", "powershell", "read_powershell":
		return "Bash"
	case "view":
		return "Read"
	case "web_fetch":
		return "WebFetch"
	case "create":
		return "Write"
	case "edit", "str_replace_editor":
		return "Edit"
	}
	if strings.Contains(name, "-") {
		return "mcp__" + name
	}
	return ""
}

// copilotArgs reads the arguments of a call, an object or the text of one.
func copilotArgs(raw json.RawMessage) (members, error) {
	if raw == nil {
		return nil, nil
	}
	if text, ok := unquote(raw); ok {
		raw = json.RawMessage(text)
	}
	return cut(raw)
}

// copilotExit cuts the last line, "<shellId: 4 completed with exit code 0>",
// off the text and returns the code; nil when there is no such line.
func (f *framed) copilotExit() *int {
	i := strings.LastIndexByte(f.text, '\n') + 1
	line, ok := strings.CutSuffix(f.text[i:], ">")
	_, code, found := strings.Cut(line, " completed with exit code ")
	exit, err := strconv.Atoi(code)
	if !ok || !found || err != nil || !strings.HasPrefix(line, "<shellId: ") {
		return nil
	}
	f.text, f.after = f.text[:i], f.text[i:]
	return &exit
}

// copilotSaved: in place of a long output the host says
//
//	Output too large to read at once (106.3 KB). Saved to: FILE
//
// and shows the beginning. The file is returned and its line stays. What a
// command prints could look the same, so it must be a file as the host names
// them.
func (f *framed) copilotSaved() string {
	first, rest, _ := strings.Cut(f.text, "\n")
	says, file, found := strings.Cut(first, ". Saved to: ")
	if !found || !strings.HasPrefix(says, "Output too large to read at once (") || !filepath.IsAbs(file) ||
		!strings.Contains(filepath.Base(file), "-copilot-tool-output-") {
		return ""
	}
	f.before, f.text = first+"\n", rest
	return file
}

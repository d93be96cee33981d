package host

import (
	"encoding/json"
	"errors"
	"strings"
)

// claudeInput is what we read of the input of the host's own tools. An MCP
// tool may have members of the same names with values of any kind.
type claudeInput struct {
	command    string
	background bool
	ranged     bool   // only a part of a file was asked for
	file, text string // of a tool that changes a file
}

func readClaudeInput(tool string, raw json.RawMessage) (in claudeInput, err error) {
	switch tool {
	case "Bash", "Read", "Write", "Edit", "NotebookEdit", "MultiEdit":
	default:
		return in, nil
	}
	if raw == nil {
		return in, nil
	}
	m, err := cut(raw)
	switch tool {
	case "Bash":
		err = errors.Join(err, m.read("command", &in.command), m.read("run_in_background", &in.background))
	case "Read":
		in.ranged = m.get("offset") != nil || m.get("limit") != nil
	case "Write":
		err = errors.Join(err, m.read("file_path", &in.file), m.read("content", &in.text))
	case "Edit":
		err = errors.Join(err, m.read("file_path", &in.file), m.read("new_string", &in.text))
	case "NotebookEdit":
		err = errors.Join(err, m.read("notebook_path", &in.file), m.read("new_source", &in.text))
	case "MultiEdit": // of versions before 2.1
		var edits []struct {
			New string `json:"new_string"`
		}
		err = errors.Join(err, m.read("file_path", &in.file), m.read("edits", &edits))
		for _, e := range edits {
			in.text += e.New + "\n"
		}
	}
	return in, err
}

// claudeName is the name in rules of a tool.
func claudeName(tool string) string {
	switch tool {
	case "MultiEdit", "NotebookEdit":
		return "Edit"
	case "Task": // its older name
		return "Agent"
	}
	return tool
}

// decodeClaude reads Claude Code's envelopes, as observed with 2.1.197 and
// 2.1.329 (testdata): common keys, then those of the event. A replaced result
// must have the tool's own shape, or the host ignores it without a word.
func decodeClaude(data []byte) (Event, error) {
	m, err := cut(data)
	if err != nil {
		return Event{}, wrong(err)
	}
	var ev Event
	var name, transcript, agent string
	err = errors.Join(m.read("hook_event_name", &name), m.read("session_id", &ev.Session), m.read("cwd", &ev.Cwd), m.read("tool_name", &ev.Tool),
		m.read("transcript_path", &transcript), m.read("agent_id", &agent))
	in, ierr := readClaudeInput(ev.Tool, m.get("tool_input"))
	if err = errors.Join(err, ierr); err != nil {
		return Event{}, wrong(err)
	}
	ev.Tool, ev.Subagent, ev.Agent = claudeName(ev.Tool), agent != "", agent
	ev.Command, ev.Background = in.command, in.background
	ev.File, ev.Text = in.file, in.text
	ev.Used = func() (int, int, bool) { return claudeUsed(transcript) }
	switch name {
	case "":
		if m.has("model") && m.has("workspace") {
			return claudeStatus(m, ev, transcript)
		}
	case "SessionStart":
		ev.Kind, ev.Advise = SessionBegan, contextFor(name)
	case "PreCompact":
		ev.Kind = ContextGoes
	case "PreToolUse":
		ev.Kind, ev.Advise, ev.Refuse = CallBegins, contextFor(name), denied(name)
	case "PostToolUse":
		ev.Kind, ev.Advise = CallEnded, contextFor(name)
		if ev.Tool == "Bash" {
			ev.ExitCode = new(int) // another event reports what failed
		}
		ev.finish(m.get("tool_response"), in)
	}
	return ev, nil
}

// finish takes the result of a tool into the event.
func (ev *Event) finish(response json.RawMessage, in claudeInput) {
	switch {
	case ev.Tool == "Bash":
		ev.Output, ev.Task = claudeBash(response)
	case ev.Tool == "Read":
		if ev.Output = claudeRead(response); ev.Output != nil {
			ev.Output.Range = in.ranged
		}
	case ev.Tool == "Write" || ev.Tool == "Edit":
		ev.Change = claudeChange(response)
	case ev.Tool == "Grep":
		var list bool
		if ev.Output, list = claudeGrep(response); list {
			ev.Tool = "Glob"
		}
	case ev.Tool == "Glob":
		ev.Output = claudeGlob(response)
	case ev.Tool == "WebFetch":
		ev.Output = claudeFetch(response)
	case ev.Tool == "WebSearch":
		ev.Output = claudeWebSearch(response)
	case ev.Tool == "TaskOutput":
		if ev.Output, ev.ExitCode = claudeTask(response); ev.Output != nil {
			ev.Tool = "Bash"
		}
	case strings.HasPrefix(ev.Tool, "mcp__"):
		ev.Output = claudeMCP(response)
	}
}

// claudeBash: an object whose stdout holds both streams. Over 30,000
// characters it is only the beginning and persistedOutputPath has all; the
// answer must then lack both persisted keys, or the host shows its preview. A
// command that goes on in the background has a task.
func claudeBash(response json.RawMessage) (out *Output, task string) {
	m, err := cut(response)
	var (
		stdout    *string
		image     bool
		persisted string
		timedOut  float64
	)
	err = errors.Join(err, m.read("stdout", &stdout), m.read("isImage", &image), m.read("backgroundTaskId", &task),
		m.read("timedOutAfterMs", &timedOut), m.read("persistedOutputPath", &persisted))
	if err != nil || stdout == nil || image || task != "" || timedOut != 0 {
		return nil, task
	}
	return &Output{
		Texts: []string{*stdout}, Complete: persisted,
		Encode: func(texts []string) ([]byte, error) {
			updated, err := m.replace(map[string]any{"stdout": texts[0], "persistedOutputPath": nil, "persistedOutputSize": nil})
			return claudeAnswer(updated, err)
		},
	}, ""
}

// claudeScript: it ends in `&& eval COMMAND < /dev/null && pwd -P >| FILE`,
// with COMMAND as one word. What hooks put before it may have an eval, too, so
// the word is what comes before the end.
func claudeScript(script string) string {
	for at := 0; ; {
		i := strings.Index(script[at:], "&& eval ")
		if i < 0 {
			return ""
		}
		at += i + len("&& eval ")
		if word, rest := shellWord(script[at:]); strings.HasPrefix(rest, " < /dev/null && pwd -P >| ") {
			return word
		}
	}
}

// shellWord returns the word that s begins with, without its quoting, and what
// comes after it.
func shellWord(s string) (word, rest string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		case '\'', '"':
			n := strings.IndexByte(s[i+1:], c)
			if n < 0 {
				return "", ""
			}
			b.WriteString(s[i+1 : i+1+n])
			i += n + 1
		case ' ', '\n', ';', '&', '|', '<', '>':
			return b.String(), s[i:]
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

// claudeRead: the host numbers the lines itself, from startLine.
func claudeRead(response json.RawMessage) *Output {
	m, err := cut(response)
	var kind, path string
	var content *string
	if errors.Join(err, m.read("type", &kind)) != nil || kind != "text" {
		return nil
	}
	file, err := cut(m.get("file"))
	if errors.Join(err, file.read("filePath", &path), file.read("content", &content)) != nil || content == nil {
		return nil
	}
	shown := func(values map[string]any, text string) ([]byte, error) {
		values["content"], values["numLines"] = text, strings.Count(text, "\n")+1
		f, err := file.replace(values)
		if err != nil {
			return nil, err
		}
		updated, err := m.replace(map[string]any{"file": f})
		return claudeAnswer(updated, err)
	}
	out := &Output{
		Texts: []string{*content}, File: path, Rest: "Read with offset %d",
		Encode: func(texts []string) ([]byte, error) { return shown(map[string]any{}, texts[0]) },
	}
	var n Lines
	if errors.Join(file.read("startLine", &n.First), file.read("totalLines", &n.Total)) == nil && n.First > 0 && n.Total > 0 {
		n.Encode = func(first int, text string) ([]byte, error) {
			return shown(map[string]any{"startLine": first}, text)
		}
		out.Lines = &n
	}
	return out
}

// claudeChange: the whole content that a Write wrote, or the content before an
// Edit and what the Edit replaced in it. A change that the user changed again
// is not the agent's.
func claudeChange(response json.RawMessage) *Change {
	m, err := cut(response)
	var (
		path                 string
		content, before      *string
		removed, added       string
		everywhere, byPerson bool
	)
	if errors.Join(err, m.read("filePath", &path), m.read("content", &content), m.read("originalFile", &before), m.read("oldString", &removed),
		m.read("newString", &added), m.read("replaceAll", &everywhere), m.read("userModified", &byPerson)) != nil || path == "" || byPerson {
		return nil
	}
	if content != nil {
		return &Change{File: path, After: *content, All: true}
	}
	if before == nil || removed == "" || !strings.Contains(*before, removed) {
		return nil
	}
	if added == "" && !strings.HasSuffix(removed, "\n") && strings.Contains(*before, removed+"\n") {
		removed += "\n" // of lines that go, nothing is left
	}
	times := 1
	if everywhere {
		times = -1
	}
	return &Change{File: path, Before: *before, After: strings.Replace(*before, removed, added, times)}
}

// claudeMCP: an array of blocks.
func claudeMCP(response json.RawMessage) *Output {
	b := textBlocks(response)
	if b == nil {
		return nil
	}
	return &Output{Texts: b.texts, Encode: func(texts []string) ([]byte, error) { return claudeAnswer(b.with(texts)) }}
}

// claudeAnswer is the answer that puts updated in place of the result.
func claudeAnswer(updated json.RawMessage, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	const before, after = `{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":`, `}}`
	answer := make([]byte, 0, len(before)+len(updated)+len(after)+1) // and a line feed
	return append(append(append(answer, before...), updated...), after...), nil
}

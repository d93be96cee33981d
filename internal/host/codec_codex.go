package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// decodeCodex reads Codex's envelopes, as observed with 0.169.0 (testdata).
// An answer must not have a key that Codex does not know, or it is void, and
// its reason stands in place of all that the model would have received: also
// of "Process exited with code N", which the envelope does not tell. The
// session's record does (rollout.go).
func decodeCodex(data []byte) (Event, error) {
	m, err := cut(data)
	if err != nil {
		return Event{}, wrong(err)
	}
	var ev Event
	var name, call, rollout, agent string
	err = errors.Join(m.read("hook_event_name", &name), m.read("session_id", &ev.Session), m.read("cwd", &ev.Cwd),
		m.read("tool_name", &ev.Tool), m.read("tool_use_id", &call), m.read("transcript_path", &rollout), m.read("agent_id", &agent))
	var input struct {
		Command string `json:"command"`
	}
	if raw := m.get("tool_input"); raw != nil && (ev.Tool == "Bash" || ev.Tool == "apply_patch") {
		err = errors.Join(err, json.Unmarshal(raw, &input))
	}
	if err != nil {
		return Event{}, wrong(err)
	}
	ev.Command, ev.Subagent = input.Command, agent != ""
	ev.Used = func() (int, int, bool) { return codexUsed(rollout) }
	if ev.Tool == "apply_patch" || name == "PreToolUse" && strings.HasPrefix(ev.Command, "apply_patch") { // Codex runs that itself
		ev.codexPatch(input.Command)
	}
	switch name {
	case "SessionStart":
		ev.Kind, ev.Advise = SessionBegan, contextFor(name)
		return ev, nil
	case "PreToolUse":
		ev.Kind, ev.Advise, ev.Refuse = CallBegins, contextFor(name), denied(name)
		return ev, nil
	case "PostToolUse":
		ev.Kind, ev.Advise = CallEnded, codexAdvise
	default:
		return ev, nil
	}
	switch {
	case ev.Tool == "Bash":
		ev.ExitCode, ev.Output = codexCommand(m, rollout, call)
	case strings.HasPrefix(ev.Tool, "mcp__"):
		ev.Output = codexMCP(m.get("tool_response"))
	}
	return ev, nil
}

// codexCommand: a string, which Codex has clipped. A result whose exit code is
// not known must stay as it is, since an answer would take the code from the
// model.
func codexCommand(m members, rollout, call string) (*int, *Output) {
	var response *string
	if m.read("tool_response", &response) != nil || response == nil {
		return nil, nil
	}
	ended, ok := recordedCommand(rollout, call)
	if !ok {
		return nil, nil
	}
	out := &Output{Texts: []string{*response}}
	if text, clipped, ok := unclipped(*response, ended.Output); ok {
		out.Texts[0], out.Clipped, out.Passed = text, clipped, len(*response)
	}
	out.Encode = func(texts []string) ([]byte, error) {
		return codexAnswer(fmt.Sprintf("Process exited with code %d\nOutput:\n%s", *ended.ExitCode, texts[0]))
	}
	return ended.ExitCode, out
}

// codexMCP: {"content": [block, …]}. Codex calls no hook for a tool that says
// that it failed. What has more than text in it is left alone.
func codexMCP(response json.RawMessage) *Output {
	m, err := cut(response)
	var failed bool
	if errors.Join(err, m.read("isError", &failed)) != nil || failed || m.has("structuredContent") { // the model gets that
		return nil
	}
	b := textBlocks(m.get("content"))
	if b == nil {
		return nil
	}
	return &Output{Texts: b.texts, Encode: func(texts []string) ([]byte, error) { return codexAnswer(strings.Join(texts, "\n")) }}
}

// codexAnswer is the answer by which the model gets text for the result.
func codexAnswer(text string) ([]byte, error) {
	return json.Marshal(struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	}{"block", text})
}

// codexAdvise: where a reason stands for the result, what is said beside it
// goes into that.
func codexAdvise(answer []byte, text string) ([]byte, error) {
	if len(answer) == 0 {
		return contextFor("PostToolUse")(nil, text)
	}
	return appendTo(answer, "reason", text)
}

// codexPatch takes in what apply_patch changes: its command is a patch with a
// line "*** Update File: NAME" (or Add) before the changes of each file. The
// event is of the first file, unless a later one is of a plan: that is the one
// that matters. The text is what the patch adds to it.
func (ev *Event) codexPatch(patch string) {
	ev.Tool, ev.Command = "Edit", ""
	var file string
	var added strings.Builder
	take := func() {
		if file != "" && (ev.File == "" || isPlanning(file) && !isPlanning(ev.File)) {
			ev.File, ev.Text = file, added.String()
		}
		added.Reset()
	}
	for line := range strings.Lines(patch) {
		if named, ok := strings.CutPrefix(line, "*** "); ok {
			kind, name, _ := strings.Cut(strings.TrimSpace(named), " File: ")
			if kind == "Update" || kind == "Add" || kind == "Delete" {
				take()
				file = name
			}
		} else if text, ok := strings.CutPrefix(line, "+"); ok {
			added.WriteString(text)
		}
	}
	take()
}

// isPlanning reports whether a path is of a project's plan.
func isPlanning(file string) bool {
	return strings.HasPrefix(file, ".planning/") || strings.Contains(file, "/.planning/")
}

// Codex begins what it clipped with these, then a line with the bytes that it
// did not even keep, if there are such, and an empty line.
const (
	clipWarning = "Warning: truncated output (original token count: "
	clipMark    = " truncated…" // ends "…1038606 chars truncated…", in the middle of a line
	tokenBytes  = 4
	// Of an output of more than 64 KB its record has the two ends around this.
	recordSeam = "\n... command output truncated for persistence ...\n"
)

// unclipped returns the text of a result that Codex clipped, and the line in
// it, or "", that stands where something is missing. The record has more of a
// long output than the model would get. Of a command that was waited for in
// several calls it has the output of all of them: a result is the end of that.
func unclipped(response, record string) (text, clipped string, ok bool) {
	rest, warned := strings.CutPrefix(response, clipWarning)
	count, rest, found := strings.Cut(rest, ")")
	tokens, err := strconv.Atoi(count)
	_, body, ends := strings.Cut(rest, "\n\n")
	end := strings.Index(body, clipMark)
	begin := strings.LastIndex(body[:max(end, 0)], "…")
	if !warned || !found || err != nil || !ends || begin < 0 {
		return "", "", false
	}
	head, mark, tail := body[:begin], body[begin:end+len(clipMark)], body[end+len(clipMark):]
	known := head[:min(len(head), 1000)]
	for size := max(1, tokens*tokenBytes-tokenBytes+1); size <= min(tokens*tokenBytes, len(record)); size++ {
		if end := record[len(record)-size:]; strings.HasPrefix(end, known) {
			return end, "", true
		}
	}
	first, last, seam := strings.Cut(record, recordSeam)
	if at := strings.Index(first, known); seam && at >= 0 {
		head, tail = first[at:], last
		mark = fmt.Sprintf("[… about %d KB that Codex left out …]", (tokens*tokenBytes-len(head)-len(tail)+1023)>>10)
	}
	return head + "\n" + mark + "\n" + tail, mark, true
}

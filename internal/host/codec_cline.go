package host

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// decodeCline reads what our plugin (own/cline.js) sends: the call and the
// output that Cline's afterTool has, observed with 3.0.65 (testdata). One call
// runs several commands or reads several files; the output has an entry for
// each: {"query": what was asked, "result": text, "success": …}. The answer is
// {"output": the same array with other texts}.
func decodeCline(data []byte) (Event, error) {
	m, err := cut(data)
	if err != nil {
		return Event{}, wrong(err)
	}
	var ev Event
	var event, name string
	err = errors.Join(m.read("event", &event), m.read("session", &ev.Session), m.read("cwd", &ev.Cwd), m.read("tool", &name))
	if err != nil || event != "afterTool" {
		return ev, wrong(err)
	}
	ev.Kind = CallEnded
	var input struct {
		Commands []string
		Files    []struct {
			Path  string
			Start *float64 `json:"start_line"`
			End   *float64 `json:"end_line"`
		}
	}
	switch name {
	case "run_commands":
		ev.Tool = "Bash"
	case "read_files":
		ev.Tool = "Read"
	default:
		return ev, nil
	}
	if err := json.Unmarshal(m.get("input"), &input); err != nil {
		return Event{}, wrong(err)
	}
	ev.Command = strings.Join(input.Commands, "\n")
	entries := clineEntries(m.get("output"))
	if len(entries) == 0 || ev.Tool == "Read" && (len(entries) > 1 || len(input.Files) != 1) {
		return ev, nil // a text is of one file
	}
	ev.Advise = clineAdvise(m.get("output"))
	out := &Output{}
	if ev.Tool == "Read" {
		f := input.Files[0]
		out.File, out.Range = f.Path, f.Start != nil || f.End != nil
	} else {
		ev.ExitCode = new(int)
	}
	for _, e := range entries {
		out.Texts = append(out.Texts, e.text.text)
		out.Clipped = cmp.Or(out.Clipped, clineClipped(e.text.text))
		if e.exit != 0 {
			ev.ExitCode = &e.exit
		}
	}
	out.Encode = func(texts []string) ([]byte, error) {
		all := make([]json.RawMessage, len(entries))
		for i, e := range entries {
			var err error
			if all[i], err = e.replace(map[string]any{"result": e.text.before + texts[i]}); err != nil {
				return nil, err
			}
		}
		return json.Marshal(map[string]any{"output": all})
	}
	ev.Output = out
	return ev, nil
}

// clineAdvise: what is said goes below the last result.
func clineAdvise(output json.RawMessage) func(answer []byte, text string) ([]byte, error) {
	return func(answer []byte, text string) ([]byte, error) {
		if len(answer) > 0 {
			m, err := cut(answer)
			if err != nil {
				return nil, err
			}
			output = m.get("output")
		}
		var all []json.RawMessage
		if err := json.Unmarshal(output, &all); err != nil || len(all) == 0 {
			return nil, err
		}
		last, err := appendTo(all[len(all)-1], "result", text)
		if err != nil {
			return nil, err
		}
		all[len(all)-1] = last
		return json.Marshal(map[string]any{"output": all})
	}
}

// clineClipped returns the line that stands for the middle of a long text, or "".
func clineClipped(text string) string {
	i := strings.Index(text, "\n[... output truncated: ")
	if i < 0 {
		return ""
	}
	line, _, _ := strings.Cut(text[i+1:], "\n")
	return line
}

// A clineEntry is an element of an output.
type clineEntry struct {
	members
	text framed
	exit int // of a command
}

// clineEntries returns nil when one of the results is not text. That of a
// command that failed begins with "[Command exited with code 2]", which stays.
func clineEntries(output json.RawMessage) []clineEntry {
	var raws []json.RawMessage
	if json.Unmarshal(output, &raws) != nil {
		return nil
	}
	var all []clineEntry
	for _, raw := range raws {
		m, err := cut(raw)
		var result *string
		if errors.Join(err, m.read("result", &result)) != nil || result == nil {
			return nil
		}
		e := clineEntry{members: m, text: framed{text: *result}}
		first, rest, _ := strings.Cut(*result, "\n")
		code, ok := strings.CutPrefix(first, "[Command exited with code ")
		if n, err := strconv.Atoi(strings.TrimSuffix(code, "]")); ok && err == nil {
			e.exit, e.text.before, e.text.text = n, first+"\n", rest
		}
		all = append(all, e)
	}
	return all
}

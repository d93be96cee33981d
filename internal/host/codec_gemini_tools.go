package host

import (
	"encoding/json"
	"strconv"
	"strings"
)

const (
	untrusted    = "<untrusted_context>\n"
	untrustedEnd = "\n</untrusted_context>"
)

// geminiUnwrap takes off the marks by which a model knows what not to obey.
func (f *framed) geminiUnwrap() {
	text, begins := strings.CutPrefix(f.text, untrusted)
	text, ends := strings.CutSuffix(text, untrustedEnd)
	if begins && ends {
		f.before, f.text, f.after = untrusted, text, untrustedEnd
	}
}

// geminiCommand takes apart "Output: …", then lines about how the command
// ended, of which there may be any: Exit Code (not 0), Signal, Background PIDs,
// Process Group PGID. A command in the background has another text.
func geminiCommand(content json.RawMessage) (exit *int, f framed, ok bool) {
	if json.Unmarshal(content, &f.text) != nil {
		return nil, f, false
	}
	f.geminiUnwrap()
	const output = "Output: "
	if f.text, ok = strings.CutPrefix(f.text, output); !ok {
		return nil, f, false
	}
	f.before += output
	exit = new(int)
	for _, label := range []string{"Process Group PGID: ", "Background PIDs: ", "Signal: ", "Exit Code: "} {
		at := strings.LastIndexByte(f.text, '\n')
		value, is := strings.CutPrefix(f.text[at+1:], label)
		if at < 0 || !is {
			continue
		}
		f.text, f.after = f.text[:at], f.text[at:]+f.after
		switch label {
		case "Signal: ":
			*exit = -1
		case "Exit Code: ":
			code, err := strconv.Atoi(value)
			if err != nil {
				return nil, f, false
			}
			*exit = code
		}
	}
	return exit, f, true
}

// geminiSearch takes apart "Found …:", then paths, one a line, or matches under
// their files between two rules.
func geminiSearch(content json.RawMessage) (tool string, f framed, ok bool) {
	const rule = "---"
	var text string
	if json.Unmarshal(content, &text) != nil || !strings.HasPrefix(text, "Found ") {
		return "", f, false
	}
	f.before, f.text, ok = strings.Cut(text, "\n")
	f.before += "\n"
	inner, begins := strings.CutPrefix(f.text, rule+"\n")
	inner, ends := strings.CutSuffix(inner, "\n"+rule)
	if !begins || !ends {
		return "Glob", f, ok
	}
	return "Grep", framed{f.before + rule + "\n", inner, "\n" + rule}, true
}

// geminiBlock takes apart the result of an MCP tool that is one text.
func geminiBlock(content json.RawMessage) (f framed, ok bool) {
	var blocks []map[string]json.RawMessage
	if json.Unmarshal(content, &blocks) != nil || len(blocks) != 1 || len(blocks[0]) != 1 {
		return f, false
	}
	ok = json.Unmarshal(blocks[0]["text"], &f.text) == nil
	f.geminiUnwrap()
	return f, ok
}

// geminiMCP is the name that rules have for an MCP tool; "" for one that is
// not a server's of the user: an agent of the host's own may have it, which
// has no read_file.
func geminiMCP(context json.RawMessage) string {
	var c struct {
		Server string `json:"server_name"`
		Tool   string `json:"tool_name"`
	}
	if json.Unmarshal(context, &c) != nil || c.Server == "" {
		return ""
	}
	return "mcp__" + c.Server + "__" + c.Tool
}

package transcript

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// codexItem is an item of Codex's, of the kinds that concern us.
type codexItem struct {
	Type      string          `json:"type"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"` // JSON in a string
	CallID    string          `json:"call_id"`
	Output    json.RawMessage `json:"output"`
	Role      string          `json:"role"` // of a message
	Content   json.RawMessage `json:"content"`
	Action    struct {        // of a local_shell_call
		Command          []string `json:"command"`
		WorkingDirectory string   `json:"working_directory"`
	} `json:"action"`

	ID    string `json:"id"` // of session_meta and turn_context
	Cwd   string `json:"cwd"`
	Model string `json:"model"`
}

func (s *session) codexLine(kind string, payload json.RawMessage, at time.Time) {
	switch kind {
	case "session_meta", "turn_context":
		var m codexItem
		decode(payload, &m)
		if kind == "session_meta" {
			s.id = m.ID
			if s.reader.Entered != nil {
				s.codexBase(payload)
			}
		}
		s.project, s.model = cmp.Or(m.Cwd, s.project), cmp.Or(m.Model, s.model)
	case "token_usage_record":
		s.codexRequest(payload, at)
	case "response_item":
		s.codexItem(payload, at)
	}
}

func (s *session) codexItem(raw json.RawMessage, at time.Time) {
	var it codexItem
	if !decode(raw, &it) {
		return
	}
	switch it.Type {
	case "message":
		if s.reader.Entered != nil {
			s.codexMessage(it.Role, it.Content)
		}
	case "function_call", "custom_tool_call", "local_shell_call":
		c := &Call{Host: Codex, Session: s.id, Project: s.project, Model: s.model, Tool: it.Name, Args: codexArgs(it)}
		c.Request = len(s.requests) // its record stands behind the calls of an answer
		if command, ok := codexCommand(it); ok {
			c.Tool, c.Command = "Bash", command // so the hook names it
		}
		s.begin(it.CallID, c)
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		if c := s.end(it.CallID); c != nil {
			c.Time = at
			codexResult(c, it.Output)
			s.give(it.CallID, c)
		}
	}
}

// codexArgs are what the model wrote of a call, as JSON.
func codexArgs(it codexItem) json.RawMessage {
	if it.Type == "local_shell_call" {
		data, err := json.Marshal(it.Action.Command)
		if err != nil {
			return nil
		}
		return data
	}
	return json.RawMessage(it.Arguments)
}

// codexCommand returns what a shell call runs. The tool was renamed and
// reshaped often: exec_command {cmd}, shell {command: [bash, -lc, script]},
// shell_command {command: script}, container.exec, local_shell_call.
func codexCommand(it codexItem) (string, bool) {
	if it.Type == "local_shell_call" {
		return script(it.Action.Command), true
	}
	switch it.Name {
	case "exec_command", "shell", "shell_command", "container.exec":
	default:
		return "", false
	}
	var args struct {
		Cmd     string          `json:"cmd"`
		Command json.RawMessage `json:"command"`
	}
	decode([]byte(it.Arguments), &args)
	var argv []string
	if json.Unmarshal(args.Command, &argv) == nil {
		return script(argv), true
	}
	var text string
	if json.Unmarshal(args.Command, &text) == nil {
		return text, true
	}
	return args.Cmd, true
}

// script returns the command line of argv; of bash -lc SCRIPT the script.
func script(argv []string) string {
	if len(argv) == 3 && strings.HasPrefix(argv[1], "-") && strings.HasSuffix(argv[1], "c") {
		return argv[2]
	}
	words := make([]string, len(argv))
	for i, a := range argv {
		if words[i] = a; a == "" || strings.ContainsAny(a, " \t\n'\"$`\\|&;<>()*?") {
			words[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// codexHead is what stands above a command's output: "Chunk ID: …", "Wall
// time: …", "Process exited with code 0", "Output:"; in older versions "Exit
// code: 0".
var codexHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A(?:(?:Chunk ID|Exit code|Wall time|Process|Original token count|Total output lines)[^\n]*\n){1,8}Output:(?:\n|\z)`)
})

var codexExit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)$`)
})

func codexResult(c *Call, output json.RawMessage) {
	c.Output, c.Images = texts(output)
	var object struct {
		Content string `json:"content"`
		Success *bool  `json:"success"`
	}
	if len(output) > 0 && output[0] == '{' && decode(output, &object) {
		c.Output, c.Images = object.Content, false
		c.Failed = object.Success != nil && !*object.Success
	}
	c.Body = c.Output
	if c.Tool != "Bash" {
		return
	}
	var old struct {
		Output   *string `json:"output"`
		Metadata struct {
			ExitCode *int `json:"exit_code"`
		} `json:"metadata"`
	}
	if strings.HasPrefix(c.Output, "{") && json.Unmarshal([]byte(c.Output), &old) == nil && old.Output != nil {
		c.Body, c.Exit = *old.Output, old.Metadata.ExitCode
	} else if head := codexHead().FindString(c.Output); head != "" {
		c.Body = c.Output[len(head):]
		if m := codexExit().FindStringSubmatch(head); m != nil {
			if code, err := strconv.Atoi(m[1]); err == nil {
				c.Exit = &code
			}
		}
	}
	c.Failed = c.Failed || c.Exit != nil && *c.Exit != 0
}

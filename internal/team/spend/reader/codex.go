package reader

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/spend"
	"cairn/internal/transcript"
)

// codexRow is a line of Codex's: what it is about stands in the payload.
type codexRow struct {
	Type      string       `json:"type"`
	Timestamp time.Time    `json:"timestamp"`
	Payload   codexPayload `json:"payload"`
}

type codexPayload struct {
	Type string `json:"type"`

	ID     string         `json:"id"` // of session_meta
	Source jsontext.Value `json:"source"`
	Git    struct {
		Branch string `json:"branch"`
	} `json:"git"`
	Cwd   string `json:"cwd"`   // of session_meta and turn_context
	Model string `json:"model"` // of turn_context

	ResponseID string                `json:"response_id"` // of token_usage_record
	ThreadID   string                `json:"thread_id"`
	TurnID     string                `json:"turn_id"`
	SessionID  string                `json:"session_id"` // of a subagent's: its parent's
	Usage      transcript.CodexUsage `json:"usage"`

	Info struct { // of an event token_count
		Last  transcript.CodexUsage `json:"last_token_usage"`
		Total transcript.CodexUsage `json:"total_token_usage"`
	} `json:"info"`

	Item      codexDone `json:"item"` // of an event item_completed
	Started   int64     `json:"started_at_ms"`
	Completed int64     `json:"completed_at_ms"`

	Name      string         `json:"name"` // of a response_item
	CallID    string         `json:"call_id"`
	Arguments string         `json:"arguments"`
	Action    jsontext.Value `json:"action"`
	Output    jsontext.Value `json:"output"`
}

// codexDone is a command that ended. Newer versions write it, and no output of a
// function call.
type codexDone struct {
	Type    string   `json:"type"`
	ID      string   `json:"id"` // of the call
	Cwd     string   `json:"cwd"`
	Command []string `json:"command"`
	Output  string   `json:"aggregated_output"`
}

// codexWords are those of which a line that concerns us has one.
var codexWords = [][]byte{
	[]byte(`session_meta`), []byte(`turn_context`), []byte(`token_usage_record`), []byte(`token_count`), []byte(`_call`), []byte(`user_message`), []byte(`UserMessage`), []byte(`CommandExecution`),
}

func codexLine(s *state, raw []byte, f *File, out *Out) {
	about := false
	for _, w := range codexWords {
		about = about || bytes.Contains(raw, w)
	}
	if !about {
		return
	}
	var l codexRow
	if !decode(raw, &l) {
		out.Odd++
		return
	}
	p := &l.Payload
	switch l.Type {
	case "session_meta":
		s.Session = cmp.Or(parent(p.Source), p.ID)
		s.Dir, s.Branch = cmp.Or(p.Cwd, s.Dir), cmp.Or(p.Git.Branch, s.Branch)
	case "turn_context":
		if p.Cwd != "" && p.Cwd != s.Dir { // the branch is that of where the session began
			s.Branch = ""
		}
		s.Dir, s.Model = cmp.Or(p.Cwd, s.Dir), cmp.Or(p.Model, s.Model)
		s.Last = l.Timestamp
	case "token_usage_record":
		s.Exact = true
		if p.ResponseID == "" {
			out.Odd++
			return
		}
		// A service of somebody's own may count its responses from 1 in each turn.
		s.codexRequest(f, p.ThreadID+"/"+p.TurnID+"/"+p.ResponseID, p.SessionID, p.Usage, l.Timestamp, out)
	case "event_msg":
		switch {
		case p.Type == "token_count" && !s.Exact && p.Info.Total.Total > s.Total: // an older version, which tells no more; it repeats itself
			s.Total = p.Info.Total.Total
			s.codexRequest(f, l.Timestamp.UTC().Format(time.RFC3339Nano)+"/"+strconv.FormatInt(s.Total, 10), "", p.Info.Last, l.Timestamp, out)
		case p.Type == "user_message" || p.Type == "item_completed":
			if p.Item.Type == "CommandExecution" {
				s.codexRan(p, l.Timestamp, out)
			}
			if p.Item.Type != "AgentMessage" {
				s.Last = l.Timestamp
			}
		}
	case "response_item":
		switch p.Type {
		case "function_call", "custom_tool_call", "local_shell_call":
			s.Tool = cmp.Or(s.Tool, p.Name, p.Type)
			s.begin(p.CallID, open{s.Session, "", l.Timestamp, cmp.Or(workdir(p), s.Dir), max(gitOf(p.Arguments), gitOf(string(p.Action)))})
		case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
			git := s.Open[p.CallID].Git
			if c := s.end(p.CallID, l.Timestamp, out); c != nil && git == spend.Commits {
				c.Commits, c.On = made(strings.ReplaceAll(text(p.Output), `\n`, "\n"))
			}
			s.Last = l.Timestamp
		}
	}
}

// codexRan makes a call of a command that ended, as exactly as its times are.
func (s *state) codexRan(p *codexPayload, at time.Time, out *Out) {
	dir := strings.TrimPrefix(p.Item.Cwd, "file://")
	delete(s.Open, p.Item.ID)
	c := spend.Call{Session: s.Session, ID: p.Item.ID, Start: time.UnixMilli(p.Started), End: time.UnixMilli(p.Completed), Dir: cmp.Or(dir, s.Dir),
		Git: gitOf(strings.Join(p.Item.Command, " "))}
	if p.Started == 0 || p.Completed == 0 {
		c.Start, c.End = at, at
	}
	if c.Git == spend.Commits {
		c.Commits, c.On = made(p.Item.Output)
	}
	if c.Git != spend.NoGit {
		out.Calls = append(out.Calls, c)
	}
}

func (s *state) codexRequest(f *File, id, session string, u transcript.CodexUsage, at time.Time, out *Out) {
	q := spend.Request{
		Agent: f.Agent, ID: id, Session: cmp.Or(session, s.Session, fileName(f.Path)), At: at, Sent: s.Last, Dir: s.Dir, Branch: s.Branch, Model: s.Model, Tool: s.Tool,
		Tokens: spend.Tokens{Input: u.Fresh(), CacheRead: u.Cached, Write5m: u.Write, Output: u.Output},
	}
	if q.Sent.IsZero() || q.Sent.After(at) {
		q.Sent = at
	}
	s.Tool = ""
	out.Requests = append(out.Requests, q)
}

// workdir is where a call of the shell runs, where it says so.
func workdir(p *codexPayload) string {
	var args struct {
		Workdir string `json:"workdir"`
		Cwd     string `json:"cwd"`
	}
	if strings.HasPrefix(p.Arguments, "{") {
		decode([]byte(p.Arguments), &args)
	}
	if args.Workdir == "" && args.Cwd == "" && len(p.Action) > 0 {
		var action struct {
			Dir string `json:"working_directory"`
		}
		decode(p.Action, &action)
		return action.Dir
	}
	return cmp.Or(args.Workdir, args.Cwd)
}

// parent is the session that a subagent's belongs to.
func parent(source jsontext.Value) string {
	var of struct {
		Subagent struct {
			Spawn struct {
				Parent string `json:"parent_thread_id"`
			} `json:"thread_spawn"`
		} `json:"subagent"`
	}
	if len(source) > 0 && source[0] == '{' {
		decode(source, &of)
	}
	return of.Subagent.Spawn.Parent
}

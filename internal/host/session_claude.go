package host

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// claudeStatus reads what Claude Code sends to a statusLine command, observed
// with 2.1.329 (testdata): no hook_event_name, but the model, the workspace and
// how full the window is.
func claudeStatus(m members, ev Event, transcript string) (Event, error) {
	var model, space, window members
	for key, to := range map[string]*members{"model": &model, "workspace": &space, "context_window": &window} {
		if raw := m.get(key); raw != nil && string(raw) != "null" {
			var err error
			if *to, err = cut(raw); err != nil {
				return Event{}, wrong(err)
			}
		}
	}
	s := &Status{Dir: ev.Cwd}
	var size float64
	err := errors.Join(model.read("display_name", &s.Model), space.read("current_dir", &s.Dir),
		window.read("remaining_percentage", &s.Left), window.read("total_tokens", &size), window.read("context_window_size", &size))
	if err != nil {
		return Event{}, wrong(err)
	}
	session := ev.Session
	s.Size = int(size)
	s.Task = func() string { return claudeTodo(transcript, session) }
	s.Command = func() string { return claudeCommand(transcript) }
	ev.Kind, ev.Cwd, ev.Status = StatusLine, s.Dir, s
	return ev, nil
}

// claudeUsed finds how many tokens the last request of the session's own agent
// had: what was sent, cached or not, and what came back. How large the window
// is a transcript does not say.
func claudeUsed(transcript string) (tokens, window int, ok bool) {
	ok = lookBack(transcript, func(tail []byte) bool {
		var found bool
		tokens, found = claudeUsage(tail)
		return found
	})
	return tokens, 0, ok
}

func claudeUsage(tail []byte) (tokens int, ok bool) {
	for line := range lastFirst(tail) {
		if !bytes.Contains(line, []byte(`"usage":`)) {
			continue
		}
		var l struct {
			Type      string `json:"type"`
			Sidechain bool   `json:"isSidechain"`
			Message   struct {
				Usage *struct {
					Input  int `json:"input_tokens"`
					Made   int `json:"cache_creation_input_tokens"`
					Cached int `json:"cache_read_input_tokens"`
					Output int `json:"output_tokens"`
				} `json:"usage"`
			} `json:"message"`
		}
		if json.Unmarshal(line, &l) != nil || l.Type != "assistant" || l.Sidechain || l.Message.Usage == nil {
			continue // the end of a line, one that is being written, a subagent's
		}
		if u := l.Message.Usage; u.Input+u.Made+u.Cached > 0 {
			return u.Input + u.Made + u.Cached + u.Output, true
		}
	}
	return 0, false
}

// claudeCommand finds the last command that the user called: a text of theirs
// has it between tags.
func claudeCommand(transcript string) string {
	if !isRegular(transcript) {
		return ""
	}
	tail, err := fileTail(transcript, longTail)
	if err != nil {
		return ""
	}
	const begins, ends = "<command-name>", "</command-name>"
	for {
		i := bytes.LastIndex(tail, []byte(begins))
		if i < 0 {
			return ""
		}
		if name, _, ok := bytes.Cut(tail[i+len(begins):], []byte(ends)); ok && len(name) < 100 && !bytes.ContainsAny(name, "\n\"\\` ") {
			return "/" + strings.TrimPrefix(string(name), "/")
		}
		tail = tail[:i] // a text about the tag
	}
}

// claudeTodo finds what the agent of the session says that it is doing: in the
// newest of its lists, DIR/todos/SESSION-agent-….json, an array of {"status":
// "in_progress", "activeForm": …}, or in its tasks, DIR/tasks/SESSION/N.json,
// each an object with these members (newer versions; read from the binary of
// 2.1.329). The transcript is in DIR/projects/….
func claudeTodo(transcript, session string) string {
	dir := filepath.Join(filepath.Dir(transcript), "../..")
	if !filepath.IsAbs(transcript) || filepath.Base(filepath.Dir(filepath.Dir(transcript))) != "projects" ||
		session == "" || session != filepath.Base(session) || strings.HasPrefix(session, ".") {
		return ""
	}
	var list []claudeDoing
	if lists := newestFirst(filepath.Join(dir, "todos"), session, "-agent-"); len(lists) > 0 {
		if data, err := fileTail(lists[0], longTail); err != nil || json.Unmarshal(data, &list) != nil {
			return ""
		}
	}
	for i, name := range newestFirst(filepath.Join(dir, "tasks", session), "", "") {
		var t claudeDoing
		if data, err := fileTail(name, shortTail); i < claudeTasks && err == nil && json.Unmarshal(data, &t) == nil {
			list = append(list, t)
		}
	}
	for _, t := range list {
		if t.Status == "in_progress" {
			return cmp.Or(t.Active, t.Subject)
		}
	}
	return ""
}

// claudeTasks is how many tasks are looked at, the newest.
const claudeTasks = 32

type claudeDoing struct {
	Status  string `json:"status"`
	Active  string `json:"activeForm"`
	Subject string `json:"subject"`
}

// newestFirst returns the JSON files of a directory whose names begin so and
// contain that, the one that was written last first.
func newestFirst(dir, begins, has string) []string {
	type file struct {
		name string
		at   time.Time
	}
	var files []file
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, begins) || !strings.Contains(name, has) || filepath.Ext(name) != ".json" {
			continue
		}
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() {
			files = append(files, file{filepath.Join(dir, name), fi.ModTime()})
		}
	}
	slices.SortStableFunc(files, func(a, b file) int { return b.at.Compare(a.at) })
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	return names
}

package hook

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/compact"
	"cairn/internal/host"
)

// told is a session of Claude Code with its hook, whose ledger is in a
// directory of the test's.
type told struct {
	t    *testing.T
	dir  string
	used []compact.Meta
	back []string
	last string // the answer as printed

	outline bool
}

func newTold(t *testing.T) *told {
	s := &told{t: t, dir: filepath.Join(t.TempDir(), "reads")}
	s.send(object{"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"})
	return s
}

func (s *told) send(event object) {
	s.t.Helper()
	answer, err := ask(s.t, event, Settings{
		Compact: func(string) compact.Options {
			return compact.Options{Level: compact.Normal, Reads: s.dir, Outline: s.outline}
		},
		Warn: func(w string) { s.t.Errorf("warned: %s", w) },
		Used: func(_ string, _ compact.Envelope, m compact.Meta) { s.used = append(s.used, m) },
		Back: func(_, id string, tokens int) { s.back = append(s.back, fmt.Sprint(id, " ", tokens)) },
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.last = answer
}

const mainGo = "/p/main.go"

// sees is what the model gets of a Read, with the numbers that the host puts
// before the lines; offset 0 is the whole file.
func (s *told) sees(file, content string, offset, limit int, more ...object) string {
	s.t.Helper()
	all := strings.Split(content, "\n")
	first, last, input := 1, len(all), object{}
	if offset > 0 {
		first, last, input = offset, min(len(all), offset+limit-1), object{"offset": offset, "limit": limit}
	}
	shown := strings.Join(all[first-1:last], "\n")
	e := read(file, shown, input)
	f := e["tool_response"].(object)["file"].(object)
	f["startLine"], f["totalLines"] = first, len(all)
	for _, m := range more {
		for k, v := range m {
			e[k] = v
		}
	}
	s.send(e)
	if s.last != "" {
		var a struct {
			Hook struct {
				Updated struct {
					Type string
					File struct {
						FilePath             string
						Content              string
						NumLines, TotalLines int
						StartLine            int
					}
				} `json:"updatedToolOutput"`
			} `json:"hookSpecificOutput"`
		}
		if err := json.Unmarshal([]byte(s.last), &a); err != nil {
			s.t.Fatalf("%v: %q", err, s.last)
		}
		got := a.Hook.Updated.File
		// The host drops an answer that lacks one of these without a word.
		if a.Hook.Updated.Type != "text" || got.FilePath != file || got.TotalLines != len(all) || got.StartLine < 1 ||
			got.NumLines != strings.Count(got.Content, "\n")+1 {
			s.t.Errorf("the host would not take %.300s", s.last)
		}
		shown, first = got.Content, got.StartLine
	}
	var b strings.Builder
	for i, line := range strings.Split(shown, "\n") {
		fmt.Fprintf(&b, "%d\t%s\n", first+i, line)
	}
	return b.String()
}

func (s *told) edits(file, before, old, by string) string {
	s.t.Helper()
	after := strings.Replace(before, old, by, 1)
	s.send(object{
		"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Edit",
		"tool_input":    object{"file_path": file, "old_string": old, "new_string": by, "replace_all": false},
		"tool_response": object{"filePath": file, "oldString": old, "newString": by, "originalFile": before, "structuredPatch": []any{}, "userModified": false, "replaceAll": false},
	})
	if s.last != "" {
		s.t.Errorf("an Edit is answered: %s", s.last)
	}
	return after
}

const (
	unchanged    = "1\t[cairn: unchanged since your Read above (lines 1–300); Read again for the text]\n"
	unchangedOwn = "1\t[cairn: unchanged since your own change above (lines 1–300); Read again for the text]\n"
)

func TestReadAgain(t *testing.T) {
	s, text := newTold(t), lines(300)
	whole := s.sees(mainGo, text, 0, 0)
	if s.last != "" {
		t.Fatalf("the first Read is answered: %.200s", s.last)
	}
	for i, want := range []string{unchanged, whole, unchanged} {
		if got := s.sees(mainGo, text, 0, 0); got != want {
			t.Errorf("Read %d shows %.300q, want %.300q", i+2, got, want)
		}
	}
	var rules []string
	for _, m := range s.used {
		rules = append(rules, fmt.Sprintf("%s %v", m.Rule, m.TokensAfter < m.TokensBefore/10))
	}
	if got := strings.Join(rules, ", "); got != "read false, read-again true, read false, read-again true" {
		t.Errorf("the account has %s", got)
	}
	// What the second ask in a row brought was not saved after all.
	if want := fmt.Sprint(s.used[1].TeeID, " ", s.used[2].TokensAfter); len(s.back) != 1 || s.back[0] != want || s.used[1].TeeID == "" {
		t.Errorf("taken back: %q, want %q", s.back, want)
	}
}

// A file that changed shows what is new with its own numbers, and names the rest.
func TestReadChanged(t *testing.T) {
	s, text := newTold(t), lines(300)
	s.sees(mainGo, text, 0, 0)
	text = s.edits(mainGo, text, "line 7 of a file", "line seven of a file")
	if got := s.sees(mainGo, text, 0, 0); got != unchangedOwn {
		t.Errorf("after its own edit it sees %.300q", got)
	}
	s.edits(mainGo, text, "line 8 of", "line 8 of")
	text = strings.Replace(text, "line 100 of a file\n", "line 100, formatted\nand a line more\n", 1)
	const want = "96\t[cairn: lines 1–96 are unchanged since your own change above]\n" +
		"97\tline 97 of a file\n98\tline 98 of a file\n99\tline 99 of a file\n100\tline 100, formatted\n101\tand a line more\n" +
		"102\tline 101 of a file\n103\tline 102 of a file\n104\tline 103 of a file\n" +
		"105\t[cairn: lines 105–301 (104–300 before) are unchanged since your own change above; Read again for the text]\n"
	if got := s.sees(mainGo, text, 0, 0); got != want {
		t.Errorf("it sees %q, want %q", got, want)
	}
	if got := s.sees(mainGo, text, 200, 100); !strings.HasPrefix(got, "200\tline 199 of a file\n") || strings.Contains(got, "cairn") {
		t.Errorf("the lines that were left out: %.300q", got)
	}
	text = strings.Replace(text, "line 300 of a file", "the last, formatted", 1)
	if got := s.sees(mainGo, text, 0, 0); !strings.HasPrefix(got, "297\t[cairn: lines 1–297 are unchanged since your Read above; Read again for the text]\n298\t") ||
		!strings.HasSuffix(got, "301\tthe last, formatted\n302\t\n") {
		t.Errorf("with a new end it sees %q", got)
	}
}

// What the agent wrote itself it need not read.
func TestReadOfOwnFile(t *testing.T) {
	s, text := newTold(t), lines(300)
	s.send(object{
		"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Write",
		"tool_input":    object{"file_path": mainGo, "content": text},
		"tool_response": object{"type": "create", "filePath": mainGo, "content": text, "structuredPatch": []any{}, "originalFile": nil, "userModified": false},
	})
	if got := s.sees(mainGo, text, 0, 0); got != unchangedOwn {
		t.Errorf("it sees %.300q", got)
	}
}

// What is asked of a subagent, after the context was replaced, in a session
// whose beginning was not seen, or of little, is answered in whole.
func TestReadStaysWhole(t *testing.T) {
	text := lines(300)
	tests := map[string]func(s *told){
		"a subagent":               func(s *told) { s.sees(mainGo, text, 0, 0, object{"agent_id": "a0ac03d4a22ff38a3"}) },
		"before a compaction":      func(s *told) { s.sees(mainGo, text, 0, 0); s.context("PreCompact", "trigger", "auto") },
		"after a compaction":       func(s *told) { s.sees(mainGo, text, 0, 0); s.context("SessionStart", "source", "compact") },
		"after clear":              func(s *told) { s.sees(mainGo, text, 0, 0); s.context("SessionStart", "source", "clear") },
		"after resume":             func(s *told) { s.sees(mainGo, text, 0, 0); s.context("SessionStart", "source", "resume") },
		"another session":          func(s *told) { s.sees(mainGo, text, 0, 0, object{"session_id": "other"}) },
		"another file":             func(s *told) { s.sees("/p/other.go", text, 0, 0) },
		"a ledger that is gone":    func(s *told) { s.sees(mainGo, text, 0, 0); _ = os.RemoveAll(s.dir) },
		"much in between":          func(s *told) { s.sees(mainGo, text, 0, 0); s.much() },
		"most of it changed since": func(s *told) { s.sees(mainGo, strings.ReplaceAll(text, "0 of", "0 in"), 0, 0) },
	}
	for name, before := range tests {
		t.Run(name, func(t *testing.T) {
			s := newTold(t)
			before(s)
			if got := s.sees(mainGo, text, 0, 0); s.last != "" {
				t.Errorf("it sees %.300q", got)
			}
		})
	}
	t.Run("under 2 KB", func(t *testing.T) {
		s := newTold(t)
		for range 3 {
			if s.sees(mainGo, lines(100), 0, 0); s.last != "" {
				t.Errorf("it is answered %.300s", s.last)
			}
		}
	})
	t.Run("the setting is off", func(t *testing.T) {
		s := newTold(t)
		s.dir = ""
		for range 3 {
			if s.sees(mainGo, text, 0, 0); s.last != "" {
				t.Errorf("it is answered %.300s", s.last)
			}
		}
	})
	t.Run("pictures and notebooks", func(t *testing.T) {
		for kind, response := range map[string]object{
			"image":          {"type": "image", "file": object{"base64": strings.Repeat("A", 9000), "type": "image/png", "originalSize": 6000}},
			"pdf":            {"type": "pdf", "file": object{"filePath": "/p/a.pdf", "base64": strings.Repeat("A", 9000), "originalSize": 6000}},
			"notebook":       {"type": "notebook", "file": object{"filePath": "/p/a.ipynb", "cells": []any{object{"source": text}}}},
			"file_unchanged": {"type": "file_unchanged", "file": object{"filePath": mainGo}},
		} {
			s := newTold(t)
			for range 2 {
				s.send(object{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Read", "tool_input": object{"file_path": mainGo}, "tool_response": response})
				if s.last != "" {
					t.Errorf("%s is answered: %.200s", kind, s.last)
				}
			}
		}
	})
}

func (s *told) context(event, key, value string) {
	s.send(object{"hook_event_name": event, "session_id": "s", key: value})
}

// much is more than 50,000 tokens of other results.
func (s *told) much() {
	for i := range 8 {
		s.send(read(fmt.Sprintf("/p/%d.go", i), lines(2000), object{}))
	}
}

// The start of a lock file is all that was shown of it: the second Read in a row
// gets the rest, and the first says how to.
func TestLockFileAgain(t *testing.T) {
	s, lock := newTold(t), lines(2000)
	got := s.sees("/p/yarn.lock", lock, 0, 0)
	at := strings.LastIndex(strings.TrimSuffix(got, "\n"), "\n") + 1
	var number, next, others int
	if _, err := fmt.Sscanf(strings.Replace(got[at:], ",", "", 1), "%d\t[… Read with offset %d shows the other %d lines …]", &number, &next, &others); err != nil || number != next || next+others != 2001 {
		t.Fatalf("%v: the marker is %q", err, got[at:])
	}
	if part := s.sees("/p/yarn.lock", lock, next, 100); s.last != "" || !strings.HasPrefix(part, fmt.Sprintf("%d\tline %d of", next, next)) {
		t.Errorf("its way leads to %.200q", part)
	}
	s = newTold(t)
	s.sees("/p/yarn.lock", lock, 0, 0)
	if got := s.sees("/p/yarn.lock", lock, 0, 0); s.last != "" || !strings.HasSuffix(got, "2000\tline 2000 of a file\n2001\t\n") {
		t.Errorf("the second Read ends %q", got[max(0, len(got)-200):])
	}
	if got := s.sees("/p/yarn.lock", lock, 0, 0); !strings.Contains(got, "unchanged since your Read above (lines 1–2000)") {
		t.Errorf("the third Read shows %.300q", got)
	}
}

// Hosts that do not say when the context is replaced show every Read.
func TestReadAgainElsewhere(t *testing.T) {
	for _, h := range host.All() {
		if h.Name == claude.Name || h.Decode == nil {
			continue
		}
		names, _ := filepath.Glob(filepath.Join("../host/testdata", h.Name, "*.json"))
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if ev, err := h.Decode(data); err == nil && ev.Output != nil && ev.Output.Lines != nil {
				t.Errorf("%s: %s: lines can be left out of it", h.Name, name)
			}
		}
	}
}

// Behind its setting, a large file that is read for the first time is shown by
// its start and an outline. The second Read brings all, a part is a part, and an
// own change is known.
func TestOutlineOfFirstRead(t *testing.T) {
	var b strings.Builder
	b.WriteString("package main\n\n")
	for i := range 90 {
		fmt.Fprintf(&b, "func part%d() {\n%s}\n\n", i, strings.Repeat("\tdo(something)\n", 9))
	}
	text := b.String()
	s := newTold(t)
	whole := s.sees(mainGo, text, 0, 0)
	if s.last != "" {
		t.Errorf("without the setting the first Read is answered: %.200s", s.last)
	}
	s.outline = true
	if s.sees("/p/other.go", text, 0, 0); !strings.Contains(s.last, "func part89()") || !strings.Contains(s.last, "are not shown") || len(s.last)*2 > len(text) {
		t.Errorf("the first Read is answered with %.300s", s.last)
	}
	if got := s.sees("/p/other.go", text, 200, 40); s.last != "" {
		t.Errorf("a part is answered with %.300s", got)
	}
	if got := s.sees("/p/other.go", text, 0, 0); got != whole {
		t.Errorf("the second Read shows %.300s", got)
	}
	if got := s.sees("/p/other.go", text, 0, 0); !strings.Contains(got, "unchanged since your Read above") {
		t.Errorf("the third Read shows %.300s", got)
	}
	s.sees("/p/third.go", text, 0, 0)
	after := s.edits("/p/third.go", text, "\tdo(something)\n}\n\nfunc part80", "\tdone()\n}\n\nfunc part80")
	if got := s.sees("/p/third.go", after, 0, 0); !strings.Contains(got, "\tdone()") || !strings.Contains(got, "func part45") {
		t.Errorf("after a change of lines that were not shown a Read shows %.300s", got)
	}
}

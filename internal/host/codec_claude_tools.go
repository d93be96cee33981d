package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// claudeGrep: matches or counts are a text in content, files are names in an
// array. Counts and files are lists of paths: list is true for them.
func claudeGrep(response json.RawMessage) (out *Output, list bool) {
	m, err := cut(response)
	var mode string
	if errors.Join(err, m.read("mode", &mode)) != nil {
		return nil, false
	}
	if mode == "files_with_matches" {
		return claudeNames(m, nil), true
	}
	return claudeMember(m, "content"), mode == "count"
}

// claudeGlob: the host says of a truncated list how many more there are, by
// subtracting the number of names that it is given from the total. Since names
// become fewer, that is said here.
func claudeGlob(response json.RawMessage) *Output {
	m, err := cut(response)
	var truncated, complete bool
	var total, shown int
	if errors.Join(err, m.read("truncated", &truncated), m.read("totalMatches", &total),
		m.read("countIsComplete", &complete), m.read("numFiles", &shown)) != nil {
		return nil
	}
	if !truncated {
		return claudeNames(m, nil)
	}
	more := "[… more files match; narrow the pattern or path …]"
	if complete && total > shown {
		more = fmt.Sprintf("[… %d more files match; narrow the pattern or path …]", total-shown)
	}
	return claudeNames(m, func(names []string) map[string]any {
		return map[string]any{"filenames": append(names, more), "truncated": false}
	})
}

// claudeNames: the names of files in the member filenames, which the host
// shows one a line. change, if it is not nil, gives the members to set for the
// lines to show.
func claudeNames(m members, change func(lines []string) map[string]any) *Output {
	var names []string
	if err := m.read("filenames", &names); err != nil || len(names) == 0 {
		return nil
	}
	if change == nil {
		change = func(lines []string) map[string]any { return map[string]any{"filenames": lines} }
	}
	return &Output{
		Texts: []string{strings.Join(names, "\n")},
		Encode: func(texts []string) ([]byte, error) {
			return claudeAnswer(m.replace(change(strings.Split(texts[0], "\n"))))
		},
	}
}

// claudeMember: an object whose text is one of its members.
func claudeMember(m members, key string) *Output {
	var text *string
	if err := m.read(key, &text); err != nil || text == nil {
		return nil
	}
	return &Output{
		Texts: []string{*text},
		Encode: func(texts []string) ([]byte, error) {
			return claudeAnswer(m.replace(map[string]any{key: texts[0]}))
		},
	}
}

// claudeFetch: a page, or what a model made of it, in result.
func claudeFetch(response json.RawMessage) *Output {
	m, err := cut(response)
	if err != nil {
		return nil
	}
	return claudeMember(m, "result")
}

// claudeWebSearch: an array of links, which stay, and of texts about them.
func claudeWebSearch(response json.RawMessage) *Output {
	m, err := cut(response)
	var results []json.RawMessage
	if errors.Join(err, m.read("results", &results)) != nil {
		return nil
	}
	out := &Output{}
	var at []int // of each text in results
	for i, raw := range results {
		if text, ok := unquote(raw); ok {
			at, out.Texts = append(at, i), append(out.Texts, text)
		}
	}
	if len(at) == 0 {
		return nil
	}
	out.Encode = func(texts []string) ([]byte, error) {
		updated := make([]any, len(results))
		for i, raw := range results {
			updated[i] = raw
		}
		for i, text := range texts {
			updated[at[i]] = text
		}
		return claudeAnswer(m.replace(map[string]any{"results": updated}))
	}
	return out
}

// claudeTask: what a command in the background has written, once it has ended.
// Which command that was is not said. Versions after 2.1.197 have no such tool:
// there the agent reads the file.
func claudeTask(response json.RawMessage) (out *Output, exit *int) {
	m, err := cut(response)
	if err != nil {
		return nil, nil
	}
	task, err := cut(m.get("task"))
	var kind string
	if errors.Join(err, task.read("task_type", &kind), task.read("exitCode", &exit)) != nil ||
		kind != "local_bash" || exit == nil {
		return nil, nil
	}
	if out = claudeMember(task, "output"); out == nil {
		return nil, nil
	}
	out.Encode = func(texts []string) ([]byte, error) {
		t, err := task.replace(map[string]any{"output": texts[0]})
		if err != nil {
			return nil, err
		}
		return claudeAnswer(m.replace(map[string]any{"task": t}))
	}
	return out, exit
}

package reader

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/live"
)

// detect says of what format data is, or what it is instead. It looks at the
// first characters, at the names of members, or at the root element; the name
// of the file decides nothing, it only helps a refusal to say more.
func detect(name string, data []byte) (format, error) {
	start := bytes.TrimSpace(data)
	switch {
	case len(start) == 0:
		return format{}, empty(name)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06")):
		return format{"Inspect AI .eval", readInspectZip}, nil
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		return format{}, errors.New("a gzip file; unpack it first")
	case start[0] == '<':
		return detectXML(data)
	case start[0] != '{' && isPromptfooCSV(data): // its first column may be "[provider] prompt"
		return format{"promptfoo CSV", readPromptfooCSV}, nil
	case live.Begins(data):
		return format{"cairn eval watch NDJSON", readLive}, nil
	case start[0] == '{' || start[0] == '[':
		return detectJSON(data)
	case isPromptfooYAML(data):
		return format{"promptfoo YAML", readPromptfooYAML}, nil
	case isGoTest(data):
		return format{"go test -json", readGoTest}, nil
	case isTable(data):
		return format{tableName, readTable(nil)}, nil
	}
	return format{}, otherText(data)
}

// mappable says how data is read with a mapping, where it is a table or lines of
// JSON. Data that says itself what it is, is read so unless it has the column of
// the names.
func mappable(data []byte, m Mapping, itself bool) (format, bool) {
	start := bytes.TrimSpace(data)
	if len(m) == 0 || len(start) == 0 {
		return format{}, false
	}
	if start[0] == '{' || start[0] == '[' {
		return format{"JSON, mapped", readMappedLines(m)}, !itself || m.names(firstObject(start))
	}
	columns := header(data)
	return format{"table, mapped", readTable(m)}, len(columns) > 1 && (!itself || m.names(columns))
}

// firstObject lists the members of the first object, alone or in a list.
func firstObject(data []byte) (names []string) {
	dec := jsontext.NewDecoder(bytes.NewReader(data), foreign())
	if dec.PeekKind() == '[' {
		_, _ = dec.ReadToken()
	}
	_ = must.Catch(func() {
		eachMember(dec, func(name string) {
			names = append(names, name)
			must.OK(dec.SkipValue())
		})
	})
	return names
}

func empty(name string) error {
	if base := path.Base(strings.ReplaceAll(name, `\`, "/")); strings.HasSuffix(base, ".stderr") {
		return fmt.Errorf("empty; the results are in what the tool wrote to its standard output, such as %s", oneLine(strings.TrimSuffix(base, ".stderr")+".json", 60))
	}
	return errors.New("empty")
}

// members are the names at the top of a file's first JSON value.
type members map[string]jsontext.Kind

func (m members) has(names ...string) bool {
	for _, name := range names {
		if name != "" && m[name] == 0 {
			return false
		}
	}
	return true
}

// jsonFormats are told apart by members that only they have. The first that
// fits is it: ours comes first, since a runner may add whatever members.
var jsonFormats = [...]struct {
	format format
	early  bool      // nothing that follows can make it another
	has    [3]string // all of these
}{
	{format{v1Name, readV1}, true, [3]string{"all_results"}},
	{format{"go test -json", readGoTest}, true, [3]string{"Action", "Package"}},
	{format{"go test -json", readGoTest}, true, [3]string{"Action", "ImportPath"}},
	{format{"promptfoo JSON", readPromptfoo}, true, [3]string{"evalId", "results"}},
	{format{"promptfoo JSON", readPromptfoo}, true, [3]string{"results", "config", "shareableUrl"}},
	{format{"promptfoo JSON", readPromptfoo}, false, [3]string{"results", "prompts", "stats"}}, // what its evaluate() returns
	{format{"promptfoo JSONL", readPromptfooLines}, true, [3]string{"promptIdx", "testIdx", "success"}},
	{format{"Inspect AI JSON", readInspect}, false, [3]string{"eval", "version", "status"}},
	{format{"Jest JSON", readJest}, true, [3]string{"testResults", "numRuntimeErrorTestSuites"}},
	{format{"Vitest JSON", readJest}, false, [3]string{"testResults", "numTotalTests"}},
	{format{"pytest-json-report", readPytest}, false, [3]string{"exitcode", "summary", "created"}},
	{format{"DeepEval JSON", readDeepEval}, true, [3]string{"testCases", "metricsScores"}},
	{format{"DeepEval JSON", readDeepEval}, true, [3]string{"testCases", "conversationalTestCases"}},
	{format{"DeepEval JSON", readDeepEval}, true, [3]string{"testRunData"}},
	{format{"DeepEval JSON", readDeepEval}, false, [3]string{"testRunLink"}},
	{format{"DeepEval JSON", readDeepEval}, false, [3]string{"test_results", "confident_link"}},
	{format{"Harbor JSON", readHarbor}, true, [3]string{"task_name", "trial_name", "verifier_result"}},
	{format{"Harbor JSON", readHarbor}, true, [3]string{"task_name", "trial_name", "exception_info"}},
	{format{"Harbor JSON", readHarbor}, false, [3]string{"n_total_trials", "stats"}},
	{format{"Terminal-Bench JSON", readTerminalBench}, true, [3]string{"task_id", "trial_name", "is_resolved"}},
	{format{"Terminal-Bench JSON", readTerminalBench}, false, [3]string{"results", "n_resolved"}},
	{format{"Terminal-Bench JSON", readTerminalBench}, false, [3]string{"results", "resolved_ids", "unresolved_ids"}},
	{format{"OpenAI evals JSONL", readOpenAI}, false, [3]string{"spec"}},
	{format{"gstack v1", readGstack}, false, [3]string{"tests", "total_tests"}},
	{format{"gstack v1", readGstack}, false, [3]string{"tests", "schema_version"}},
	{format{"gstack v1", readGstack}, false, [3]string{"tests", "_partial"}},
	{format{v1Name, readV1}, false, [3]string{"schema_version"}},
	{format{linesName, readCaseLines}, false, [3]string{"name", "passed"}},
	{format{linesName, readCaseLines}, false, [3]string{"name", "status"}},
}

func formatOf(m members) (f format, early, ok bool) {
	for _, f := range jsonFormats {
		if m.has(f.has[:]...) {
			return f.format, f.early, true
		}
	}
	return format{}, false, false
}

// detectJSON reads names of members until they decide. Values are passed over.
func detectJSON(data []byte) (format, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(data), foreign())
	list := dec.PeekKind() == '['
	if list {
		if _, err := dec.ReadToken(); err != nil {
			return format{}, inJSON(data, err)
		}
	}
	seen := members{}
	var order []string
	err := must.Catch(func() {
		if dec.PeekKind() != '{' {
			for list && dec.PeekKind() != ']' { // to its end: it may not have one
				must.OK(dec.SkipValue())
			}
			return
		}
		must.Get(dec.ReadToken())
		for dec.PeekKind() != '}' {
			key := must.Get(dec.ReadToken()).String()
			seen[key] = dec.PeekKind()
			order = append(order, key)
			if _, early, ok := formatOf(seen); ok && early && !list {
				return // what is wrong further on is for its reader to say
			}
			must.OK(dec.SkipValue())
		}
	})
	switch f, _, ok := formatOf(seen); {
	case ok && !list:
		return f, nil
	case ok && f.name == linesName:
		return format{linesName, readCaseList}, nil
	}
	if err != nil && err != io.EOF {
		return format{}, inJSON(data, err)
	}
	lines := false
	if !list && dec.PeekKind() == '}' {
		_, err := dec.ReadToken()
		lines = err == nil && dec.PeekKind() == '{'
	}
	return format{}, otherJSON(seen, order, list, lines)
}

func detectXML(data []byte) (format, error) {
	lower := bytes.ToLower(data[:min(len(data), 512)])
	if bytes.Contains(lower, []byte("<!doctype html")) || bytes.HasPrefix(bytes.TrimSpace(lower), []byte("<html")) {
		return format{}, otherHTML(data)
	}
	x := newXML(data)
	for t := x.next(); t != nil; t = x.next() {
		if e, ok := t.(xml.StartElement); ok {
			switch e.Name.Local {
			case "testsuites", "testsuite":
				return format{"JUnit XML", readJUnit}, nil
			case "promptfoo":
				return format{"promptfoo XML", readPromptfooXML}, nil
			}
			return format{}, otherXML(e.Name.Local)
		}
	}
	return format{}, errors.New("XML without an element")
}

// isPromptfooYAML looks for the names that promptfoo's YAML begins with, at the
// beginning of a line.
func isPromptfooYAML(data []byte) bool {
	head := append([]byte("\n"), data[:min(len(data), 64<<10)]...)
	return bytes.Contains(head, []byte("\nevalId:")) || bytes.Contains(head, []byte("\nresults:")) && bytes.Contains(head, []byte("\n  version:"))
}

// isGoTest looks for an event after lines of plain text.
func isGoTest(data []byte) bool {
	for n := 0; n < 1000 && len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		if bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"Action":"`)) {
			return true
		}
	}
	return false
}

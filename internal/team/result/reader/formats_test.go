package reader

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"

	"cairn/internal/team/result"
)

func readText(t *testing.T, name, data string) (File, *result.Run) {
	t.Helper()
	f, err := Read(name, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	stored(t, f)
	return f, f.Runs[0]
}

const inspectHead = `"version":2,"status":"success","eval":{"task":"t","model":"m","created":"2026-01-02T03:04:05Z","revision":{"origin":"https://github.com/acme/app.git","commit":"abc","dirty":true}}`

// What scorers say: letters, numbers, several at once, NaN, nothing.
func TestInspectGrades(t *testing.T) {
	f, run := readText(t, "a.json", `{`+inspectHead+`,"samples":[
		{"id":"half","epoch":1,"scores":{"s":{"value":"P"}}},
		{"id":"yes","epoch":1,"scores":{"s":{"value":true}}},
		{"id":"silent","epoch":1,"scores":{"s":{"value":"N"}}},
		{"id":"broken","epoch":1,"error":{"message":"429 from the API","traceback":"…"},"scores":{}},
		{"id":"limit","epoch":1,"limit":{"type":"token","limit":10}},
		{"id":"nan","epoch":1,"scores":{"s":{"value":NaN}}}]}`)
	if run.Counts != (result.Counts{Total: 6, Passed: 1, Failed: 2, Errored: 3}) {
		t.Errorf("%+v", run.Counts)
	}
	by := map[string]result.Result{}
	for _, r := range run.Results {
		by[r.Name] = r
	}
	if by["half"].Score == nil || *by["half"].Score != 0.5 || by["broken"].Error != "429 from the API" || !strings.Contains(by["limit"].Error, "token") || by["nan"].Score != nil {
		t.Errorf("%+v", by)
	}
	if run.Repo != "acme/app" || !run.GitDirty || len(f.Warnings) != 2 {
		t.Errorf("%s %v %q", run.Repo, run.GitDirty, f.Warnings)
	}
	f, run = readText(t, "a.json", `{`+inspectHead+`,"samples":[
		{"id":"a","epoch":1,"scores":{"grader":{"value":7},"match":{"value":"C"}}},
		{"id":"a","epoch":2,"scores":{"grader":{"value":0},"match":{"value":"I"}}},
		{"id":"b","epoch":1,"scores":{"grader":{"value":1}}}]}`)
	if r := run.Results[2]; r.Scale != "0-10" || r.Score == nil || *r.Score != 1 || len(f.Warnings) != 1 {
		t.Errorf("%+v %q", r, f.Warnings)
	}
	if r := run.Results[1]; r.Try() != 2 || len(r.Failures) != 2 || r.JudgeScores["grader"] != 0 {
		t.Errorf("%+v", r)
	}
	_, run = readText(t, "a.json", `{`+inspectHead+`,"samples":[{"id":"a","epoch":1,"scores":{"g":{"value":{"tone":0.5,"facts":1},"explanation":"why"}}}]}`)
	if r := run.Results[0]; r.Status != result.Fail || r.JudgeScores["g.tone"] != 0.5 || r.JudgeScores["g.facts"] != 1 || r.JudgeReasoning != "why" {
		t.Errorf("%+v", r)
	}
}

// Current versions of Inspect pack with Zstandard.
func TestInspectZstd(t *testing.T) {
	old, err := zip.NewReader(bytes.NewReader(sample(t, "inspect-epochs.eval")), int64(len(sample(t, "inspect-epochs.eval"))))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zstd.ZipMethodWinZip, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) })
	for _, f := range old.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zstd.ZipMethodWinZip})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	_, run := readText(t, "a.eval", b.String())
	_, want := read1(t, "inspect-epochs.eval")
	if err := want.Identify(); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(run, want) {
		t.Errorf("%+v\n%+v", run, want)
	}
}

// A log that was not finished has a journal and no header.
func TestInspectJournal(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{"_journal/start.json": `{"version":2,"eval":{"task":"t","model":"m"}}`, "samples/x_epoch_1.json": `{"id":"x","epoch":1,"scores":{"s":{"value":"C"}}}`} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
	}
	z.Close()
	f, run := readText(t, "a.eval", b.String())
	if run.Passed != 1 || len(f.Warnings) != 1 {
		t.Errorf("%+v %q", run.Counts, f.Warnings)
	}
}

// Windows PowerShell writes UTF-16; Java may write a byte a character.
func TestEncodings(t *testing.T) {
	units := utf16.Encode([]rune(string(sample(t, "go-test-count2.json"))))
	wide := []byte("\xff\xfe")
	for _, u := range units {
		wide = binary.LittleEndian.AppendUint16(wide, u)
	}
	if _, run := readText(t, "a.json", string(wide)); run.Passed != 2 {
		t.Errorf("UTF-16: %+v", run.Counts)
	}
	if _, run := readText(t, "a.json", "\xef\xbb\xbf"+string(sample(t, "vitest.json"))); run.Passed != 2 {
		t.Errorf("a byte order mark: %+v", run.Counts)
	}
	_, run := readText(t, "a.xml", "<?xml version='1.0' encoding='ISO-8859-1'?><testsuite name='s'><testcase name='caf\xe9'><failure message='\x1b[31mred'/></testcase></testsuite>")
	if r := run.Results[0]; r.Name != "café" || r.Failures[0].Message != "?[31mred" {
		t.Errorf("%+v", r)
	}
	_, run = readText(t, "a.json", `{"evalId":"x","results":{"results":[{"success":true,"response":{"output":"half \ud83d"},"vars":{"a":"\ud83d"}}]}}`)
	if r := run.Results[0]; r.ResponsePreview != "half \ufffd" {
		t.Errorf("half a surrogate pair: %+v", r)
	}
}

// A prompt that was edited is the same prompt, a label or a file a name.
func TestPromptfooPrompts(t *testing.T) {
	row := func(label, provider string, column string) string {
		return `{"success":true,"testIdx":0,"promptIdx":` + column + `,"provider":"` + provider + `","prompt":{"label":"` + label + `"},"testCase":{"description":"d"},"vars":{"n":1.50}}`
	}
	id := func(rows ...string) (ids []string) {
		_, run := readText(t, "a.jsonl", strings.Join(rows, "\n"))
		for _, r := range run.Results {
			ids = append(ids, r.Variant+" "+r.CaseID)
		}
		return ids
	}
	before := id(row("Say {{n}}", "p", "0"), row("short", "p", "1"), row("prompts/a.txt: Say {{n}}", "p", "2"))
	after := id(row("Please say {{n}}", "p", "0"), row("short", "p", "1"), row("prompts/a.txt: Do say {{n}}", "p", "2"))
	if !reflect.DeepEqual(before, after) || !strings.HasPrefix(before[0], "p · prompt 1 ") || !strings.HasPrefix(before[1], "p · short ") || !strings.HasPrefix(before[2], "p · prompts/a.txt ") {
		t.Errorf("%q\n%q", before, after)
	}
	if other := id(row("Say {{n}}", "q", "0")); other[0] == before[0] {
		t.Error("another provider is the same variant")
	}
}

// Members of gstack that mean something else here keep their values under
// another name.
func TestGstackSpare(t *testing.T) {
	_, run := readText(t, "a.json", `{"tests":[{"name":"a","passed":false,"error":"why","score":9,"attempt":"x","status":1,"detection_rate":4,"output":"said"}],"total_tests":1,"passed":0,"failed":1,"by_category":7,"shard":"s","costs":"y"}`)
	if got := string(run.X); got != `{"gstack_by_category":7,"gstack_costs":"y","shard":"s"}` {
		t.Error(got)
	}
	r := run.Results[0]
	if got := string(r.X); got != `{"gstack_attempt":"x","detection_rate":4,"gstack_score":9,"gstack_status":1}` {
		t.Error(got)
	}
	if r.Status != result.Fail || r.Error != "" || r.Failures[0].Message != "why" || string(r.Output) != `{"response":"said"}` {
		t.Errorf("%+v", r)
	}
}

// pytest-json-report and pytest's JUnit name the same test the same.
func TestPytestReport(t *testing.T) {
	_, run := readText(t, "a.json", `{"created":1795188176.7,"duration":0.5,"exitcode":1,"root":"/home/dev/app","environment":{"Python":"3.11"},"summary":{"collected":6,"total":6},
		"collectors":[{"nodeid":"test_bad.py","outcome":"failed","result":[],"longrepr":"ImportError: no module"}],
		"tests":[
		{"nodeid":"test_evals.py::test_mentions[a::b]","outcome":"passed","call":{"duration":0.25,"outcome":"passed"},"user_properties":[{"score":0.85},{"model":"m"}]},
		{"nodeid":"test_evals.py::TestTone::test_direct","outcome":"failed","call":{"duration":0.1,"outcome":"failed","crash":{"path":"x","lineno":1,"message":"assert 1 == 2"},"longrepr":"…"}},
		{"nodeid":"test_evals.py::test_error","outcome":"error","setup":{"duration":0.1,"outcome":"failed","longrepr":"no fixture"}},
		{"nodeid":"test_evals.py::test_skip","outcome":"skipped","setup":{"duration":0,"outcome":"skipped","longrepr":"('a.py', 5, 'Skipped: no key')"}},{"nodeid":"test_evals.py::test_known","outcome":"xfailed"},
		{"nodeid":"test_evals.py::test_again","outcome":"rerun","call":{"duration":0.1,"outcome":"failed","longrepr":"first"}},
		{"nodeid":"test_evals.py::test_again","outcome":"passed","metadata":{"cost_usd":NaN}}]}`)
	if run.Counts != (result.Counts{Total: 8, Passed: 2, Failed: 2, Skipped: 2, Errored: 2}) || run.Kind != "eval" {
		t.Errorf("%+v %s", run.Counts, run.Kind)
	}
	if r := run.Results[1]; r.Suite != "test_evals" || r.Name != "test_mentions[a::b]" || *r.Score != 0.85 || r.Model != "m" || r.DurationMS != 250 {
		t.Errorf("%+v", r)
	}
	if r := run.Results[2]; r.Suite != "test_evals.TestTone" || r.Name != "test_direct" || r.Failures[0].Message != "assert 1 == 2" {
		t.Errorf("%+v", r)
	}
	if r := run.Results[4]; string(r.X) != `{"skip_reason":"('a.py', 5, 'Skipped: no key')"}` {
		t.Errorf("%+v", r)
	}
	if r := run.Results[7]; r.Try() != 2 || r.Status != result.Pass {
		t.Errorf("%+v", r)
	}
}

// Before Go 1.24 the compiler's words stood between the events.
func TestGoBuildText(t *testing.T) {
	f, run := readText(t, "a.json", "# example.com/x\n./a.go:1:1: broken\n"+
		`{"Action":"output","Package":"example.com/x","Output":"FAIL\texample.com/x [build failed]\n"}`+"\n"+`{"Action":"fail","Package":"example.com/x","Elapsed":0}`+"\n")
	if r := run.Results[0]; r.Status != result.Error || !strings.Contains(r.Error, "broken") || len(f.Warnings) != 1 {
		t.Errorf("%+v %q", r, f.Warnings)
	}
}

// Lists show one line: it is what the compiler said, not the name of the package.
func TestGoBuildFails(t *testing.T) {
	_, run := read1(t, "go-test-no-build.json")
	for i, want := range []string{
		"does not build: ./a_test.go:3:38: invalid operation: A() != \"x\" (mismatched types int and untyped string)\n./a_test.go:3:52: undefined: undefinedName",
		"does not build: y/y_test.go:3:1: ExampleX refers to unknown identifier: X",
	} {
		if got := run.Results[i].Error; got != want {
			t.Errorf("%q", got)
		}
	}
}

// Two files of one name are told apart by as little of their paths as needed.
func TestShortNames(t *testing.T) {
	got := shortNames([]jestSuite{{Name: "/a/x/index.test.js"}, {Name: "/a/y/index.test.js"}, {Name: `C:\a\one.test.js`}, {Name: `C:\a\one.test.js`}})
	if want := []string{"x/index.test.js", "y/index.test.js", "one.test.js", "one.test.js"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

// Suites in suites, properties of both forms, a scale, figures that are none.
func TestJUnitProperties(t *testing.T) {
	f, run := readText(t, "a.xml", `<testsuites name="all" time="1,234.5"><properties><property name="git_sha" value="abc"/></properties><testsuite name="outer"><testsuite name="inner">
		<testcase name="a"><properties><property name="scale" value="1-5"/><property name="score" value="4"/><property name="score_tone">2</property><property name="tags" value="x, y"/></properties></testcase>
		<testcase name="b"><properties><property name="score" value="4"/><property name="cost_usd" value="-1"/></properties><system-out>`+strings.Repeat("x", 100)+`</system-out></testcase>
		<testcase name="c" status="notrun"/></testsuite></testsuite></testsuites>`)
	a, b := run.Results[0], run.Results[1]
	if a.Suite != "outer > inner" || a.Scale != "1-5" || *a.Score != 4 || a.JudgeScores["tone"] != 2 || !reflect.DeepEqual(a.Tags, []string{"x", "y"}) || run.GitSHA != "abc" || run.DurationSeconds != 1234.5 {
		t.Errorf("%+v %+v", a, run)
	}
	if b.Score != nil || string(b.X) != `{"properties":{"cost_usd":"-1","score":"4"}}` || len(f.Warnings) != 2 || run.Skipped != 1 {
		t.Errorf("%+v %q", b, f.Warnings)
	}
}

// Why a test was skipped, and what one printed that failed.
func TestWhatTestsSaid(t *testing.T) {
	_, run := readText(t, "a.xml", `<testsuite name="s"><testcase name="a"><skipped message="no key"/></testcase><testcase name="b"><system-out>passed loudly</system-out></testcase>
		<testcase name="c"><system-out>asked the model</system-out><failure message="wrong"/><system-err>a warning</system-err></testcase></testsuite>`)
	for i, want := range []string{`{"skip_reason":"no key"}`, "", `{"stdout":"asked the model","stderr":"a warning"}`} {
		if got := string(run.Results[i].X); got != want {
			t.Errorf("%d: %s", i, got)
		}
	}
	_, run = read1(t, "go-test.json")
	if r := caseOf(t, run, "TestSkipped"); !strings.Contains(string(r.X), `"skip_reason":"eval_test.go:5: needs key"`) {
		t.Errorf("%s", r.X)
	}
}

// A runner of ours may have members of any name, and what promptfoo's evaluate()
// returns has no head.
func TestDetect(t *testing.T) {
	for data, want := range map[string]string{
		`{"schema_version":1,"version":"1","status":"ok","eval":{"a":1},"tests":[],"total_tests":3,"testResults":[],"numTotalTests":1,"all_results":[]}`:     "cairn v1",
		`{"version":3,"timestamp":"2026-01-02T03:04:05Z","prompts":[],"results":[{"success":true,"testCase":{"description":"d"}}],"stats":{"durationMs":5}}`: "promptfoo JSON",
		"\n\n" + strings.Repeat(" ", 5000) + `{"schema_version":1,"all_results":[]}`:                                                                         "cairn v1",
	} {
		if f, run := readText(t, "a.json", data); f.Format != want || want == "promptfoo JSON" && (run.Timestamp.IsZero() || run.WallClockMS != 5) {
			t.Errorf("%s: %s %+v", data, f.Format, run)
		}
	}
}

// A test that only the clock stopped was not judged, also where Go ends it with
// fail; a package that ran again repeats its tests; a stream may end early.
func TestGoStreams(t *testing.T) {
	f, run := readText(t, "a.json", `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"T"}
{"Action":"output","Package":"p","Test":"T","Output":"panic: test timed out after 1s\n"}
{"Action":"fail","Package":"p","Test":"T"}
{"Action":"fail","Package":"p"}
{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"T"}
{"Action":"pass","Package":"p","Test":"T"}
{"Action":"pass","Package":"p"}
{"Action":"start","Package":"q"}
`)
	var got []string
	for _, r := range run.Results {
		got = append(got, r.Suite+" "+r.Name+" "+string(r.Status)+" "+string(rune('0'+r.Try())))
	}
	if want := []string{"p T error 1", "p T pass 2", "q q error 1"}; !reflect.DeepEqual(got, want) || len(f.Warnings) != 1 {
		t.Errorf("%q %q", got, f.Warnings)
	}
}

// Attempts stand in the order in which they were made.
func TestOrder(t *testing.T) {
	_, run := read1(t, "surefire-rerun.xml")
	var got []string
	for _, r := range run.Results[1:6] {
		got = append(got, r.Name+" "+string(r.Status))
	}
	if want := []string{"flaky fail", "flaky error", "flaky pass", "fails fail", "fails fail"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	_, run = readText(t, "a.jsonl", `{"success":true,"testIdx":10,"promptIdx":0,"vars":{"n":"c"}}
{"success":true,"testIdx":9,"promptIdx":1,"vars":{"n":"b"}}
{"success":true,"testIdx":9,"promptIdx":0,"vars":{"n":"a"}}`)
	if r := run.Results; r[0].Name != "n=a" || r[1].Name != "n=b" || r[2].Name != "n=c" {
		t.Errorf("%+v", r)
	}
}

// NaN is a word where it is said.
func TestNaNInText(t *testing.T) {
	in := `{"a":"NaN \" NaN","b":NaN,"c":[-Infinity,Infinity],"d":"\\"}`
	if got := string(withoutNaN([]byte(in))); got != `{"a":"NaN \" NaN","b":null,"c":[null,null],"d":"\\"}` {
		t.Error(got)
	}
}

package reader

import (
	"testing"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// The seeds are short, in testdata/fuzz. Run one with
// go test -fuzz FuzzJUnit -fuzzminimizetime 10x: without that limit Go spends a
// minute making each find shorter and reports no executions meanwhile.

// fuzz holds a reader to what Read promises: no panic, one sentence, and what
// was read can be stored.
func fuzz(f *testing.F, name string, read func([]byte, *collector) *result.Run) {
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(name, data)
		if err != nil {
			sentence(t, name, err)
		} else {
			stored(t, file)
		}
		var c collector
		var run *result.Run
		if must.Catch(func() { run = read(data, &c) }) != nil { // whatever detect says of it
			return
		}
		if name != "a.v1.json" && c.finish(run) != nil {
			return
		}
		stored(t, File{Runs: []*result.Run{run}, Warnings: c.warnings})
	})
}

func FuzzV1(f *testing.F)             { fuzz(f, "a.v1.json", readV1) }
func FuzzGstack(f *testing.F)         { fuzz(f, "a.json", readGstack) }
func FuzzGoTest(f *testing.F)         { fuzz(f, "a.json", readGoTest) }
func FuzzJest(f *testing.F)           { fuzz(f, "a.json", readJest) }
func FuzzPytest(f *testing.F)         { fuzz(f, "a.json", readPytest) }
func FuzzInspect(f *testing.F)        { fuzz(f, "a.json", readInspect) }
func FuzzInspectZip(f *testing.F)     { fuzz(f, "a.eval", readInspectZip) }
func FuzzJUnit(f *testing.F)          { fuzz(f, "a.xml", readJUnit) }
func FuzzPromptfoo(f *testing.F)      { fuzz(f, "a.json", readPromptfoo) }
func FuzzPromptfooLines(f *testing.F) { fuzz(f, "a.jsonl", readPromptfooLines) }
func FuzzPromptfooYAML(f *testing.F)  { fuzz(f, "a.yaml", readPromptfooYAML) }
func FuzzPromptfooXML(f *testing.F)   { fuzz(f, "a.xml", readPromptfooXML) }
func FuzzPromptfooCSV(f *testing.F)   { fuzz(f, "a.csv", readPromptfooCSV) }
func FuzzDeepEval(f *testing.F)       { fuzz(f, "a.json", readDeepEval) }
func FuzzHarbor(f *testing.F)         { fuzz(f, "a.json", readHarbor) }
func FuzzTerminalBench(f *testing.F)  { fuzz(f, "a.json", readTerminalBench) }
func FuzzOpenAI(f *testing.F)         { fuzz(f, "a.jsonl", readOpenAI) }
func FuzzCaseLines(f *testing.F)      { fuzz(f, "a.jsonl", readCaseLines) }

var fuzzMapping = must.Get(ParseMapping([]string{"name=id", "passed=ok", "score=s", "output=o.text", "tags=t", "attempt=n"}))

func FuzzMappedLines(f *testing.F) { fuzz(f, "a.jsonl", readMappedLines(fuzzMapping)) }
func FuzzMappedTable(f *testing.F) { fuzz(f, "a.csv", readTable(fuzzMapping)) }

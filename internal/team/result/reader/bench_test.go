package reader

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// What 50 MB cost: time by -bench, and the heap that was in use at most.

const much = 50 << 20

func manyGoTests() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < much; i++ {
		name := fmt.Sprintf(`"Time":"2026-11-20T15:22:54.6%05d7505Z","Package":"example.com/evals/p%d","Test":"TestEval/case_%d"`, i%100000, i%50, i)
		fmt.Fprintf(&b, "{%s,\"Action\":\"run\"}\n", name)
		for j := range 8 {
			fmt.Fprintf(&b, "{%s,\"Action\":\"output\",\"Output\":\"    eval_test.go:4: line %d of what this test has to say of itself\\n\"}\n", name, j)
		}
		fmt.Fprintf(&b, "{%s,\"Action\":\"%s\",\"Elapsed\":0.02}\n", name, []string{"pass", "fail"}[i%2])
	}
	for i := range 50 {
		fmt.Fprintf(&b, "{\"Action\":\"fail\",\"Package\":\"example.com/evals/p%d\"}\n", i)
	}
	return b.Bytes()
}

func manyRows(b testing.TB) []byte {
	row := strings.SplitN(string(sample(b, "promptfoo-results.jsonl")), "\n", 2)[0]
	var out bytes.Buffer
	out.WriteString(`{"evalId":"e","results":{"version":3,"results":[`)
	for i := 0; out.Len() < much; i++ {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(strings.Replace(strings.Replace(row, `"housing mention"`, fmt.Sprintf(`"case %d"`, i), 1), "Local says", strings.Repeat("Local says ", 30), 1))
	}
	out.WriteString(`]}}`)
	return out.Bytes()
}

func manyCases() []byte {
	var b bytes.Buffer
	b.WriteString("<testsuites><testsuite name='s'>")
	for i := 0; b.Len() < much; i++ {
		fmt.Fprintf(&b, "<testcase classname='c' name='case %d' time='0.1'><failure message='no'>%s</failure></testcase>\n", i, strings.Repeat("text of a trace ", 20))
	}
	b.WriteString("</testsuite></testsuites>")
	return b.Bytes()
}

func BenchmarkRead50MB(b *testing.B) {
	for _, c := range []struct {
		name string
		data []byte
	}{{"a.json", manyGoTests()}, {"p.json", manyRows(b)}, {"j.xml", manyCases()}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				runtime.GC()
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				f, err := Read(c.name, c.data)
				if err != nil {
					b.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				runtime.GC()
				var kept runtime.MemStats
				runtime.ReadMemStats(&kept)
				b.ReportMetric(float64(len(f.Runs[0].Results)), "results")
				b.ReportMetric(float64(after.HeapSys-before.HeapSys)/1e6, "MB-grown")
				b.ReportMetric(float64(kept.HeapAlloc-before.HeapAlloc)/1e6, "MB-kept")
				runtime.KeepAlive(f)
			}
		})
	}
}

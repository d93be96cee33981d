package record

import (
	"fmt"
	"strings"
	"testing"
)

// A linter's report names files without a finding: they are not shown, nor is
// the text of a file within which the report breaks off.
func TestReportWithoutSource(t *testing.T) {
	clean := func(i int) string { return fmt.Sprintf(`{"filePath":"/p/clean%d.ts","messages":[],"errorCount":0}`, i) }
	var files []string
	for i := range 6 {
		files = append(files, clean(i), fmt.Sprintf(`{"filePath":"/p/bad%d.ts","messages":[{"ruleId":"no-var","severity":2,"message":"Unexpected var","line":%d,"column":1}],"errorCount":1,"source":"var first = 1;\n%svar last = 2;\n"}`, i, i+10, strings.Repeat(`let more = 3;\n`, 60)))
	}
	doc := "[" + strings.Join(files, ",") + "]"
	for _, out := range []string{doc, doc[:strings.LastIndex(doc, "var last")]} {
		got := told(t, newJSON(), out)
		for i := range 6 {
			if place := fmt.Sprintf("/p/bad%d.ts:%d:1", i, i+10); !strings.Contains(got, place) {
				t.Errorf("lost %s", place)
			}
		}
		if strings.Count(got, "let more") > 20 || strings.Contains(got, `{"filePath":"/p/clean`) {
			t.Errorf("shows what tells nothing:\n%s", got)
		}
	}
}

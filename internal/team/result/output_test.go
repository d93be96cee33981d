package result

import (
	"strings"
	"testing"
)

// Most runners have a text. It is stored as an object, the same in whichever
// form it came, and stays as it is when it is read again.
func TestAnswered(t *testing.T) {
	long := strings.Repeat("ä", 300)
	for _, tt := range []struct{ in, output, preview string }{
		{`"output":"Your order is on its way"`, `{"response":"Your order is on its way"}`, "Your order is on its way"},
		{`"output":"a \"b\"\n","response_preview":"own"`, `{"response":"a \"b\"\n"}`, "own"},
		{`"output":["a",{"b":1}]`, `{"response":["a",{"b":1}]}`, ""},
		{`"output":4.50`, `{"response":4.50}`, ""},
		{`"output":{"response":"x"}`, `{"response":"x"}`, ""},
		{`"output":{}`, `{}`, ""},
		{`"output":null`, `null`, ""},
		{`"output":""`, `{"response":""}`, ""},
		{`"output":"` + long + `"`, `{"response":"` + long + `"}`, strings.Repeat("ä", 200) + "…"},
	} {
		run, warnings, err := Decode([]byte(`{"schema_version":1,"all_results":[{"name":"a","passed":true,` + tt.in + `}]}`))
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%s: %v %q", tt.in, err, warnings)
		}
		if r := run.Results[0]; string(r.Output) != tt.output || r.ResponsePreview != tt.preview {
			t.Errorf("%s: %s, preview %q", tt.in, r.Output, r.ResponsePreview)
		}
		stored, err := Encode(run)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := Decode(stored)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := again.Results[0].ResponsePreview, tt.preview; a != b {
			t.Errorf("%s: read again, the preview is %q", tt.in, a)
		}
	}
}

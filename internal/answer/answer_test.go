package answer

import (
	"bytes"
	"errors"
	"testing"
)

func TestGet(t *testing.T) {
	data := []struct {
		Name string `json:"name"`
	}{{"a<b"}}
	if got, err := Get(data, "[0].name"); got != "a<b" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	var none *NoValueError
	if got, err := Get(data, "[0].none"); !errors.As(err, &none) {
		t.Errorf("got %q, %v", got, err)
	}
}

// A table has no column that is empty, its figures end below each other, and
// what a stranger wrote can do nothing.
func TestTable(t *testing.T) {
	table := NewTable("id:name", "suite", "passed:count", "empty", "cost:usd")
	table.Add("r1", "a\x1b[31mb", 7, "", 1234.5)
	table.Add("run-2", "", 1200, "", nil)
	for form, want := range map[Form]string{
		{}:          "ID     SUITE  PASSED       COST\nr1     ab          7  $1,234.50\nrun-2  –       1,200          –\n",
		{CSV: true}: "id,suite,passed,empty,cost\nr1,a\x1b[31mb,7,,1234.5\nrun-2,,1200,,\n",
	} {
		var out, talk bytes.Buffer
		if err := (&Answer{View: Views{table}}).Print(&out, &talk, form, false); err != nil || out.String() != want || talk.Len() > 0 {
			t.Errorf("%+v: %v\n%s%s\nwant\n%s", form, err, out.String(), talk.String(), want)
		}
	}
}

package postgrest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"cairn/internal/team/table"
)

// TestWideBodies: what a stranger sends is not kept before somebody has looked at it.
func TestWideBodies(t *testing.T) {
	wide := strings.Builder{}
	for i := range 20_000 {
		fmt.Fprintf(&wide, `"k%d":1,`, i)
	}
	object := "{" + strings.TrimSuffix(wide.String(), ",") + "}"
	qa := table.Find("qa_reports")
	for name, parse := range map[string]func() *Error{
		"insert": func() *Error { _, err := ParseInsert(qa, "", []byte(object), Preferences{}); return err },
		"columns": func() *Error {
			_, err := ParseInsert(qa, "columns=url", []byte("["+object+"]"), Preferences{})
			return err
		},
		"second": func() *Error {
			_, err := ParseInsert(qa, "", []byte(`[{"url":"u"},`+object+"]"), Preferences{})
			return err
		},
		"update": func() *Error { _, err := ParseUpdate(qa, "", []byte(object), Preferences{}); return err },
		"call":   func() *Error { _, err := ParseCall(http.MethodPost, "", []byte(object)); return err },
	} {
		if n := testing.AllocsPerRun(1, func() {
			if parse() == nil {
				t.Errorf("%s: taken", name)
			}
		}); n > 4*MaxNames {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestRowsOfABody: values are those of their columns, in any order of the members.
func TestRowsOfABody(t *testing.T) {
	t.Parallel()
	qa := table.Find("qa_reports")
	w, err := ParseInsert(qa, "", []byte(`[{"url":"a","issues":{"b":[1]}} , {"issues":null,"url":"c"}]`), Preferences{})
	if err != nil || len(w.Rows) != 2 || string(w.Rows[0][1]) != `{"b":[1]}` || string(w.Rows[1][0]) != `"c"` || string(w.Rows[1][1]) != "null" {
		t.Errorf("%v, %v", w, err)
	}
	for _, body := range []string{`[{"url":"a"},{"mode":"b"}]`, `[{"url":"a"},{}]`, `[{"url":"a"},{"url":"a","mode":"b"}]`, `[{"url":"a"},1]`, `[{"url":"a"}`, `{"url":"a"} x`, `[{"url":"a","url":"b"}]`, `[{"url":}]`} {
		if _, err := ParseInsert(qa, "", []byte(body), Preferences{}); err == nil || err.Code != "PGRST102" {
			t.Errorf("%s: %v", body, err)
		}
	}
	args, err := ParseCall(http.MethodPost, "", []byte(`{"b" : {"c":1} ,"a":"x"}`))
	if err != nil || len(args) != 2 || string(args["b"]) != `{"c":1}` || string(args["a"]) != `"x"` {
		t.Errorf("%v, %v", args, err)
	}
	for _, body := range []string{`null`, `[]`, `{"a":1} 2`, `{"a":1`, `{"a":1,"a":2}`} {
		if _, err := ParseCall(http.MethodPost, "", []byte(body)); err == nil || err.Code != "PGRST102" {
			t.Errorf("%s: %v", body, err)
		}
	}
}

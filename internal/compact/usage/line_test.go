package usage

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// A line is the one that json.Marshal writes, whichever members are set.
func TestLine(t *testing.T) {
	at := time.Date(2026, 11, 24, 3, 1, 2, 345e6, time.UTC)
	all := reflect.ValueOf(&Entry{}).Elem()
	texts := []string{"plain", `C:\"<a>&b`, "ä\u2028\x7f\n\x00", "\xff"}
	same := func(e Entry) {
		t.Helper()
		want, err := json.Marshal(e)
		if got, lerr := e.line(); string(got) != string(want) || err != nil || lerr != nil {
			t.Errorf("%s, %v\nwant %s, %v", got, lerr, want, err)
		}
	}
	whole := Entry{Time: at}
	for i := range all.NumField() {
		for _, text := range texts {
			one := Entry{Time: at}
			for _, e := range []*Entry{&one, &whole} {
				switch f := reflect.ValueOf(e).Elem().Field(i); f.Kind() {
				case reflect.String:
					f.SetString(text)
				case reflect.Int, reflect.Int64:
					f.SetInt(int64(len(text)) - 6)
				case reflect.Struct:
				case reflect.Pointer:
					one.Verifier = &Verifier{Restored: 2, Model: text}
				default:
					t.Fatalf("what is %s?", f.Type())
				}
			}
			same(one)
			same(whole)
		}
	}
	if _, err := (Entry{Time: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}).line(); err == nil {
		t.Error("a year that JSON has no form for")
	}
}

package config

import (
	"reflect"
	"testing"
)

// A list is written as it is read back, or with commas between.
func TestParseList(t *testing.T) {
	t.Parallel()
	s := &Setting{Key: "k", Kind: List}
	for text, want := range map[string][]string{
		"": {}, "go": {"go"}, "go, git show": {"go", "git show"}, `["go"]`: {"go"}, ` ["a,b", "git show"]`: {"a,b", "git show"}, "[]": {},
	} {
		if got, err := s.parse(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{`["go"`, "[go]", "[1]", `[""]`, `["go"] x`} {
		if got, err := s.parse(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

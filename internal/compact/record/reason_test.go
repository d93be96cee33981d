package record

import "testing"

// A failure that is folded into another has its place only where that says
// something new.
func TestReasonsWhere(t *testing.T) {
	var r reasons
	key := r.key("got 3")
	for _, c := range [...]struct{ name, place, want string }{
		{"TestA", "a_test.go:3", "TestA"},
		{"TestB", "a_test.go:3", "TestB"},
		{"TestC", "a_test.go:9", "TestC a_test.go:9"},
		{"", "b_test.go:9", "b_test.go:9"},
		{"TestD", "", "TestD"},
	} {
		if got := r.where(key, c.name, c.place); got != c.want {
			t.Errorf("where(%q, %q) = %q, want %q", c.name, c.place, got, c.want)
		}
	}
}

func TestUnittestNames(t *testing.T) {
	for name, want := range map[string]string{
		"test_a (m.T.test_a)":       "m.T.test_a",
		"test_a (m.T)":              "test_a (m.T)",
		"test_a (m.T.test_a) (i=3)": "test_a (m.T.test_a) (i=3)",
	} {
		if got := pyName(name); got != want {
			t.Errorf("pyName(%q) = %q, want %q", name, got, want)
		}
	}
}

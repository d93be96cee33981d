package text

import (
	"slices"
	"testing"
)

func TestNatural(t *testing.T) {
	want := []string{"", "7", "7a", "a", "a 01", "a 1", "a 2 b 9", "a 2 b 10", "a 10", "a 10000000000000000000000", "b", "b2c", "b10c"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Natural)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Names that begin alike are told apart as if they were read from the start.
func TestNaturalInsideNumber(t *testing.T) {
	want := []string{"t[1-2]", "t[1-10]", "t[09-1]", "t[9-1]", "t[9-2]", "t[10-1]", "t[12]", "t[19]", "t[120]", "u09a1", "u9a1", "u9a2"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Natural)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

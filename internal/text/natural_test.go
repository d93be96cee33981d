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

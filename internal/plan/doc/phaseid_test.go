package doc

import (
	"slices"
	"strings"
	"testing"
)

func TestParsePhaseID(t *testing.T) {
	for in, want := range map[string][2]string{ // String, Padded
		"2": {"2", "02"}, "02": {"2", "02"}, "12.3.1": {"12.3.1", "12.3.1"}, "3A": {"3A", "03A"}, "3a.2": {"3a.2", "03a.2"},
		"CK-03": {"CK-3", "03"}, "PROJ-42": {"PROJ-42", "42"}, "AUTH-X": {"AUTH-X", "AUTH-X"}, "100": {"100", "100"}, "999.1": {"999.1", "999.1"},
	} {
		id, ok := ParsePhaseID(in)
		if got := [2]string{id.String(), id.Padded()}; !ok || got != want {
			t.Errorf("%s: %q, %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "-", "../x", "2.", "a b"} {
		if id, ok := ParsePhaseID(in); ok {
			t.Errorf("%q is %+v", in, id)
		}
	}
}

func TestDirPhaseID(t *testing.T) {
	for in, want := range map[string][2]string{
		"02-api": {"2", "api"}, "02.1-hot-fix": {"2.1", "hot-fix"}, "03A-x": {"3A", "x"}, "CK-03-c": {"CK-3", "c"},
		"AUTH-LOGIN-page": {"AUTH-LOGIN", "page"}, "02": {"2", ""}, "100-x": {"100", "x"}, "03-2fa": {"3", "2fa"},
	} {
		id, slug, ok := DirPhaseID(in)
		if got := [2]string{id.String(), slug}; !ok || got != want {
			t.Errorf("%s: %q, %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"api", ".git", "2x3-y", "-1"} {
		if id, _, ok := DirPhaseID(in); ok {
			t.Errorf("%q is %+v", in, id)
		}
	}
}

func TestPhaseIDsAreWholeTokens(t *testing.T) {
	same := func(a, b string) bool {
		x, _ := ParsePhaseID(a)
		y, _ := ParsePhaseID(b)
		return x.Same(y)
	}
	for _, pair := range [][2]string{{"1", "10"}, {"1009", "1009A"}, {"2", "2.1"}, {"CK-2", "XY-2"}, {"2.1", "2.10"}} {
		if same(pair[0], pair[1]) {
			t.Errorf("%s is the same as %s", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"1", "01"}, {"3a", "3A"}, {"CK-2", "2"}, {"auth-x", "AUTH-X"}} {
		if !same(pair[0], pair[1]) {
			t.Errorf("%s is not the same as %s", pair[0], pair[1])
		}
	}
}

func TestPhaseIDOrder(t *testing.T) {
	want := []string{"1", "2", "2.1", "2.2", "2.10", "3", "3A", "3A.1", "3B", "10", "999.1", "AUTH", "ZED"}
	var ids []PhaseID
	for _, s := range want {
		id, _ := ParsePhaseID(s)
		ids = append(ids, id)
	}
	slices.Reverse(ids)
	slices.SortFunc(ids, PhaseID.Compare)
	for i, id := range ids {
		if id.String() != want[i] {
			t.Fatalf("order is %v", ids)
		}
	}
}

// Letters that are longer in lower case do not shift what is read.
func TestPhaseWordsBehindLongLetters(t *testing.T) {
	s := strings.Repeat("İ", 40) + " Phases 4-7"
	if n := LastOfRange(s); n != 7 {
		t.Errorf("the last is %d", n)
	}
	refs := PhaseRefs(strings.Repeat("İ", 40) + " Phase 2")
	if len(refs) != 1 || refs[0].ID.Number != 2 {
		t.Errorf("%+v", refs)
	}
}

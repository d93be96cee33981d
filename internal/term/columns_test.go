package term

import (
	"fmt"
	"strings"
	"testing"
)

func TestColumns(t *testing.T) {
	const table = "PHASE\tNAME\tPLANS\n1\tBase\t1/1\n10\t受注一覧\t\n2\te\u0301t\u00e9\t0/3\n"
	for _, tc := range []struct {
		name  string
		width int
		flex  []int
		text  string
		want  string
	}{
		{"wide and combined letters", 0, nil, table, "" +
			"PHASE  NAME      PLANS\n" +
			"1      Base      1/1\n" +
			"10     受注一覧\n" +
			"2      e\u0301t\u00e9       0/3\n"},
		{"an empty cell in the middle", 0, nil, "A\t\tC\nlonger\tx\ty\n", "" +
			"A          C\n" +
			"longer  x  y\n"},
		{"the widest column gives way", 30, nil, "PHASE\tNAME\tSTATUS\n1\tA name that goes on and on\tin progress\n2\t受注一覧の画面とても\tdone\n", "" +
			"PHASE  NAME        STATUS\n" +
			"1      A name th…  in progress\n" +
			"2      受注一覧…   done\n"},
		{"but not the first", 20, nil, "NAME\tTITLE\n2026-03-04-a-name\tA title\n", "NAME               TITLE\n2026-03-04-a-name  A title\n"},
		{"only what may be cut", 30, []int{0}, "a name that is long\t▁▂▃▄▅▆▇█\t93 %\n", "a name that i…  ▁▂▃▄▅▆▇█  93 %\n"},
		{"or the last column goes", 22, []int{0}, "a name that is long\t▁▂▃▄▅▆▇█\t93 %\n", "a name that…  ▁▂▃▄▅▆▇█\n"},
		{"but not one of two", 20, []int{0}, "a name that is long\t▁▂▃▄▅▆▇█\n", "a name th…  ▁▂▃▄▅▆▇█\n"},
		{"no row", 0, nil, "", ""},
	} {
		var b strings.Builder
		c := &Columns{w: &b, Width: tc.width, flex: tc.flex}
		fmt.Fprint(c, tc.text)
		if err := c.Flush(); err != nil || b.String() != tc.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", tc.name, err, b.String(), tc.want)
		}
	}
}

// A narrow terminal leaves out the last columns, and never one that is to be kept.
func TestKeptColumn(t *testing.T) {
	var b strings.Builder
	c := NewColumns(&b)
	c.Width = 30
	c.Flex(1)
	c.Keep(4)
	fmt.Fprint(c, "·\tsuite\t100 % (92–100)\t−26 pt\tverdict\n✗\ta long name of a suite\t90 %\t–\tregression\n")
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "·  suite            verdict\n✗  a long name of…  regression\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

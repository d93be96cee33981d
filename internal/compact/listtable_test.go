package compact

import (
	"fmt"
	"strings"
	"testing"
)

// What every row of a table says stands in its header.
func TestColumnsThatSayTheSame(t *testing.T) {
	var b strings.Builder
	b.WriteString("Package   Current   Wanted   Latest   Location                  Depended by\n")
	for i := range 9 {
		fmt.Fprintf(&b, "lib-%d     1.%d.0     1.%d.0    2.0.%d    node_modules/lib-%d        my app\n", i, i, i+1, i, i)
	}
	out := reduce("npm outdated", b.String()).Reduced
	for _, want := range []string{"Package  Current  Wanted  Latest  [every row: Location=node_modules/<Package>, Depended by=my app]\n", "lib-3  1.3.0  1.4.0  2.0.3\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
	// One row that differs, an empty cell, or no header: the columns stay.
	for _, odd := range []string{
		strings.Replace(b.String(), "node_modules/lib-4        my app", "node_modules/other        an app", 1),
		strings.Replace(b.String(), "2.0.4 ", "      ", 1),
		b.String()[strings.Index(b.String(), "\n")+1:],
	} {
		if out := reduce("npm outdated", odd).Reduced; strings.Contains(out, "every row") || !strings.Contains(out, "node_modules/lib-3") {
			t.Errorf("columns are left out:\n%s", out)
		}
	}
}

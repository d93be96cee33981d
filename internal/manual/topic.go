package manual

import (
	"fmt"
	"io"
	"strings"
)

// Width of what help prints, in columns.
const width = 80

// Print writes a topic for a terminal. wrap breaks a text into lines of so
// many columns.
func (t Topic) Print(w io.Writer, wrap func(text string, width int) string) {
	if t.Text != "" {
		fmt.Fprintln(w, strings.Trim(t.Text, "\n"))
	}
	if t.Text != "" && len(t.Rows) > 0 {
		fmt.Fprintln(w)
	}
	column := 0
	for _, r := range t.Rows {
		column = max(column, len(r.Name))
	}
	column = min(column, 30)
	for _, r := range t.Rows {
		lines := strings.Split(wrap(r.Means, width-4-column), "\n")
		name := r.Name
		if len(name) > column {
			fmt.Fprintf(w, "  %s\n", name)
			name = ""
		}
		for _, l := range lines {
			fmt.Fprintf(w, "  %-*s  %s\n", column, name, l)
			name = ""
		}
	}
}

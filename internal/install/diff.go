package install

import (
	"bytes"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff returns what the plan changes, as unified diffs; "" when nothing.
func (p *Plan) Diff() string {
	var b strings.Builder
	for _, c := range p.Settings {
		b.WriteString(unified(c.Path, c.Before, c.After))
	}
	for _, f := range p.Files {
		b.WriteString(unified(f.Name, f.Before, f.After))
	}
	return b.String()
}

// unified is the diff of one file; nil is no file.
func unified(name string, before, after []byte) string {
	from, to := name, name
	if before == nil {
		from = "/dev/null"
	}
	if after == nil {
		to = "/dev/null"
	}
	if bytes.Equal(before, after) {
		if from == to {
			return ""
		}
		return "--- " + from + "\n+++ " + to + "\n" // an empty file
	}
	_, text, _ := strings.Cut(string(diff.Diff(from, before, to, after)), "\n") // behind "diff FROM TO"
	return strings.ReplaceAll(text, "\n\\ No newline", "\n\\ no newline")
}

package transcript

import (
	"strings"
	"time"
)

// A Coverage says how many of the shell calls that failed went through cairn:
// Claude Code lets no hook replace them, so the shell functions must.
type Coverage struct {
	Failing int `json:"failing"` // shell calls that failed, rejected ones left out
	Seen    int `json:"seen"`    // of these, the result has our header
}

// header is what every result of ours has on its first line, or, when it was
// shown in parts, on its last.
const header = "[cairn: "

// Covered counts the failing shell calls of host since then. It tells begin how
// many bytes it is to read, and step how many more it has read.
func Covered(roots []Root, host string, since time.Time, begin, step func(bytes int64)) Coverage {
	var cov Coverage
	r := Reader{Since: since, Progress: step}
	files, total := Files(roots, since, func(error) {}), int64(0)
	for _, f := range files {
		total += f.Size
	}
	begin(total)
	for _, f := range files {
		_ = r.Read(f, func(c *Call) {
			if c.Host == host && c.Tool == "Bash" && c.Exit != nil && *c.Exit != 0 {
				cov.Failing++
				if HasHeader(c.Body) {
					cov.Seen++
				}
			}
		})
	}
	return cov
}

// HasHeader reports whether a result was compacted by us.
func HasHeader(body string) bool {
	return strings.HasPrefix(body, header) || strings.Contains(body, "\n"+header)
}

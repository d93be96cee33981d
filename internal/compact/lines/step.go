package lines

import "strings"

// CutStep cuts what GitHub's runner and gh put before a line of a job's log:
// "job\tstep\t2026-11-20T20:11:22.3358517Z text", or the time alone. step is
// "job\tstep"; ok is false for another line.
func CutStep(s string) (step, text string, ok bool) {
	text = s
	if i := strings.IndexByte(s, '\t'); i > 0 {
		if j := strings.IndexByte(s[i+1:], '\t'); j >= 0 && len(s) > i+j+2 {
			step, text = s[:i+1+j], s[i+j+2:]
		}
	}
	text = strings.TrimPrefix(text, "\ufeff")
	const stamp = "2026-11-20T20:11:22.3358517Z"
	if len(text) < len(stamp) || text[10] != 'T' || text[19] != '.' || text[len(stamp)-1] != 'Z' {
		return "", s, false
	}
	for i := range len(stamp) {
		if d := stamp[i]; d >= '0' && d <= '9' && (text[i] < '0' || text[i] > '9') {
			return "", s, false
		}
	}
	return step, strings.TrimPrefix(text[len(stamp):], " "), true
}

package transcript

import "time"

// Failing calls each with every shell command of a host that failed since then
// and printed something.
func Failing(roots []Root, host string, since time.Time, begin, step func(bytes int64), each func(*Call)) {
	r := Reader{Since: since, Progress: step}
	files, total := Files(roots, since, func(error) {}), int64(0)
	for _, f := range files {
		total += f.Size
	}
	begin(total)
	for _, f := range files {
		_ = r.Read(f, func(c *Call) {
			if c.Host == host && c.Tool == "Bash" && c.Exit != nil && *c.Exit != 0 && c.Body != "" {
				each(c)
			}
		})
	}
}

package transcript

import "time"

// Failing counts the shell calls of host since then that ended with an exit
// code other than 0; what the user refused is none. It tells begin how many
// bytes it is to read, and step how many more it has read.
func Failing(roots []Root, host string, since time.Time, begin, step func(bytes int64)) (n int) {
	r := Reader{Since: since, Progress: step}
	files, total := Files(roots, since, func(error) {}), int64(0)
	for _, f := range files {
		total += f.Size
	}
	begin(total)
	for _, f := range files {
		_ = r.Read(f, func(c *Call) {
			if c.Host == host && c.Tool == "Bash" && c.Exit != nil && *c.Exit != 0 {
				n++
			}
		})
	}
	return n
}

package transcript

import "time"

// Failing counts the shell calls of host since then that ended with an exit
// code other than 0; what the user refused is none.
func Failing(roots []Root, host string, since time.Time) (n int) {
	r := Reader{Since: since}
	for _, f := range Files(roots, since, func(error) {}) {
		_ = r.Read(f, func(c *Call) {
			if c.Host == host && c.Tool == "Bash" && c.Exit != nil && *c.Exit != 0 {
				n++
			}
		})
	}
	return n
}

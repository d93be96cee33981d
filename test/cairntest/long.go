package cairntest

import "flag"

// Long leaves a test out of `make quick`, which is for while one works: it takes
// half a second or more of the processor, or waits that long.
func Long(t interface {
	Helper()
	Skip(args ...any)
}) {
	t.Helper()
	if short := flag.Lookup("test.short"); short != nil && short.Value.String() == "true" {
		t.Skip("-short leaves it to make test")
	}
}

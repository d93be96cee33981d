package cairntest

// NoRace leaves a test to the run without the race detector: it is about many rows,
// a browser or a program of its own, which take ten times as long there, and
// goroutines of ours meet in other tests of its package, too. scripts/raced finds
// the tests by this name.
func NoRace(t interface {
	Helper()
	Skip(args ...any)
}) {
	t.Helper()
	if underRace {
		t.Skip("make test runs it without the race detector")
	}
}

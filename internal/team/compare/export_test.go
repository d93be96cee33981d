package compare

// What tests with the page, which are outside of the package, need of ours.
var (
	Sample = sample
	Run    = run
)

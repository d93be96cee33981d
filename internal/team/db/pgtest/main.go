package pgtest

import (
	"errors"
	"fmt"
	"os"
)

var shared *Cluster

// Main starts a cluster for a package's tests, runs them, stops it and returns
// the exit code. Without PostgreSQL the tests run and Shared is nil: a test then
// says that it is skipped, unless CI is set, where it fails.
func Main(run func() int) int {
	var err error
	shared, err = Start()
	switch {
	case errors.Is(err, ErrMissing) && os.Getenv("CI") == "":
		fmt.Fprintln(os.Stderr, err)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 1
	default:
		defer shared.Stop()
	}
	return run()
}

// Shared is the package's cluster, nil where no PostgreSQL is installed.
func Shared() *Cluster { return shared }

package pgtest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"
	"syscall"
)

// Address is the environment variable with the URL of a cluster for all packages.
const Address = "CAIRN_TEST_POSTGRES"

// once is what a package's tests share: a cluster, and one for the databases
// that are like a Supabase project's, whose roles have other rights.
type once struct {
	start    sync.Once
	cluster  *Cluster
	projects bool
}

var shared, projects = once{}, once{projects: true}

// Main runs a package's tests and stops what they started; it returns the exit
// code. Without PostgreSQL the tests run and Shared is nil: a test then says that
// it is skipped, unless CI is set, where the package fails. It fits TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }
func Main(run func() int) int {
	if _, err := binaries(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		if os.Getenv("CI") != "" {
			return 1
		}
	}
	defer shared.stop()
	defer projects.stop()
	return run()
}

// Shared is the cluster of a package's tests, which is started when the first of
// them asks; nil where no PostgreSQL is installed and under -short.
func Shared() *Cluster { return shared.get() }

func (o *once) get() *Cluster {
	o.start.Do(func() {
		if short := flag.Lookup("test.short"); short != nil && short.Value.String() == "true" {
			return
		}
		// Not os.Getenv: a result that go test keeps holds at any address.
		if url, ok := syscall.Getenv(Address); ok && url != "" && !o.projects {
			o.cluster = &Cluster{}
			if err := o.cluster.connect(url); err != nil {
				panic(fmt.Errorf("%s: %w", Address, err))
			}
			return
		}
		var err error
		if o.cluster, err = Start(); err != nil && !errors.Is(err, ErrMissing) {
			panic(err)
		}
	})
	return o.cluster
}

func (o *once) stop() {
	o.start.Do(func() {}) // nobody asked
	if o.cluster != nil {
		o.cluster.Stop()
	}
}

package calls

import (
	"fmt"
	"os"
)

// pathOf is where an open file is.
func pathOf(f *os.File) (string, error) {
	return os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
}

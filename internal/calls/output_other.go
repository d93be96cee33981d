//go:build !linux && !darwin

package calls

import (
	"errors"
	"os"
)

// pathOf is where an open file is, which these systems do not say.
func pathOf(*os.File) (string, error) { return "", errors.ErrUnsupported }

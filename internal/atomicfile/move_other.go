//go:build !linux

package atomicfile

import "errors"

func moveFree(_, _ string) error { return errors.ErrUnsupported }

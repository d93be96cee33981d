//go:build !linux

package atomicfile

import "errors"

func settleAll([]*Staged) error { return errors.ErrUnsupported }

//go:build !linux && !darwin && !windows

package reader

import "time"

func born(string) time.Time { return time.Time{} }

//go:build unix

package cache

import (
	"syscall"
	"testing"
)

// limitFiles has every write beyond so many bytes of a file fail.
func limitFiles(t *testing.T, bytes uint64) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = bytes
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
}

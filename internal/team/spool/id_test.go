package spool

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestID(t *testing.T) {
	at := time.UnixMilli(1469918176385) // 01ARYZ6S41 in the ULID specification
	id, folder := newID(at)
	if len(id) != 26 || !strings.HasPrefix(id, "01ARYZ6S41") || len(folder) != 2 {
		t.Error(id, folder)
	}
	if got, ok := idTime(id); !ok || !got.Equal(at) {
		t.Error(got, ok)
	}
	if value(id[24])&7<<5|value(id[25]) != int(mustHex(folder)) {
		t.Errorf("%s is not the last byte of %s", folder, id)
	}
	for _, bad := range []string{"", "x", strings.Repeat("I", 26), "8" + strings.Repeat("0", 25)} {
		if _, ok := idTime(bad); ok {
			t.Errorf("%q is an id", bad)
		}
	}
	seen := map[string]bool{}
	for range 10_000 {
		id, folder := newID(at)
		if seen[id] {
			t.Fatalf("%s twice", id)
		}
		seen[id], seen[folder] = true, true
	}
	if len(seen) != 10_256 {
		t.Errorf("%d folders", len(seen)-10_000)
	}
}

func mustHex(s string) (b byte) {
	fmt.Sscanf(s, "%02x", &b)
	return b
}

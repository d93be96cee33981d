package compact

import (
	"fmt"
	"strings"
	"testing"
)

// A statement that comes back after another one is counted as itself.
func TestCountsOfInterleavedLines(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "2026-11-20T10:00:%02dZ INFO belt %d moved a parcel\n2026-11-20T10:00:%02dZ INFO belt %d moved a parcel\n", i, i, i, i+1)
		if i%6 == 0 {
			fmt.Fprintf(&b, "2026-11-20T10:00:%02dZ INFO rotated the journal\n", i)
		}
	}
	holds(t, reduce("docker logs sorter", b.String()), 4, "moved a parcel … ×120", "rotated the journal … ×10")
}

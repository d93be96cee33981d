package dashboard

import (
	"fmt"
	"testing"
)

// However much is asked for, so many bytes are kept: the last used ones.
func TestKeptIsBounded(t *testing.T) {
	c := newAnswers()
	for i := range 100 {
		c.put(fmt.Sprint(i), &answer{body: make([]byte, mostKept/50)})
		if c.get("0") == nil {
			t.Fatalf("what is used is dropped after %d", i)
		}
		if c.bytes > mostKept {
			t.Fatalf("%d bytes are kept", c.bytes)
		}
	}
	if c.get("50") != nil || c.get("99") == nil || len(c.at) != c.order.Len() || len(c.at) < 40 {
		t.Errorf("%d answers are kept, of %d bytes", len(c.at), c.bytes)
	}
}

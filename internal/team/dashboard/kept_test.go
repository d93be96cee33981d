package dashboard

import (
	"fmt"
	"testing"
)

// However much is asked for, so many bytes are kept: the last used ones.
func TestKeptIsBounded(t *testing.T) {
	c := newAnswers()
	for i := range 100 {
		a := &reply{body: make([]byte, mostKept/50)}
		c.put(fmt.Sprint(i), a, a.size())
		if _, ok := c.get("0"); !ok {
			t.Fatalf("what is used is dropped after %d", i)
		}
		if c.bytes > mostKept {
			t.Fatalf("%d bytes are kept", c.bytes)
		}
	}
	_, old := c.get("50")
	_, last := c.get("99")
	if old || !last || len(c.at) != c.order.Len() || len(c.at) < 40 {
		t.Errorf("%d answers are kept, of %d bytes", len(c.at), c.bytes)
	}
}

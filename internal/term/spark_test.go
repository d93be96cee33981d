package term

import "testing"

func TestSpark(t *testing.T) {
	if got := Spark([]int{-5, 0, 1, 500, 1000}); got != "··▁▅█" {
		t.Errorf("%q", got)
	}
	if got := Spark(nil); got != "" {
		t.Errorf("%q", got)
	}
}

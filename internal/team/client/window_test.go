package client

import (
	"fmt"
	"testing"
)

// An answer that is too large, or comes too slowly, is asked for in smaller
// pieces; what is wrong otherwise is not asked again.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		err    error
		fits   int
		asked  string
		failed bool
	}{
		{nil, 1000, "[1000]", false}, {errTooSlow, 20, "[1000 125 15]", false}, {errTooMuch, 1, "[1000 125 15 1]", false},
		{errTooMuch, 0, "[1000 125 15 1]", true}, {&Error{Kind: ErrRefused, Status: 413}, 200, "[1000 125]", false}, {ErrBusy, 1, "[1000]", true},
	} {
		var w Window
		var asked []int
		more, err := w.Fetch(func(limit int) (int, error) {
			asked = append(asked, limit)
			if limit > c.fits {
				return 0, c.err
			}
			return limit, nil
		})
		if fmt.Sprint(asked) != c.asked || (err != nil) != c.failed || more == c.failed {
			t.Errorf("%v until %d: asked for %v, %v, more %v", c.err, c.fits, asked, err, more)
		}
	}
}

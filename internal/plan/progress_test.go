package plan

import "testing"

func TestPercent(t *testing.T) {
	for _, tc := range []struct{ done, total, want int }{{0, 0, 0}, {1, 3, 33}, {2, 3, 67}, {1, 200, 1}, {1, 201, 0}, {5, 4, 100}} {
		if got := Percent(tc.done, tc.total); got != tc.want {
			t.Errorf("%d of %d is %d%%, want %d", tc.done, tc.total, got, tc.want)
		}
	}
}

// Package stack has the stack grow at once, before the first package is
// initialized and while nothing is on it. To grow when it is deep, step by step,
// copies it each time and reads the tables of all functions on it: 4 % of the
// time that a hook took.
//
// It is initialized first because it imports nothing and sorts before what else
// imports nothing (docs/adr/0033).
package stack

func init() { grow(0) }

// grow needs a large frame and touches none of it.
//
//go:noinline
func grow(n int) byte {
	if n == 0 {
		return 0
	}
	var room [56 << 10]byte
	return room[n%len(room)]
}

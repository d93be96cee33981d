//go:build !race

package cairntest

const underRace = false

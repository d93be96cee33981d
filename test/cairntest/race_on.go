//go:build race

package cairntest

const underRace = true

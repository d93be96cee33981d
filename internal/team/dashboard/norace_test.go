//go:build !race

package dashboard

const UnderRace = false

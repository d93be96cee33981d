//go:build race

package dashboard

// UnderRace: SQLite in Go is ten times as slow there, and what walks all pages
// finds no race that the others do not. make test runs them without it.
const UnderRace = true

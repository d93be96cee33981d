//go:build race

package soak_test

// underRace: SQLite in Go is ten times as slow there. make test runs the test without it.
const underRace = true

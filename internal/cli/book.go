package cli

import "cairn/internal/manual"

//go:generate go test . -run CommandPages -update-pages

// Book is all that pages and man pages are made of. The verbs of plan have a
// page of their own, made from where they are declared.
func Book() manual.Book {
	return manual.Book{Root: Commands(), Topics: topics(), Elsewhere: map[string]string{"plan": "../plan.md"}}
}

package cli

import "cairn/internal/manual"

//go:generate go test . -run CommandPages -update-pages

// Book is all that pages and man pages are made of.
func Book() manual.Book {
	return manual.Book{Root: Commands(), Topics: topics()}
}

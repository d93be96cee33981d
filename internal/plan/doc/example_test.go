package doc_test

import (
	"fmt"

	"cairn/internal/plan/doc"
)

// An edit of the frontmatter changes the lines of its key and no other.
func ExampleText_SetFront() {
	t := doc.Parse([]byte("---\ntitle: Router: chi is small\nwave: 1 # for now\n---\n# Plan\n"))
	fmt.Println(t.Front().Get("title").Text())
	if err := t.SetFront(2, "wave"); err != nil {
		fmt.Println(err)
	}
	fmt.Print(t)
	// Output:
	// Router: chi is small
	// ---
	// title: Router: chi is small
	// wave: 2 # for now
	// ---
	// # Plan
}

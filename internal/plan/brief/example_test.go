package brief_test

import (
	"fmt"

	"cairn/internal/plan/brief"
)

func ExampleDependencies() {
	fmt.Println(brief.Dependencies("Phases 1-3, Phase 2.1"))
	fmt.Println(brief.Dependencies("Nothing (first phase)"))
	// Output:
	// [1 2 3 2.1]
	// []
}

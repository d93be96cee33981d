// Package grade checks outputs of a model against the expectations of eval
// cases, and gives a run of the standard format.
//
// Every type of expectation is a row: what may be written in a case, which
// paths of the output it reads, what it means, and the function that checks it.
// Rows stand in a file per category. The package reads no file but through the
// functions given to it, asks no clock and opens no socket: who judges is given
// as a Judge. Only cli imports it.
package grade

import (
	"slices"

	"cairn/internal/team/cases"
)

// A Type is one type of expectation.
type Type struct {
	cases.Spec
	check func(x *exam) // nil for judged types
}

// Types returns every type, in the order of the documentation.
func Types() []Type {
	return slices.Concat(toolTypes(), textTypes(), lengthTypes(), structureTypes(), scoringTypes(), classificationTypes(), fieldTypes(), memoryTypes(),
		clusterTypes(), chunkTypes(), threadTypes(), factTypes(), mediaTypes(), researchTypes(), sourceTypes(), judgedTypes())
}

// Specs returns the declarations alone: what cases are read with.
func Specs() []cases.Spec {
	types := Types()
	specs := make([]cases.Spec, len(types))
	for i, t := range types {
		specs[i] = t.Spec
	}
	return specs
}

// keys that several types have
var (
	minMax      = []cases.Key{{Name: "min", Kind: cases.Number}, {Name: "max", Kind: cases.Number}}
	minMaxCount = []cases.Key{{Name: "min", Kind: cases.Count}, {Name: "max", Kind: cases.Count}}
	minMaxWords = []cases.Key{{Name: "min_words", Kind: cases.Count}, {Name: "max_words", Kind: cases.Count}}
	minMaxChars = []cases.Key{{Name: "min_chars", Kind: cases.Count}, {Name: "max_chars", Kind: cases.Count}}
	patterns    = []cases.Key{{Name: "patterns", Kind: cases.Patterns, Required: true}}
	eitherEnd   = []string{"min", "max"}
)

// paths that several types read
var (
	responses = []string{"response", "text", "answer"}
	bodies    = []string{"body", "structured_content", "structured_content.body", "content"}
	titles    = []string{"title", "structured_content.title"}
	tldrs     = []string{"tldr", "structured_content.tldr"}
	clusters  = []string{"clusters"}
	groups    = []string{"groups"}
	items     = []string{"items", "claims"}
	tweets    = []string{"tweets", "thread"}
	chunks    = []string{"chunks"}
	memories  = []string{"memories"}
	fields    = []string{"extracted_fields", "fields"}
)

// Package grade checks outputs of a model against the expectations of eval
// cases, and gives a run of the standard format.
//
// Every type of expectation is a row: what may be written in a case, which
// paths of the output it reads, what it means, and the function that checks it.
// Rows stand beside their checks. The package reads no file but through the
// functions given to it, asks no clock and opens no socket: who judges is given
// as a Judge. Only cli imports it.
package grade

import (
	"slices"
	"strings"

	"cairn/internal/team/cases"
)

// A Type is one type of expectation.
type Type struct {
	cases.Spec
	check func(x *exam) // nil for judged types, and for those that join others
}

// Types returns every type, in the order of the documentation.
func Types() []Type {
	return slices.Concat(toolTypes(), textTypes(), lengthTypes(), structureTypes(), scoringTypes(), classificationTypes(), fieldTypes(), memoryTypes(),
		clusterTypes(), chunkTypes(), threadTypes(), factTypes(), mediaTypes(), researchTypes(), sourceTypes(), generalTypes(), measureTypes(), commandTypes(), joiningTypes(), judgedTypes())
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

// need is a count that must be given.
func need(name string) []cases.Key {
	return []cases.Key{{Name: name, Kind: cases.Count, Required: true}}
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

// A Declaration is a type as JSON tells it.
type Declaration struct {
	Type     string           `json:"type"`
	Category string           `json:"category"`
	About    string           `json:"about"`
	Judged   bool             `json:"judged"`
	Reads    []string         `json:"reads"`
	Keys     []KeyDeclaration `json:"keys"`
	Needs    []string         `json:"needs_one_of,omitempty"`
}

// A KeyDeclaration is a key as JSON tells it.
type KeyDeclaration struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Required bool   `json:"required"`
	Default  string `json:"default,omitempty"`
	About    string `json:"about,omitempty"`
}

// Declared returns the declaration of a type.
func Declared(s *cases.Spec) Declaration {
	d := Declaration{s.Name, s.Category, s.About, s.Judged, append([]string{}, s.Reads...), []KeyDeclaration{}, s.Needs}
	for _, k := range s.Keys {
		d.Keys = append(d.Keys, KeyDeclaration{k.Name, k.Kind.String(), k.Required, k.Default, k.About})
	}
	return d
}

// KeyNote says what else is to know of a key.
func KeyNote(k cases.Key) string {
	var notes []string
	if k.Required {
		notes = append(notes, "required")
	}
	if k.Default != "" {
		notes = append(notes, "default "+k.Default)
	}
	if k.About != "" {
		notes = append(notes, k.About)
	}
	return strings.Join(notes, "; ")
}

package grade

import (
	"strings"

	"cairn/internal/team/cases"
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
	d := Declaration{s.Name, s.Category, s.About, s.Judged, s.Reads, []KeyDeclaration{}, s.Needs}
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

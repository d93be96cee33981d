package grade

import (
	"fmt"
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

// Table returns the types as Markdown: by category what each means, its keys
// and the paths that it reads.
func Table() string {
	var b strings.Builder
	category := ""
	for _, s := range Specs() {
		if s.Category != category {
			category = s.Category
			fmt.Fprintf(&b, "\n### %s\n\n| type | keys | reads | holds when |\n|---|---|---|---|\n", category)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, keyCell(&s), "`"+strings.Join(s.Reads, "`, `")+"`", cell(s.About))
	}
	return b.String()
}

func keyCell(s *cases.Spec) string {
	var all []string
	for _, k := range s.Keys {
		text := "`" + k.Name + "` " + k.Kind.String()
		if note := KeyNote(k); note != "" {
			text += " (" + note + ")"
		}
		all = append(all, cell(text))
	}
	if len(s.Needs) > 0 {
		all = append(all, "one of them is required")
	}
	if len(all) == 0 {
		return "–"
	}
	return strings.Join(all, "<br>")
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

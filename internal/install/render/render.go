// Package render writes the prompts of package content in the form that a host
// takes: which file, which frontmatter, which words. It knows no directory of
// a machine and writes nothing.
//
// The installer and the command line import it. It is driven by the rows of
// package host and never asks which host it has.
package render

import (
	"cairn/internal/host"
	"cairn/internal/plan/content"
)

// Style returns how a host is spoken to.
func Style(h host.Host) content.Style {
	s := content.Plain()
	s.Runtime = h.Name
	p := h.Prompts
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&s.Args, p.Args}, {&s.Mention, p.Mention}, {&s.Memory, p.Memory}, {&s.Spawn, p.Spawn}, {&s.Ask, p.Ask},
	} {
		if field.from != "" {
			*field.to = field.from
		}
	}
	for _, tool := range content.Tools() {
		if len(p.Tools) > 0 && !has(p.Tools, tool) {
			s.Without = append(s.Without, tool)
		}
	}
	return s
}

func has(tools []host.Tool, name string) bool {
	for _, t := range tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

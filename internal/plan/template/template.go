// Package template holds the documents of a planning directory as they begin:
// Markdown files beside this one, in which {{name}} stands for a value.
//
// Package plan and the packages under it fill them. It writes no file and
// knows no project.
package template

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

//go:embed *.md codebase/*.md research/*.md
var files embed.FS

//go:embed scaffold/*.md
var scaffolds embed.FS

// Names lists the templates, sorted: plan, summary, codebase/stack … .
func Names() []string {
	var out []string
	_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(name, ".md"); ok && err == nil {
			out = append(out, name)
		}
		return err
	})
	slices.Sort(out)
	return out
}

// Source returns a template as it is.
func Source(name string) (string, error) {
	b, err := files.ReadFile(name + ".md")
	if err != nil {
		return "", fmt.Errorf("there is no template %q", name)
	}
	return string(b), nil
}

// Fields lists the values a template takes, in the order they stand in it.
func Fields(name string) ([]string, error) {
	source, err := Source(name)
	if err != nil {
		return nil, err
	}
	var out []string
	expand(source, func(field string) string {
		if !slices.Contains(out, field) {
			out = append(out, field)
		}
		return ""
	})
	return out, nil
}

// Fill returns a template with its values. A field that is not given stays as
// [field], to be written by hand; in the frontmatter, where that would be a
// list, as TBD. Values of the frontmatter are quoted where YAML asks for it.
func Fill(name string, values map[string]string) (*doc.Text, error) {
	source, err := Source(name)
	if err != nil {
		return nil, err
	}
	t := doc.Parse([]byte(source))
	for i := range t.Body() {
		key, rest, _ := strings.Cut(t.Line(i), ":")
		if !strings.Contains(rest, "{{") {
			continue
		}
		value := expand(strings.Trim(rest, ` "`), func(field string) string {
			if v, ok := values[field]; ok {
				return v
			}
			return "TBD"
		})
		if err := t.SetFront(strings.TrimSpace(value), key); err != nil {
			return nil, err
		}
	}
	text := expand(t.Span(t.Body(), t.Len()), func(field string) string {
		if v, ok := values[field]; ok {
			return v
		}
		if field == "decision_id" { // the first of a project
			return doc.DecisionID(1)
		}
		return gap(field)
	})
	t.Delete(t.Body(), t.Len())
	for line := range strings.SplitSeq(text, "\n") {
		t.Insert(t.Len(), line)
	}
	return t, nil
}

// Scaffold returns a phase's CONTEXT, UAT or VERIFICATION as it begins without
// anything to say: no gaps to fill, unlike the template of that name.
func Scaffold(kind string, values map[string]string) (string, error) {
	b, err := scaffolds.ReadFile("scaffold/" + kind + ".md")
	return expand(string(b), func(field string) string { return values[field] }), err
}

// expand replaces each {{field}}, once: what a value holds is text.
func expand(s string, value func(field string) string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "{{")
		field, after, closed := strings.Cut(rest, "}}")
		b.WriteString(before)
		if !ok || !closed {
			if ok {
				b.WriteString("{{" + rest)
			}
			return b.String()
		}
		b.WriteString(value(field))
		s = after
	}
}

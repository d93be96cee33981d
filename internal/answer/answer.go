// Package answer is what a command has to say, as a value: data for programs and
// views for people. Text at any width, JSON, one value of it and CSV are made
// from it here; pages and the command line show the same tables and figures.
//
// Pure data and its forms: no HTML, no SQL, no HTTP, no file. What is said
// belongs to the command that answers.
package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer/jsonpath"
	"cairn/internal/term"
)

// An Answer is what a command has to say.
type Answer struct {
	Data any     // for programs; its JSON tags are its shape. Lines is one value a line
	View View    // for people
	Diff *string // of a rehearsal: what would change, which people see in place of the view
	Said string  // beside it: what was done, or why there is nothing
	Hint string  // the next command, as a hint
	No   bool    // a check said no
	Done bool    // something was changed: to fail now would have it done twice
	Err  error   // what failed of the work; the command ends with it once the answer is printed
}

// A View is what a person reads.
type View interface{ Print(p *Page) error }

// Views are several, one below the other.
type Views []View

// Print implements View.
func (vs Views) Print(p *Page) error {
	for _, v := range vs {
		if err := v.Print(p); err != nil {
			return err
		}
	}
	return nil
}

// A Page is what views are printed on.
type Page struct {
	io.Writer
	term.Paint
	Width int // in columns, 0 for as wide as it gets
}

// Text is a view of plain text, which strangers may have written: what it could
// do to a terminal is taken out.
type Text func(w io.Writer)

// Print implements View.
func (t Text) Print(p *Page) error {
	var text strings.Builder
	t(&text)
	_, err := io.WriteString(p, term.Text(text.String()))
	return err
}

// Line is a view of one line.
func Line(format string, a ...any) Text {
	return func(w io.Writer) { fmt.Fprintf(w, format+"\n", a...) }
}

// A Painted view colors its text, and makes what strangers wrote printable itself.
type Painted func(p *Page) error

// Print implements View.
func (v Painted) Print(p *Page) error { return v(p) }

// Lines is data of which JSON has one value a line, as jq reads it.
type Lines []any

// A Document is data that is JSON already, and is printed as it stands.
type Document []byte

// MarshalJSON implements json.Marshaler, for who has a document in a larger one.
func (d Document) MarshalJSON() ([]byte, error) { return d, nil }

// LinesOf makes Lines of a list.
func LinesOf[T any](list []T) Lines {
	lines := make(Lines, len(list))
	for i, v := range list {
		lines[i] = v
	}
	return lines
}

// A Form is how an answer is printed; the zero Form is text.
type Form struct {
	JSON bool
	CSV  bool
	Get  string // the path of one value of the data
}

// A NoValueError says that the data has no value at the path of --get.
type NoValueError struct{ Path string }

func (e *NoValueError) Error() string { return fmt.Sprintf("there is no %q in the result", e.Path) }

// Hint implements what term.Print looks for.
func (e *NoValueError) Hint() string { return "--json prints all of it" }

// Print writes the answer: data and views to out, what is said beside to talk.
func (a *Answer) Print(out, talk io.Writer, form Form, paint term.Paint) error {
	switch {
	case form.Get != "":
		value, err := Get(a.Data, form.Get)
		if err != nil && a.Done {
			term.Warn(talk, "the change was made, but %v", err)
			return nil
		}
		if err == nil {
			_, err = fmt.Fprintln(out, value)
		}
		return err
	case form.JSON:
		data, err := JSON(a.Data)
		if err == nil {
			_, err = out.Write(data)
		}
		return err
	case form.CSV:
		if t := tableOf(a.View); t != nil {
			return t.CSV(out)
		}
		return nil // nothing, as text
	}
	if a.Diff != nil {
		if *a.Diff == "" {
			fmt.Fprintln(talk, "nothing would change")
		}
		_, err := io.WriteString(out, term.Text(*a.Diff))
		return err
	}
	page := &Page{Writer: out, Paint: paint, Width: term.TerminalWidth(out)}
	if a.View != nil {
		if err := a.View.Print(page); err != nil {
			return err
		}
	}
	if a.Said != "" {
		fmt.Fprintln(talk, a.Said)
	}
	if a.Hint != "" {
		term.PrintHint(talk, "%s", a.Hint)
	}
	return nil
}

// tableOf is the first table of a view.
func tableOf(v View) *Table {
	switch v := v.(type) {
	case *Table:
		return v
	case Views:
		for _, one := range v {
			if t := tableOf(one); t != nil {
				return t
			}
		}
	}
	return nil
}

// JSON encodes data on one line, or each of Lines on its own. Nothing in it can
// do anything to a terminal.
func JSON(data any) ([]byte, error) {
	if d, ok := data.(Document); ok {
		return term.PrintableJSON(d), nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	list, ok := data.(Lines)
	if !ok {
		list = Lines{data}
	}
	for _, v := range list {
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
	}
	return term.PrintableJSON(b.Bytes()), nil
}

// Get returns one value of data by its path, such as phases[0].name; what is not
// there is a *NoValueError. The values of Lines are a list.
func Get(data any, path string) (string, error) {
	if list, ok := data.(Lines); ok {
		data = []any(list)
	}
	text, err := JSON(data)
	if err != nil {
		return "", err
	}
	value, ok := jsonpath.Find(text, path)
	if !ok {
		return "", &NoValueError{path}
	}
	return jsonpath.Text(value), nil
}

// List makes a nil list an empty one, which is [] in JSON.
func List[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

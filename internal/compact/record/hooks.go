package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// hooks reads what pre-commit prints around its hooks: of one that failed its
// name and what it said stay; how it was set up, how long it took and what black
// prints to cheer goes.
type hooks struct{ text plainText }

var hookForms = forms{
	{class: Folded, start: words{"[INFO] ", "- duration: ", "All done! ", "Oh no! "}},
	{class: Keep, start: words{"- hook id: ", "- exit code: ", "- files were modified by this hook"}},
	{class: Keep, end: words{"Failed"}, has: words{"...."}},
	{class: Folded, test: lines.Blank},
}

func (p *hooks) Line(l Line, emit Emit) {
	if strings.HasPrefix(l.Text, "[INFO] ") && lines.Classify(l.Text) >= lines.Trouble {
		p.text.Line(l, emit)
		return
	}
	hookForms.or(&p.text, l, l.Text, emit)
}

func (p *hooks) Close(emit Emit) { p.text.Close(emit) }

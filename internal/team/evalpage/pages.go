package evalpage

import (
	"bytes"
	_ "embed" // eval.css and the scripts

	"cairn/internal/team/page"
)

//go:embed eval.css
var evalCSS []byte

//go:embed words.js
var wordsJS []byte

//go:embed run.js
var runJS []byte

//go:embed case.js
var caseJS []byte

//go:embed runs.js
var runsJS []byte

// Page is the run as a page of its own.
func (r *Run) Page() page.Page {
	return page.Page{Title: r.Title, CSS: evalCSS, JS: runJS, Data: r}
}

// Page is the case as a page of its own.
func (c *Case) Page() page.Page {
	return page.Page{Title: c.Title, CSS: evalCSS, JS: caseScript(), Data: c}
}

// Assets are the styles and scripts by name, for a server whose pages link to them.
func Assets() map[string][]byte {
	return map[string][]byte{"run.js": runJS, "case.js": caseScript(), "compare.js": compareScript(), "eval.css": evalCSS, "compare.css": compareCSS}
}

func caseScript() []byte { return bytes.Join([][]byte{wordsJS, caseJS}, []byte("\n")) }

// Runs is what a page that lists runs shows, the newest first.
type Runs struct {
	Title string      `json:"title"`
	Rows  []RunInList `json:"rows"`
	More  int         `json:"more,omitzero"` // that are not listed
}

// A RunInList is one of them.
type RunInList struct {
	To     string  `json:"to"`
	When   string  `json:"when"`
	Suite  string  `json:"suite"`
	About  string  `json:"about"`
	Passed int     `json:"passed"`
	Judged int     `json:"judged"`
	Failed int     `json:"failed"`
	Errors int     `json:"errors"`
	Cost   float64 `json:"cost"`
	Beside string  `json:"beside,omitzero"` // beside the run before of the suite
}

// Page is the list as a page of its own.
func (r *Runs) Page() page.Page { return page.Page{Title: r.Title, CSS: evalCSS, JS: runsJS, Data: r} }

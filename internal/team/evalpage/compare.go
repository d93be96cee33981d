package evalpage

import (
	_ "embed" // compare.css, compare.js
	"io"

	"cairn/internal/team/compare"
	"cairn/internal/team/page"
)

//go:embed compare.css
var compareCSS []byte

//go:embed compare.js
var compareJS []byte

// Compare writes a comparison as one page that needs nothing else.
func Compare(w io.Writer, c *compare.Comparison) error {
	return page.File(w, page.Page{Title: "eval compare: " + string(c.Verdict), CSS: compareCSS, JS: compareJS, Data: c.Shown()})
}

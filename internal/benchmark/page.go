package benchmark

import (
	"bytes"
	_ "embed" // the page's parts
	"encoding/json"
)

//go:embed page/report.html
var pageHTML []byte

//go:embed page/report.css
var pageCSS []byte

//go:embed page/report.js
var pageJS []byte

// Page is the report as one file that needs nothing else: its data stand in
// it as JSON, and its script writes them as text, never as markup.
func Page(r *Report) ([]byte, error) {
	data, err := json.Marshal(r) // escapes < and >, so that no data can end the script element
	if err != nil {
		return nil, err
	}
	page := bytes.Replace(pageHTML, []byte("/*style*/"), pageCSS, 1)
	page = bytes.Replace(page, []byte("/*script*/"), pageJS, 1)
	return bytes.Replace(page, []byte("{/*data*/}"), data, 1), nil
}

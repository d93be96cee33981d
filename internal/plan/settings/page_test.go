package settings

import (
	"fmt"
	"strings"
)

// Page returns the table as a page of the documentation, in Markdown.
func Page() string {
	var b strings.Builder
	b.WriteString("# Settings of a plan\n\n" +
		"`.planning/config.json`, with comments if you like. A workstream's own config.json beats the\n" +
		"project's, object by object; null is as if a key were not there. A value of the wrong type is\n" +
		"told with file and line, and the default counts. `cairn plan config explain KEY` tells where a\n" +
		"value came from. A `*` stands for a name of your choice.\n\n" +
		"This page is made from the table that reads the file.\n\n" +
		"| key | takes | default | |\n|---|---|---|---|\n")
	for _, r := range Rows() {
		doc := r.Doc
		if len(r.Names) > 0 {
			doc += " Older names: `" + strings.Join(r.Names, "`, `") + "`."
		}
		if r.Secret {
			doc += " Printed masked."
		}
		deflt := ""
		if r.Default != "" && r.Default != "null" {
			deflt = "`" + strings.Trim(r.Default, `"`) + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Key, r.Expects(), deflt, doc)
	}
	return b.String()
}

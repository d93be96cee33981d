package golden

import (
	"fmt"
	"regexp"
	"strings"
)

// normals replace what differs from run to run. Figures that mean something, such as
// counts, percentages and prices, must not be among them.
var normals = []struct {
	find *regexp.Regexp
	by   string
	why  string
}{
	{regexp.MustCompile(`127\.0\.0\.1:\d{4,5}`), "127.0.0.1:<port>", "a free port is another one each time"},
	{regexp.MustCompile(`(<today>|<day-\d+>)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`), "${1}T<time>", "the moment of a call"},
	{regexp.MustCompile(`(<today>|<day-\d+>) \d\d:\d\d(:\d\d)?\b`), "${1} <time>", "the moment of a call"},
}

// normal makes a text the same in each run.
func (w *world) normal(text string) string {
	text = strings.ReplaceAll(text, w.root, "$WORK")
	text = strings.ReplaceAll(text, w.binary, "$BIN")
	text = regexp.MustCompile(today.Format("060102")+`-[0-9a-z]{3}\b`).ReplaceAllString(text, "<quick-id>")
	for n := range 31 {
		by := fmt.Sprintf("<day-%d>", n)
		if n == 0 {
			by = "<today>"
		}
		text = strings.ReplaceAll(text, day(n), by)
	}
	for _, n := range normals {
		text = n.find.ReplaceAllString(text, n.by)
	}
	return text
}

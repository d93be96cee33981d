package golden

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// normals replace what differs from run to run. Figures that mean something, such as
// counts, percentages and prices, must not be among them.
var normals = []struct {
	find *regexp.Regexp
	by   string
	why  string
}{
	{regexp.MustCompile(`(BEGIN|END) (\w+) [A-Z2-7]{26}`), "$1 $2 <random>", "what no output can have guessed"},
	{regexp.MustCompile(`(127\.0\.0\.1:)\d{4,5}/[A-Z2-7]{26}/`), "${1}<port>/<secret>/", "the secret of a page"},
	{regexp.MustCompile(`\bstored [0-9a-f]{12}\b`), "stored <run>", "the id of a run holds when it was"},
	{regexp.MustCompile(`"(id|ingest_key)": "[0-9a-f]{12,64}"`), `"$1": "<run>"`, "the id of a run holds when it was"},
	{regexp.MustCompile(`\.cairn-[0-9a-z]+\.tmp`), ".cairn-<random>.tmp", "the name of a file until it is whole"},
	{regexp.MustCompile(`"pid":\d+`), `"pid":<pid>`, "the number of a process"},
	{regexp.MustCompile(`"file":"<today>T\d{6}Z-(\w+)-[0-9a-f]{12}\.json","id":"[0-9a-f]{12}"`), `"file":"<today>T<time>-$1-<run>.json","id":"<run>"`, "the id of a run holds when it was"},
	{regexp.MustCompile(`compact show [a-z2-9]{5}\b`), "compact show <id>", "the id of a stored output is random"},
	{regexp.MustCompile(`answered in \d+ ms`), "answered in <ms> ms", "how long a hook took"},
	{regexp.MustCompile(`"teeId":"[a-z2-9]{5}"`), `"teeId":"<id>"`, "the id of a stored output is random"},
	{regexp.MustCompile(`/tee/[a-z2-9]{5}\.log`), "/tee/<id>.log", "the id of a stored output is random"},
	{regexp.MustCompile(`"durationMs":\d+`), `"durationMs":<ms>`, "how long a call took"},
	{regexp.MustCompile(`(reach +(?:ok|failed) +|yes \()[\d.]+(?:µs|ms|s)`), "${1}<ms>", "how long the server took"},
	{regexp.MustCompile(`"seconds":[\d.]+`), `"seconds":<s>`, "how long a command took"},
	{regexp.MustCompile(`(\d+ reused, )[\d.]+ s;`), "${1}<s> s;", "how long a proof took"},
	{regexp.MustCompile("(\\| `[0-9a-f]{7}` \\| )[\\d.]+ s"), "${1}<s> s", "how long a command of a proof took"},
	{regexp.MustCompile(`"ms":\d+`), `"ms":<ms>`, "how long the server took"},
	{regexp.MustCompile(`"said":"[\d.]+(µs|ms|s)"`), `"said":"<ms>"`, "how long the server took"},
	{regexp.MustCompile(`(?m)  \([\d.]+ s\)$`), "", "how long a part of cairn up took, if it took long"},
	{regexp.MustCompile(`[\d.]+ [MGT]B free`), "<n> free", "the disk of this machine"},
	{regexp.MustCompile(`(ticket=<uuid-\d+>\.)[A-Z2-7]{52}`), "${1}<secret>", "a ticket lets one browser in"},
	{regexp.MustCompile(`\bcairn_ci_[0-9A-Za-z]{30,}`), "cairn_ci_<secret>", "a token of CI"},
	{regexp.MustCompile(`\bcairn_ci_[0-9A-Za-z]{4}\b`), "cairn_ci_<begin>", "a token of CI"},
	{regexp.MustCompile(`(#|token=|--claim |"token":")[0-9a-f]{48,64}`), "${1}<secret>", "an invitation, a sign-in link, the claim of a server"},
	{regexp.MustCompile(`(the code |"code":")\d{6}\b`), "${1}<code>", "a code that signs in"},
	{regexp.MustCompile(`127\.0\.0\.1%3A\d{4,5}`), "127.0.0.1%3A<port>", "a free port is another one each time"},
	{regexp.MustCompile(`((?:code_challenge|state)(?:=|%3D))[\w-]{26,43}`), "${1}<random>", "what a sign-in is known by"},
	{regexp.MustCompile(`(\(devel\)|\bv\d\S+)( [0-9a-f]{12}(\+dirty)?)?( modified)? go1[.\d]+`), "<version>", "the version and the Go release of this build"},
	{regexp.MustCompile(`"version":"[^"]*","commit":"[0-9a-f]*","modified":\w+,"go":"[^"]*"`), `"version":<version>`, "the version and the Go release of this build"},
	{regexp.MustCompile(`("(?:installed|latest)": ?)"(\(devel\)|v\d[^"]*)"`), `$1<version>`, "the version of this build"},
	{regexp.MustCompile(`("serverInfo":\{"name":"cairn","version":)"[^"]*"`), `$1"<version>"`, "the version of this build"},
	{regexp.MustCompile(`("data":"[^"]*","bytes":)\d+`), "${1}<n>", "a server's data have its log and its version in them"},
	{regexp.MustCompile(`(data stay in \S+ )\([\d.]+ KB\)`), "$1(<n> KB)", "a server's data have its log and its version in them"},
	{regexp.MustCompile(`(Messages sent today \(UTC\) +)\d|("kind":"messages","used":)\d`), "${1}${2}<n>", "the server asks a channel for its consent, and tells of a regression, when it gets to it"},
	{regexp.MustCompile(`\d+ rows of 31 tables`), "<n> rows of 31 tables", "the server asks a channel for its consent, and tells of a regression, when it gets to it"},
	{regexp.MustCompile(`("name":"(?:alerts|deliveries|mail_receivers)\.ndjson","rows":)\d+`), "${1}<n>", "the server asks a channel for its consent, and tells of a regression, when it gets to it"},
	{regexp.MustCompile(`"bytes":\d{6,}`), `"bytes":<n>`, "a database with moments in it"},
	{regexp.MustCompile(`"bytes":\d+,"sha256":"[0-9a-f]{64}"`), `"bytes":<n>,"sha256":"<sum>"`, "a table with ids and moments in it"},
	{regexp.MustCompile(`\.export-\d+`), ".export-<random>", "the name of a file until it is whole"},
	{regexp.MustCompile(`(?m)^[A-Z2-7]{26}$`), "<secret>", "the secret of a webhook"},
	{regexp.MustCompile(`eyJ[\w-]+\.[\w-]+\.[\w-]+`), "<jwt>", "a key that a server has signed"},
	{regexp.MustCompile(`(, started), as another program has 127\.0\.0\.1:7373`), "$1", "a server of this machine may have the port"},
	{regexp.MustCompile(`127\.0\.0\.1:\d{4,5}`), "127.0.0.1:<port>", "a free port is another one each time"},
	{regexp.MustCompile(`(since 2024-03-04) \(\d+ days\)`), "$1 (<days> days)", "the days since the first commit"},
	{regexp.MustCompile(`(<today>|<day-\d+>|<in 90 days>)T\d\d:?\d\d:?\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`), "${1}T<time>", "the moment of a call"},
	{regexp.MustCompile(`(<today>|<day-\d+>|<in 90 days>) \d\d:\d\d(:\d\d)?\b`), "${1} <time>", "the moment of a call"},
	{regexp.MustCompile(`"start":"[^"]*","end":"[^"]*","spent_usd"`), `"start":"<start>","end":"<end>","spent_usd"`, "the present day, week or month"},
	{regexp.MustCompile(`(baseline  @main · )[0-9a-f]{12}( · main · <today>)`), "${1}<run>$2", "the id of a run holds when it was"},
}

// normal makes a text the same in each run. Of the days before today those are
// replaced that the story is about.
func (w *world) normal(text string) string {
	text = strings.ReplaceAll(text, w.root, "$WORK")
	text = strings.ReplaceAll(text, w.binary, "$BIN")
	if name, err := os.Hostname(); err == nil {
		text = regexp.MustCompile(`("hostname": ?)"`+regexp.QuoteMeta(name)+`"`).ReplaceAllString(text, `$1"<hostname>"`)
		text = strings.ReplaceAll(text, "ada@"+name, "ada@<hostname>")
	}
	text = regexp.MustCompile(today.Format("060102")+`-[0-9a-z]{3}\b`).ReplaceAllString(text, "<quick-id>")
	text = strings.ReplaceAll(text, today.Format("20060102"), "<today>")
	text = strings.ReplaceAll(text, day(0), "<today>")
	text = strings.ReplaceAll(text, day(-90), "<in 90 days>")
	for _, between := range [...]string{" to ", `","to":"`} { // the week before today, of a digest
		text = strings.ReplaceAll(text, day(7)+between+day(1), "<day-7>"+between+"<day-1>")
	}
	for _, n := range w.days {
		text = strings.ReplaceAll(text, day(n), fmt.Sprintf("<day-%d>", n))
	}
	text = strings.ReplaceAll(text, today.Format("01-02")+" ", "<today> ")
	text = uuids.ReplaceAllStringFunc(text, w.uuid)
	for _, n := range normals {
		text = n.find.ReplaceAllString(text, n.by)
	}
	return text
}

var uuids = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)

// uuid numbers the ids that a server gave, in the order in which a story sees them:
// one that is there twice stays the same.
func (w *world) uuid(id string) string {
	n, ok := w.uuids[id]
	if !ok {
		n = len(w.uuids) + 1
		w.uuids[id] = n
	}
	return fmt.Sprintf("<uuid-%d>", n)
}

var daysAgo = regexp.MustCompile(`\$D(\d+)`)

// relativeDays lists the days that a script names, such as $D3.
func relativeDays(script string) (days []int) {
	for _, m := range daysAgo.FindAllStringSubmatch(script, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil && !slices.Contains(days, n) {
			days = append(days, n)
		}
	}
	return days
}

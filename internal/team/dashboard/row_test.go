package dashboard

import (
	"html/template"
	"math/rand/v2"
	"strings"
	"testing"
)

// byTemplate is what a row has to be, as html/template writes it.
const byTemplate = `<tr>{{range $i, $c := .}}{{if $i}}<td{{else}}<th scope="row"{{end}}{{if .Number}} class="n"{{else if .Word}} class="w"{{end}}{{with .Sort}} data-sort="{{.}}"{{end}}{{if $i}} data-label="{{.Label}}"{{end}}>{{template "cell" .}}{{if $i}}</td>{{else}}</th>{{end}}{{end}}</tr>
{{- define "cell" -}}
{{if .Range}}<span class="ranged"><span>{{end}}{{if .Link}}<a href="{{.Link}}"{{if .Away}} rel="noreferrer noopener"{{end}}>{{end}}{{if .Mark}}<span class="status {{.Mark}}">{{.Text}}</span>{{else if .Parts}}{{range $i, $p := .Parts}}{{if $i}}<wbr>{{end}}{{$p}}{{end}}{{else}}{{.Text}}{{end}}{{if .Link}}</a>{{end}}
{{- with .Range}}</span><span class="range"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" y="3.5" width="100" height="1"/><rect class="span" x="{{.X}}" y="2" width="{{.Width}}" height="4"/><rect class="dot" x="{{.Dot}}" y="0" width="1.5" height="8"/></svg><span class="small soft">{{.Text}}</span></span></span>{{end}}
{{- end}}`

// Whatever strangers wrote into a row, it is written as a template writes it.
func TestRow(t *testing.T) {
	want := template.Must(template.New("").Parse(byTemplate))
	texts := []string{"", "plain", `<script>alert(1)</script>`, `" onclick="x`, `' onclick='x`, "a+b&c", "&amp;", "\x00", "\xff\xfe", "\u2028", "--><", "</td>", "äöü €", "`", "\t\n"}
	links := []string{"", "/t/acme/run?id=1&weeks=4", "/t/acme/suite?suite=a+b%2Fc#x", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "//evil.example/x", "https://example.com/pr/1", `https://example.com/"><script>`, "https://example.com/(a)'b", "data:text/html,x", "/a b", "/\x00", "/\xff", "/%zz", "/t/a\\b", "vbscript:x", " /x", "/ü"}
	random := rand.New(rand.NewPCG(1, 1))
	text := func() string { return texts[random.IntN(len(texts))] + texts[random.IntN(len(texts))] }
	for range 5000 {
		var cells []cell
		for range 1 + random.IntN(4) {
			c := cell{Text: text(), Sort: text(), Mark: []string{"", "", text()}[random.IntN(3)], Link: links[random.IntN(len(links))], Away: random.IntN(2) == 0, Number: random.IntN(2) == 0, Word: random.IntN(2) == 0, Label: text()}
			if random.IntN(3) == 0 {
				c.Parts = []string{text(), text()}
			}
			if random.IntN(3) == 0 {
				c.Range = &interval{text(), text(), text(), text()}
			}
			cells = append(cells, c)
		}
		var b strings.Builder
		if err := want.Execute(&b, cells); err != nil {
			t.Fatal(err)
		}
		var written strings.Builder
		err := row(&written, cells)
		got := written.String()
		if err != nil || got != b.String() {
			t.Fatalf("%+v\nis  %s\nnot %s (%v)", cells, got, b.String(), err)
		}
	}
}

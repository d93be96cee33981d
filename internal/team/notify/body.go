package notify

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/message"
	"cairn/internal/text"
)

// Body is a message as a kind of channel gets it: for Slack the text and blocks
// of an incoming webhook, for a webhook the document of docs/alerts.md, for a
// mail {"subject", "text", "html"}.
func Body(kind string, m message.Message) (jsontext.Value, error) {
	m = m.Clean()
	var body any
	switch kind {
	case Slack:
		body = slackOf(m)
	case Webhook:
		body = hook{Event: m.Event, At: m.At.UTC().Format("2006-01-02T15:04:05Z"), Team: m.Team, Title: m.Title, Text: m.Plain(), Link: m.Link, Data: m.Data}
	case Mail:
		html, err := htmlOf(m)
		if err != nil {
			return nil, err
		}
		body = letter{Subject: text.Clip("[cairn] "+m.Title, mostSubject), Text: m.Plain(), HTML: html}
	default:
		return nil, fmt.Errorf("no channel is of the kind %q", kind)
	}
	data, err := json.Marshal(body, json.Deterministic(true))
	return data, err
}

type letter struct {
	Subject string `json:"subject"`
	Text    string `json:"text"`
	HTML    string `json:"html"`
}

// A hook is what a webhook's receiver gets.
type hook struct {
	Event string         `json:"event"`
	At    string         `json:"at"`
	Team  string         `json:"team"`
	Title string         `json:"title"`
	Text  string         `json:"text"`
	Link  string         `json:"link,omitzero"`
	Data  jsontext.Value `json:"data,omitzero"`
}

// What Slack takes of a message, and what is enough of a subject.
const (
	mostHeader, mostBlock, mostBlocks, mostSubject = 150, 2900, 48, 150
)

type block struct {
	Type string     `json:"type"`
	Text *blockText `json:"text,omitempty"`
}

type blockText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type slackBody struct {
	Text   string  `json:"text"` // of notifications, and where blocks are not shown
	Blocks []block `json:"blocks"`
}

func slackOf(m message.Message) slackBody {
	b := slackBody{Text: slackText(text.Clip(m.Title, mostHeader*2))}
	b.Blocks = append(b.Blocks, block{"header", &blockText{"plain_text", text.Clip(m.Title, mostHeader)}})
	add := func(s string) {
		if s != "" && len(b.Blocks) < mostBlocks {
			b.Blocks = append(b.Blocks, block{"section", &blockText{"mrkdwn", text.Clip(s, mostBlock)}})
		}
	}
	add(slackText(m.Text))
	for _, s := range m.Sections {
		text := "*" + slackText(s.Head) + "*"
		for _, l := range s.Lines {
			text += "\n• " + slackText(l)
		}
		if s.Note != "" {
			text += "\n_" + slackText(s.Note) + "_"
		}
		add(text)
	}
	if m.Link != "" {
		add("<" + slackText(m.Link) + ">")
	}
	return b
}

// slackText takes a text's markup away: of Slack's signs <, > and & are what can
// name a person, a channel or an address; the others only change how it looks.
func slackText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "*", "∗", "`", "ˋ").Replace(s)
}

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("mail").Parse(`<!doctype html><html lang="en"><meta charset="utf-8"><body style="font-family:sans-serif;max-width:40em">
<h1 style="font-size:1.25em">{{.Title}}</h1>
{{with .Text}}<p>{{.}}</p>
{{end}}{{range .Sections}}<h2 style="font-size:1.05em">{{.Head}}</h2>
{{with .Lines}}<ul>{{range .}}<li>{{.}}</li>
{{end}}</ul>
{{end}}{{with .Note}}<p style="color:#555">{{.}}</p>
{{end}}{{end}}{{with .Link}}<p><a href="{{.}}">{{.}}</a></p>
{{end}}</body></html>
`))
})

func htmlOf(m message.Message) (string, error) {
	var b bytes.Buffer
	err := page().Execute(&b, m)
	return b.String(), err
}

package wire

import "github.com/go-json-experiment/json/jsontext"

// Digested answers a GET of Digest.
type Digested struct {
	Markdown string         `json:"markdown"`
	Data     jsontext.Value `json:"data"` // what a webhook gets of it
}

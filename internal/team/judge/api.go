package judge

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// An api is one way to ask a model.
type api interface {
	// request returns where below the endpoint's address a message goes, and
	// what goes there.
	request(m *message) (path []string, body any)
	// sign puts the key into a request.
	sign(h http.Header, key string)
	// reply reads an answer with status 200.
	reply(data []byte) (reply, error)
}

// message is what a model is asked.
type message struct {
	model       string
	system      string
	turns       []turn
	schema      map[string]any
	limit       int // tokens of the answer, thinking among them
	temperature *float64
	without     map[string]bool // optional parts that the server has refused
}

type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Optional parts of a request, as servers call them when they refuse one.
const (
	partSchema = "schema"
	partLimit  = "limit"
)

// reply is what came back.
type reply struct {
	text    string
	usage   result.Cost // tokens of one call
	stopped stop
	refusal string // what it said instead
}

// stop is why an answer ended.
type stop int

const (
	done stop = iota
	full      // at the limit of tokens
	refused
)

// encode writes a request. What was cut in the middle of a letter by a runner
// is sent with a mark for it.
func encode(body any) ([]byte, error) {
	return json.Marshal(body, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// refusedPart is the optional part of a request that a server's message says
// it does not take, "" if it says of none.
func refusedPart(message string) string {
	for _, p := range [...]struct{ said, part string }{
		{"output_config", partSchema}, {"output_format", partSchema}, {"response_format", partSchema}, {"json_schema", partSchema}, {"structured output", partSchema},
		{"max_completion_tokens", partLimit}, {"max_tokens", partLimit},
	} {
		if strings.Contains(strings.ToLower(message), p.said) {
			return p.part
		}
	}
	return ""
}

package usage

import (
	"encoding/json"
	"strconv"
)

// line is the entry as json.Marshal writes it. That would look at the type by
// reflection, in every hook anew, which takes longer than all of the rest of Append.
func (e Entry) line() ([]byte, error) {
	if e.Verifier != nil { // it waited for a model
		return json.Marshal(e)
	}
	at, err := e.Time.MarshalJSON()
	if err != nil {
		return nil, err
	}
	b := append(make([]byte, 0, 512), `{"time":`...)
	b = append(b, at...)
	b = appendString(append(b, `,"path":`...), e.Path)
	for _, s := range [...]struct{ key, value string }{
		{`,"agent":`, e.Agent}, {`,"session":`, e.Session}, {`,"project":`, e.Project}, {`,"tool":`, e.Tool},
		{`,"call":`, e.Call}, {`,"rule":`, e.Rule}, {`,"exit":`, e.Exit},
	} {
		if s.value != "" {
			b = appendString(append(b, s.key...), s.value)
		}
	}
	for _, n := range [...]struct {
		key   string
		value int
	}{{`,"lines":`, e.Lines}, {`,"linesAfter":`, e.LinesAfter}, {`,"tokens":`, e.Tokens}, {`,"without":`, e.Without}, {`,"with":`, e.With}} {
		b = strconv.AppendInt(append(b, n.key...), int64(n.value), 10)
	}
	if e.Guard != 0 {
		b = strconv.AppendInt(append(b, `,"guard":`...), int64(e.Guard), 10)
	}
	if e.Raw != "" {
		b = appendString(append(b, `,"raw":`...), e.Raw)
	}
	if e.Ms != 0 {
		b = strconv.AppendInt(append(b, `,"ms":`...), e.Ms, 10)
	}
	return append(b, '}'), nil
}

// appendString adds a string of JSON.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(s) // a string has no error
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

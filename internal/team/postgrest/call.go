package postgrest

import (
	"bytes"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
)

// ParseCall reads a request for a function: its arguments by name, from one JSON
// object, or from nothing. Which function there is, and with which arguments, is
// not known here.
func ParseCall(method, rawQuery string, body []byte) (map[string]jsontext.Value, *Error) {
	if method != http.MethodPost {
		e := Unsupported("calling a function with %s is not supported; send its arguments as JSON with POST", short(method))
		e.Status, e.Code = http.StatusMethodNotAllowed, "PGRST101"
		return nil, e
	}
	if params, err := split(rawQuery); err != nil {
		return nil, err
	} else if len(params) > 0 {
		return nil, Unsupported("the parameter %s of a function is not supported; it answers with all that it has, and its arguments are in the body", short(params[0].key))
	}
	args := map[string]jsontext.Value{}
	if len(bytes.TrimSpace(body)) == 0 {
		return args, nil
	}
	if err := checkDepth(body); err != nil {
		return nil, err
	}
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if d.PeekKind() != '{' {
		return nil, badBody("Empty or invalid json")
	}
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() != '}' {
		var name jsontext.Token
		if name, err = d.ReadToken(); err != nil {
			break
		}
		if len(args) == MaxNames {
			return nil, tooMuch("a function has more than %d arguments", MaxNames)
		}
		key := name.String()
		var v jsontext.Value
		if v, err = d.ReadValue(); err == nil {
			end := d.InputOffset()
			args[key] = jsontext.Value(body[end-int64(len(v)) : end])
		}
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	if err != nil || len(bytes.TrimSpace(body[d.InputOffset():])) > 0 {
		return nil, badBody("Empty or invalid json")
	}
	return args, nil
}

package postgrest

import (
	"bytes"
	"net/http"

	"github.com/go-json-experiment/json"
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
	if err := json.Unmarshal(body, &args); err != nil || args == nil {
		return nil, badBody("Empty or invalid json")
	}
	return args, nil
}

package auth

import (
	"bytes"
	"cairn/internal/team/server/api"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mostBody is the most bytes of a request.
const mostBody = 128 << 10

// read fills v from the request's JSON.
func read(w http.ResponseWriter, r *http.Request, v any) error {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		return failure{status: 413, code: "request_entity_too_large", message: fmt.Sprintf("Request body too large (max %d bytes)", mostBody)}
	case err != nil:
		return failure{status: 400, code: "bad_json", message: "Could not parse request body as JSON"}
	case hasNUL(data):
		return failure{status: 400, code: "bad_json", message: "Request body has a text with U+0000, which cannot be kept"}
	}
	return nil
}

// hasNUL says whether a text of a JSON value has U+0000, which PostgreSQL cannot keep.
func hasNUL(data []byte) bool {
	if !bytes.Contains(data, []byte(`\u0000`)) {
		return false
	}
	for d := jsontext.NewDecoder(bytes.NewReader(data)); ; {
		t, err := d.ReadToken()
		switch {
		case err != nil:
			return false
		case t.Kind() == '"' && strings.ContainsRune(t.String(), 0):
			return true
		}
	}
}

// answer sends JSON with the type that GoTrue gives it.
func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	api.Send(w, status, v)
}

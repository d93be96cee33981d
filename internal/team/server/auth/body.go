package auth

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
)

// mostBody is the most bytes of a request.
const mostBody = 1 << 20

// read fills v from the request's JSON.
func read(w http.ResponseWriter, r *http.Request, v any) error {
	err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, mostBody), v)
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		return failure{status: 413, code: "request_entity_too_large", message: fmt.Sprintf("Request body too large (max %d bytes)", mostBody)}
	case err != nil:
		return failure{status: 400, code: "bad_json", message: "Could not parse request body as JSON"}
	}
	return nil
}

// answer writes JSON.
func answer(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		http.Error(w, "the answer could not be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data) // who went away gets nothing
}

package postgrest

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// A Format is how rows are sent.
type Format uint8

const (
	Array  Format = iota // a JSON array
	Object               // one row as a JSON object; an error if there is not exactly one
)

// ContentType of an answer of this format.
func (f Format) ContentType() string {
	if f == Object {
		return "application/vnd.pgrst.object+json; charset=utf-8"
	}
	return "application/json; charset=utf-8"
}

// ParseAccept returns the format that a client likes best of those that there are.
func ParseAccept(headers []string) (best Format, failed *Error) {
	accept := strings.Join(headers, ",")
	if strings.TrimSpace(accept) == "" {
		return Array, nil
	}
	most := 0.0
	for one := range strings.SplitSeq(accept, ",") {
		kind, params, err := mime.ParseMediaType(one)
		if err != nil || params["nulls"] == "stripped" {
			continue
		}
		f := Array
		switch kind {
		case "*/*", "application/*", "application/json", "application/vnd.pgrst.array", "application/vnd.pgrst.array+json":
		case "application/vnd.pgrst.object", "application/vnd.pgrst.object+json":
			f = Object
		default:
			continue
		}
		q := 1.0
		if given, err := strconv.ParseFloat(params["q"], 64); err == nil {
			q = given
		}
		if q > most {
			most, best = q, f
		}
	}
	if most == 0 {
		return Array, fault(http.StatusNotAcceptable, "PGRST107", "None of these media types are available: %s", short(accept)).
			but("ask for application/json, or for application/vnd.pgrst.object+json where there is one row")
	}
	return best, nil
}

// CheckProfile refuses every schema but public.
func CheckProfile(schema string) *Error {
	if schema == "" || schema == "public" {
		return nil
	}
	return fault(http.StatusNotAcceptable, "PGRST106", "Invalid schema: %s", short(schema)).
		but("Only the following schemas are exposed: public")
}

// CheckContentType refuses a body that is not JSON. A body without a type is taken for it.
func CheckContentType(header string) *Error {
	if header == "" {
		return nil
	}
	kind, _, err := mime.ParseMediaType(header)
	if err != nil || kind != "application/json" && kind != "application/vnd.pgrst.object+json" && kind != "application/vnd.pgrst.array+json" {
		return fault(http.StatusUnsupportedMediaType, "PGRST107", "Content-Type not acceptable: %s", short(header))
	}
	return nil
}

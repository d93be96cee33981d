package postgrest

import (
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// A Format is how rows are sent.
type Format uint8

const (
	Array  Format = iota // a JSON array
	Object               // one row as a JSON object; an error if there is not exactly one
	CSV
)

// A Media is an answer's format.
type Media struct {
	Format Format
	// StripNulls: members that are null are left out.
	StripNulls bool
}

// ContentType of an answer of this format.
func (m Media) ContentType() string {
	nulls := ""
	if m.StripNulls {
		nulls = "nulls=stripped; "
	}
	switch {
	case m.Format == CSV:
		return "text/csv; charset=utf-8"
	case m.Format == Object:
		return "application/vnd.pgrst.object+json; " + nulls + "charset=utf-8"
	case m.StripNulls:
		return "application/vnd.pgrst.array+json; " + nulls + "charset=utf-8"
	}
	return "application/json; charset=utf-8"
}

// ParseAccept returns the format that a client likes best of those that there are.
func ParseAccept(headers []string) (Media, *Error) {
	accept := strings.Join(headers, ",")
	if strings.TrimSpace(accept) == "" {
		return Media{}, nil
	}
	type choice struct {
		Media
		q float64
	}
	var choices []choice
	for _, one := range split1(accept) {
		kind, params, err := mime.ParseMediaType(one)
		if err != nil {
			continue
		}
		c := choice{q: 1}
		if q, err := strconv.ParseFloat(params["q"], 64); err == nil {
			c.q = q
		}
		c.StripNulls = params["nulls"] == "stripped"
		switch kind {
		case "*/*", "application/*", "application/json":
			c.StripNulls = false
		case "application/vnd.pgrst.array", "application/vnd.pgrst.array+json":
		case "application/vnd.pgrst.object", "application/vnd.pgrst.object+json":
			c.Format = Object
		case "text/csv", "text/*":
			c.Format, c.StripNulls = CSV, false
		default:
			continue
		}
		if c.q > 0 {
			choices = append(choices, c)
		}
	}
	if len(choices) == 0 {
		return Media{}, fault(http.StatusNotAcceptable, "PGRST107", "None of these media types are available: %s", short(accept))
	}
	return slices.MaxFunc(choices, func(a, b choice) int {
		switch {
		case a.q > b.q:
			return 1
		case a.q < b.q:
			return -1
		}
		return 0
	}).Media, nil
}

// split1 splits a header at the commas that stand outside of quotes.
func split1(header string) []string {
	var parts []string
	quoted, start := false, 0
	for i := range len(header) {
		switch header[i] {
		case '"':
			quoted = !quoted
		case ',':
			if !quoted {
				parts = append(parts, header[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, header[start:])
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

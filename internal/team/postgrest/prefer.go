package postgrest

import (
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// ParsePreferences reads Prefer headers. What is not known is passed over, as
// HTTP has it, or refused under handling=strict; what would leave something else
// in the database than the client expects is refused. Of two for the same the
// first counts.
func ParsePreferences(headers []string) (Preferences, *Error) {
	var p Preferences
	var seen, invalid []string
	for one := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		one = strings.TrimSpace(one)
		name, value, _ := strings.Cut(one, "=")
		if one == "" || slices.Contains(seen, name) {
			continue
		}
		if one == "tx=rollback" {
			return p, Unsupported("the preference tx=rollback is not supported; every write that succeeds stays")
		}
		if p.set(name, value) {
			seen = append(seen, name)
		} else if len(invalid) < 20 {
			invalid = append(invalid, short(one))
		}
	}
	if p.Handling == "strict" && len(invalid) > 0 {
		return p, fault(http.StatusBadRequest, "PGRST122", "Invalid preferences given with handling=strict").
			because("Invalid preferences: %s; return, count, resolution, missing and handling are known", strings.Join(invalid, ", "))
	}
	return p, nil
}

// set takes one preference, false if it is none.
func (p *Preferences) set(name, value string) bool {
	for _, known := range [...]struct {
		name    string
		to      *string
		choices []string
	}{
		{"return", &p.Return, []string{"minimal", "representation"}},
		{"count", &p.Count, []string{"exact", "planned", "estimated"}},
		{"resolution", &p.Resolution, []string{"merge-duplicates", "ignore-duplicates"}},
		{"missing", &p.Missing, []string{"default", "null"}},
		{"handling", &p.Handling, []string{"strict", "lenient"}},
	} {
		if known.name == name && slices.Contains(known.choices, value) {
			*known.to = value
			return true
		}
	}
	return false
}

// Applied is the Preference-Applied header for a method, in PostgREST's order;
// upsert says that a resolution had a key to work with.
func (p Preferences) Applied(method string, upsert bool) string {
	var list []string
	add := func(name, value string) {
		if value != "" {
			list = append(list, name+"="+value)
		}
	}
	if upsert {
		add("resolution", p.Resolution)
	}
	if method == http.MethodPost || method == http.MethodPatch {
		add("missing", p.Missing)
	}
	if method != http.MethodGet && method != http.MethodHead {
		add("return", p.Return)
	}
	add("count", p.Count)
	add("handling", p.Handling)
	return strings.Join(list, ", ")
}

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

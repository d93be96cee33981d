package postgrest

import (
	"net/http"
	"slices"
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

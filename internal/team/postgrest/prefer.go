package postgrest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// ParsePreferences reads Prefer headers. What is not known or has a value that
// is not known is passed over, or refused under handling=strict. Of two for the
// same the first counts.
func ParsePreferences(headers []string) (Preferences, *Error) {
	p := Preferences{MaxAffected: -1}
	var seen, invalid []string
	for _, one := range strings.Split(strings.Join(headers, ","), ",") {
		one = strings.TrimSpace(one)
		name, value, _ := strings.Cut(one, "=")
		if one == "" || slices.Contains(seen, name) {
			continue
		}
		if p.set(name, value) {
			seen = append(seen, name)
		} else if len(invalid) < 20 {
			invalid = append(invalid, short(one))
		}
	}
	if p.Strict() && len(invalid) > 0 {
		return p, fault(http.StatusBadRequest, "PGRST122", "Invalid preferences given with handling=strict").
			because("Invalid preferences: %s", strings.Join(invalid, ", "))
	}
	return p, nil
}

// set takes one preference, false if it is none.
func (p *Preferences) set(name, value string) bool {
	choose := func(to *string, choices ...string) bool {
		if slices.Contains(choices, value) {
			*to = value
			return true
		}
		return false
	}
	switch name {
	case "return":
		return choose(&p.Return, "minimal", "headers-only", "representation")
	case "count":
		return choose(&p.Count, "exact", "planned", "estimated")
	case "resolution":
		return choose(&p.Resolution, "merge-duplicates", "ignore-duplicates")
	case "missing":
		return choose(&p.Missing, "default", "null")
	case "tx":
		return choose(&p.Tx, "commit", "rollback")
	case "handling":
		return choose(&p.Handling, "strict", "lenient")
	case "max-affected":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return false
		}
		p.MaxAffected = n
		return true
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
	writes := method != http.MethodGet && method != http.MethodHead
	if upsert {
		add("resolution", p.Resolution)
	}
	if method == http.MethodPost || method == http.MethodPatch {
		add("missing", p.Missing)
	}
	if writes {
		add("return", p.Return)
	}
	add("count", p.Count)
	add("tx", p.Tx)
	add("handling", p.Handling)
	if p.Strict() && p.MaxAffected >= 0 && writes {
		add("max-affected", strconv.Itoa(p.MaxAffected))
	}
	return strings.Join(list, ", ")
}

package settings

import (
	"strings"

	"cairn/internal/jsonc"
)

// Mask returns the value at a path as it may be shown: of a secret only the
// last four characters, of a short one none.
func Mask(path string, v any) any {
	switch v := v.(type) {
	case jsonc.Object:
		out := make(jsonc.Object, len(v))
		for i, m := range v {
			out[i] = jsonc.Member{Name: m.Name, Value: Mask(join(path, m.Name), m.Value)}
		}
		return out
	case string:
		if IsSecret(path) {
			return MaskText(v)
		}
	}
	return v
}

// MaskText is Mask for the text of a secret.
func MaskText(v string) string {
	switch r := []rune(v); {
	case v == "":
		return "(unset)"
	case len(r) < 8:
		return "****"
	default:
		return "****" + string(r[len(r)-4:])
	}
}

// IsSecret reports whether a text at that key is a secret.
func IsSecret(key string) bool {
	r, ok := Find(key)
	return ok && r.Secret
}

// join returns the path of a member.
func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

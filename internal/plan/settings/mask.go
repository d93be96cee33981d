package settings

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/plan"
)

// Mask returns the value of a key as it may be shown: of a secret only the
// last four characters, of a short one none.
func Mask(key string, v any) any {
	switch v := v.(type) {
	case jsonc.Object:
		out := make(jsonc.Object, len(v))
		for i, m := range v {
			out[i] = jsonc.Member{Name: m.Name, Value: Mask(join(key, m.Name), m.Value)}
		}
		return out
	case string:
		if isSecret(key) {
			return maskText(v)
		}
	case nil:
		if isSecret(key) {
			return maskText("")
		}
	}
	return v
}

// maskText is Mask for the text of a secret.
func maskText(v string) string {
	switch r := []rune(v); {
	case v == "":
		return "(unset)"
	case len(r) < 8:
		return "****"
	default:
		return "****" + string(r[len(r)-4:])
	}
}

// isSecret reports whether a text at that key is a secret.
func isSecret(key string) bool {
	return slices.Contains(secrets(), key)
}

// secrets are the keys of secrets: ours, and those of files that gsd-core reads, too.
func secrets() []string {
	keys := slices.Clone(successorSecrets[:])
	for _, r := range Rows() {
		if r.Secret {
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// join returns the path of a member.
func join(key, name string) string { return strings.TrimPrefix(key+"."+name, ".") }

// MaskChange masks the secrets in the config.json files of a change, which
// then may be shown as a diff.
func MaskChange(c *plan.Change) {
	for i, f := range c.Files {
		if path.Base(f.Path) == FileName {
			c.Files[i].Before, c.Files[i].After = maskFile(f.Before), maskFile(f.After)
		}
	}
}

// maskFile masks the secrets in a file's text; what is not JSON stays.
func maskFile(text []byte) []byte {
	d, err := jsonc.Parse(text)
	if err != nil {
		return text
	}
	for _, key := range secrets() {
		p := pathOf(key)
		if d.Kind(p) != '"' {
			continue
		}
		if masked, err := d.Replace(p, maskText(d.String(p))); err == nil {
			d = masked
		}
	}
	return d.Bytes()
}

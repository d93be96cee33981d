package install

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"cairn/internal/host"
)

// ownText is the file that belongs to us wholly, as the row has it.
func ownText(h host.Host, binary string) []byte {
	quote := func(s string) string {
		quoted, err := json.Marshal(s)
		if err != nil { // a string always encodes
			panic(err)
		}
		return string(quoted)
	}
	return []byte(strings.NewReplacer(
		`"@binary@"`, quote(strings.ReplaceAll(binary, `\`, "/")), `"@command@"`, quote(hookCommand(binary, h.Name)),
	).Replace(string(h.Own)))
}

// isOwn reports whether a file in the place of ours is one: its name is ours,
// and it calls a hook of this host.
func isOwn(h host.Host, text []byte) bool {
	return bytes.Contains(text, []byte("cairn")) && bytes.Contains(text, []byte(h.Name))
}

// withoutOwn is without for a file that belongs to us wholly: what stood in
// its place before.
func (f *settings) withoutOwn(h host.Host, rec *Record) []byte {
	switch {
	case !f.exists, rec == nil && isOwn(h, f.data):
		return nil
	case rec == nil:
		return f.data
	case !rec.Existed:
		return nil
	}
	return slices.Clone(rec.Original)
}

// ownFile checks a file that belongs to us wholly, and returns the command
// that it stands for, or "" when it is not there.
func (c *checkup) ownFile() string {
	h, name := c.target.Host, c.target.Settings()
	text, err := os.ReadFile(name)
	switch {
	case err != nil || !isOwn(h, text):
		c.add("hooks", Fail, "cairn install "+h.Name, "%s is not there, or not ours", name)
		return ""
	case !bytes.Equal(text, ownText(h, c.binary())):
		c.add("hooks", Warn, "cairn doctor "+h.Name+" --fix", "%s is not as this cairn would write it", name)
	default:
		c.add("hooks", OK, "", "%s", name)
	}
	return hookCommand(c.binary(), h.Name)
}

package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cairn/internal/host"
)

// ownText is the file that belongs to us wholly, as the row has it.
func ownText(h host.Host, binary string) []byte {
	quote := func(s string) string {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil { // a string always encodes
			panic(err)
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	command := hookCommand(binary, h.Name)
	return []byte(strings.NewReplacer(
		`"@host@"`, quote(h.Name), `"@binary@"`, quote(slashed(binary)),
		`"@command@"`, quote(command), `"@powershell@"`, quote("& "+command),
		`"@timeout@"`, strconv.FormatInt(h.Timeout.Milliseconds(), 10),
	).Replace(string(h.Own)))
}

// isOwn reports whether a file in the place of ours is one: it has cairn call
// a hook of this host.
func isOwn(h host.Host, text []byte) bool {
	for _, word := range []string{"cairn", "hook", h.Name} {
		if !bytes.Contains(text, []byte(word)) {
			return false
		}
	}
	return true
}

// ErrForeign is a file of somebody else's where ours would be. It was not
// changed.
var ErrForeign = errors.New("this file is not cairn's")

// withoutOwn is without for a file that belongs to us wholly: nil, or the text
// of a file that is not ours.
func (f *settings) withoutOwn(h host.Host, rec *Record) []byte {
	if f.isUntouched(rec) || f.exists && isOwn(h, f.data) {
		return nil
	}
	return f.data
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

// ownRivals warns of files beside ours that speak of the same event: where a
// host takes a file of ours, it takes those of others too.
func (c *checkup) ownRivals() {
	h, ours := c.target.Host, c.target.Settings()
	others, _ := filepath.Glob(filepath.Join(filepath.Dir(ours), "*"+filepath.Ext(ours)))
	for _, name := range others {
		text, err := os.ReadFile(name)
		if name != ours && err == nil && bytes.Contains(text, []byte(h.ReplaceEvent)) {
			c.add("rivals", Warn, "if it replaces output too, what the model reads is decided by the last", "%s: %s is called for too", name, h.ReplaceEvent)
		}
	}
}

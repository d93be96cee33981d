package install

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"cairn/internal/host"
)

// callsFor reports whether a file of ours in t's host serves one of the parts:
// it is compaction's, and the plan's too where the row has hooks for that.
func callsFor(h host.Host, parts []host.Part) bool {
	return slices.Contains(parts, host.Compact) || len(h.HooksOn("", parts...)) > 0
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
var ErrForeign = error(&mistake{"this file is not cairn's", "rename it, then run this again; it was not changed"})

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
		c.add("hooks", Fail, "cairn install "+c.words, "%s is not there, or not ours", name)
		return ""
	case string(text) != c.caller(c.target, c.parts).fill(h.OwnText()):
		c.add("hooks", Warn, c.again(), "%s is not as this cairn would write it", name)
	default:
		c.add("hooks", OK, "", "%s", name)
	}
	return c.caller(c.target, c.parts).command()
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

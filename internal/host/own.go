package host

import (
	"embed"
	"strings"
)

//go:embed own sample
var files embed.FS

// OwnText is the text of Settings, see Own.
func (h Host) OwnText() string {
	var text strings.Builder
	for _, name := range h.Own {
		part, _ := files.ReadFile("own/" + name) // a test installs each
		text.Write(part)
	}
	return text.String()
}

// Sample is an envelope of ReplaceEvent as the host sends it on stdin,
// captured from a real one, or built by its documentation. It has nothing in it
// that we would cut. Nil: there is none.
func (h Host) Sample() []byte {
	data, _ := files.ReadFile("sample/" + h.Name + ".json")
	return data
}

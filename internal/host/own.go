package host

import (
	_ "embed" // how a plugin asks us
	"slices"
)

//go:embed own/ask.js
var askScript []byte

// plugin is a file of ours for a host with plugins in JavaScript: how to ask
// us, and what of the host's own calls that.
func plugin(script []byte) []byte { return slices.Concat(askScript, script) }

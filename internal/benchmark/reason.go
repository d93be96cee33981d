package benchmark

import (
	"strings"

	"cairn/internal/compact"
	"cairn/internal/transcript"
)

// A Reason says why a result counts neither for cairn nor against it.
type Reason string

// The reasons. A result without one is what cairn may touch: whatever the
// engine makes of it counts.
const (
	Touched  Reason = ""
	Small    Reason = "small"
	Kept     Reason = "kept"
	Prose    Reason = "prose"
	NoHook   Reason = "nohook"
	NoShim   Reason = "noshim"
	Denied   Reason = "denied"
	Clipped  Reason = "clipped"
	Image    Reason = "image"
	Ours     Reason = "ours"
	Detached Reason = "detached"
)

// reasons say it to a reader.
var reasons = map[Reason]string{
	Kept:     "file content an agent may edit or quote: stays exact",
	Prose:    "text that a person wrote: stays whole at this level",
	NoHook:   "no hook can replace this tool's result",
	NoShim:   "failing command that cairn does not see",
	Clipped:  "cut by the agent itself: cairn shows more, counted apart",
	Small:    "under 400 bytes",
	Denied:   "refused, or the tool itself failed",
	Image:    "not only text",
	Detached: "in the background",
	Ours:     "compacted by cairn when it ran",
}

const smallBytes = 400 // as the hook has it: a result below cannot save as much

// untouchable says why a result is none of cairn's business, before anything
// is compacted.
func untouchable(c *transcript.Call) Reason {
	switch {
	case hasHeader(c.Body):
		return Ours
	case c.Images:
		return Image
	case c.Background:
		return Detached
	case c.Clipped || c.Complete != "":
		return Clipped
	case c.Failed && (c.Exit == nil || *c.Exit == 0):
		return Denied
	case len(c.Body) < smallBytes:
		return Small
	}
	return Touched
}

// hasHeader reports whether cairn's header is on the first line or, of an
// output that was shown in parts, on a later one.
func hasHeader(body string) bool {
	return strings.HasPrefix(body, compact.HeaderPrefix) || strings.Contains(body, "\n"+compact.HeaderPrefix)
}

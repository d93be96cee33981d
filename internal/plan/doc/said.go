package doc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Said is what a place of a document says of some work.
type Said int

const (
	Silent   Said = iota // nothing of its state
	SaysOpen             // it is yet to be done, or in work
	SaysDone
)

// Signs and words that say how far something is. A word that is in neither
// list says nothing; the first that is in one decides.
var saidSigns = map[rune]Said{
	'✅': SaysDone, '✓': SaysDone, '✔': SaysDone, '☑': SaysDone, '🚢': SaysDone, '🎉': SaysDone,
	'🚧': SaysOpen, '📋': SaysOpen, '⏳': SaysOpen, '🔄': SaysOpen, '⏸': SaysOpen, '📝': SaysOpen, '🔜': SaysOpen, '⬜': SaysOpen,
	'❌': SaysOpen, '🟡': SaysOpen, '🔵': SaysOpen, '⚪': SaysOpen, '○': SaysOpen, '◆': SaysOpen, '🚀': SaysOpen, '🛑': SaysOpen, '⏭': SaysOpen,
}

var saidWords = map[string]Said{
	"complete": SaysDone, "completed": SaysDone, "done": SaysDone, "shipped": SaysDone, "closed": SaysDone, "finished": SaysDone,
	"delivered": SaysDone, "implemented": SaysDone, "released": SaysDone, "verified": SaysDone, "passed": SaysDone, "archived": SaysDone,

	"not": SaysOpen, "incomplete": SaysOpen, "progress": SaysOpen, "work": SaysOpen, "pending": SaysOpen, "planned": SaysOpen, "planning": SaysOpen, "todo": SaysOpen,
	"blocked": SaysOpen, "deferred": SaysOpen, "partial": SaysOpen, "partially": SaysOpen, "verifying": SaysOpen, "executing": SaysOpen,
	"executed": SaysOpen, "active": SaysOpen, "current": SaysOpen, "ready": SaysOpen, "waiting": SaysOpen, "awaiting": SaysOpen,
	"upcoming": SaysOpen, "draft": SaysOpen, "started": SaysOpen, "open": SaysOpen, "next": SaysOpen, "tbd": SaysOpen, "wip": SaysOpen,
	"researched": SaysOpen, "discussed": SaysOpen, "paused": SaysOpen, "hold": SaysOpen, "future": SaysOpen, "needs": SaysOpen,
	"descoped": SaysOpen, "dropped": SaysOpen, "cancelled": SaysOpen, "canceled": SaysOpen, "skipped": SaysOpen, "superseded": SaysOpen, "nearly": SaysOpen,
	"mostly": SaysOpen, "almost": SaysOpen, "remaining": SaysOpen, "unstarted": SaysOpen, "failed": SaysOpen,
}

// Says reads a status: `Complete`, `✓ Complete`, `**Done** (1 plan)`, `In
// Progress (2/3 complete)`. Of 2/3 not everything is done.
func Says(status string) Said {
	for at := 0; at < len(status); {
		r, n := utf8.DecodeRuneInString(status[at:])
		if said := saidSigns[r]; said != Silent {
			return said
		}
		if !unicode.IsLetter(r) {
			at += n
			continue
		}
		end := at + strings.IndexFunc(status[at:], func(r rune) bool { return !unicode.IsLetter(r) })
		if end < at {
			end = len(status)
		}
		switch word := strings.ToLower(status[at:end]); {
		case saidWords[word] != Silent:
			return saidWords[word]
		case word == "fixed", word == "resolved": // of a title they may be part: (fixed width)
			return SaysDone
		}
		at = end
	}
	return Silent
}

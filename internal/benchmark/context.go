package benchmark

import (
	"hash/maphash"
	"strings"

	"cairn/internal/transcript"
)

// A context is what one model has before it: what it was shown, what it wrote,
// and which names stood only in the part of a result that was cut.
type context struct {
	seen   map[uint64]bool // names
	lines  map[uint64]bool
	hidden map[uint64]int // names, with the call whose result had them
}

type contextKey struct {
	session, agent string
	number         int
}

func newContext() *context {
	return &context{seen: map[uint64]bool{}, lines: map[uint64]bool{}, hidden: map[uint64]int{}}
}

var seed = maphash.MakeSeed()

func hash(s string) uint64 { return maphash.String(seed, s) }

// shown notes a text that the model has before it.
func (c *context) shown(text string) {
	names(text, func(word string) {
		h := hash(word)
		c.seen[h] = true
		delete(c.hidden, h)
	})
}

// cut notes what the result of a call had and the model would not have seen.
// What it is shown must have been noted before.
func (c *context) cut(body string, call int) {
	names(body, func(word string) {
		if h := hash(word); !c.seen[h] {
			if _, had := c.hidden[h]; !had {
				c.hidden[h] = call
			}
		}
	})
}

// missed gives each of the names in what the model writes that it had only from
// a part that was cut, with the call that had it.
func (c *context) missed(text string, each func(word string, call int)) {
	names(text, func(word string) {
		if call, ok := c.hidden[hash(word)]; ok {
			each(word, call)
		}
	})
}

// What a line must have, without its indentation, to count as one that need not
// be repeated; a shorter one counts behind such a line only.
const tellingLine = 12

// repeated is how many bytes of a text are in lines that the model has before
// it already, this text's own earlier ones among them.
func (c *context) repeated(text string) (bytes int) {
	run := false
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		h := hash(bare)
		run = bare != "" && c.lines[h] && (run || len(bare) >= tellingLine)
		if run {
			bytes += len(line)
		}
		c.lines[h] = true
	}
	return bytes
}

// wrote notes the lines that the model wrote itself.
func (c *context) wrote(text string) {
	for line := range strings.Lines(text) {
		c.lines[hash(strings.TrimSpace(line))] = true
	}
}

// context is the one in which a call was made.
func (b *ledger) context(c *transcript.Call) *context {
	return b.contextOf(contextKey{c.Session, c.Agent, c.Context})
}

func (b *ledger) contextOf(k contextKey) *context {
	if k.agent != "" {
		k.number = 0 // the summary of its parent is none of its own
	}
	if b.contexts[k] == nil {
		if k.agent == "" { // nobody returns to the one before
			delete(b.contexts, contextKey{k.session, "", k.number - 1})
		}
		b.contexts[k] = newContext()
	}
	return b.contexts[k]
}

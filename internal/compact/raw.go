package compact

// rawBuffer holds the output as it came: all of it while it is small, so that
// it can go out unchanged, and both ends of a large one for the tee.
type rawBuffer struct {
	whole string // given at once, by Compact
	held  []byte // all so far, or the head once ring is in use
	ring  []byte // the last bytes of a large output
	next  int    // where in ring the next byte goes
	total int

	unlimited bool // hold all of it, whatever its size

	tee   Tee    // where what is not held goes; with no Dir nowhere
	spill *spill // a large output on its way there, nil for none
}

const (
	rawWhole = 4 << 20   // an output up to this size is held whole
	rawEnd   = 512 << 10 // of a larger one, this much of either end
)

func (b *rawBuffer) Write(p []byte) {
	b.total += len(p)
	if b.ring == nil {
		if b.unlimited || len(b.held)+len(p) <= rawWhole {
			b.held = append(b.held, p...)
			return
		}
		all := append(b.held, p...)
		if b.tee.Dir != "" && b.tee.OnExit != "never" && !b.tee.Dry && b.tee.limit() > 2*rawEnd {
			b.spill = newSpill(b.tee)
			b.spill.write(all)
		}
		b.held = append([]byte(nil), all[:rawEnd]...)
		b.ring = append(make([]byte, 0, rawEnd), all[len(all)-rawEnd:]...)
		return
	}
	b.spill.write(p)
	if len(p) >= rawEnd {
		copy(b.ring, p[len(p)-rawEnd:])
		b.next = 0
		return
	}
	n := copy(b.ring[b.next:], p)
	copy(b.ring, p[n:])
	b.next = (b.next + len(p)) % rawEnd
}

// all returns the whole output, if it is still held.
func (b *rawBuffer) all() (string, bool) {
	if b.whole != "" || b.ring == nil {
		if b.whole == "" {
			return string(b.held), true
		}
		return b.whole, true
	}
	return "", false
}

// ends returns the head and the tail that are left of a large output, and how
// many bytes are missing between them.
func (b *rawBuffer) ends() (head, tail string, missing int) {
	tail = string(b.ring[b.next:]) + string(b.ring[:b.next])
	return string(b.held), tail, b.total - len(b.held) - len(tail)
}

package compact

import (
	"bufio"
	"bytes"
	"os"

	"cairn/internal/redact"
)

// A spill is an output too large to be held, on its way to the tee while the
// tool writes it.
type spill struct {
	id      string
	file    *os.File
	out     *bufio.Writer
	secrets *redact.Redactor
	open    []byte // a line that has no end yet
	written int    // bytes of the output that are in the file
	room    int    // for more of them; the rest is left to the end
	err     error
}

// openLine is how long a line may be until it is redacted in pieces.
const openLine = 1 << 20

func newSpill(t Tee) *spill {
	sp := &spill{secrets: redact.New(t.Redact...), room: t.limit() - rawEnd}
	if sp.id, sp.file, sp.err = createTee(t.Dir, randomIDs, func(string) bool { return false }); sp.err == nil {
		sp.out = bufio.NewWriterSize(sp.file, 256<<10)
	}
	return sp
}

// write takes the next bytes, as far as there is room for them.
func (sp *spill) write(p []byte) {
	if sp == nil || sp.err != nil || sp.room <= 0 {
		return
	}
	p = p[:min(len(p), sp.room)]
	sp.room -= len(p)
	sp.open = append(sp.open, p...)
	end := bytes.LastIndexByte(sp.open, '\n') + 1
	if end == 0 && len(sp.open) > openLine {
		end = len(sp.open)
	}
	sp.flush(end)
}

// flush writes the first n bytes of what is open.
func (sp *spill) flush(n int) {
	_, sp.err = sp.out.WriteString(sp.secrets.Text(string(sp.open[:n])))
	sp.written += n
	sp.open = append(sp.open[:0], sp.open[n:]...)
}

// spilled ends the stored output: with its last bytes, where it is longer than
// there was room for.
func (b *rawBuffer) spilled() (id, name string, err error) {
	sp := b.spill
	if sp.err == nil {
		sp.flush(len(sp.open))
	}
	if _, tail, _ := b.ends(); sp.err == nil && b.total > sp.written {
		if rest := b.total - sp.written; rest <= len(tail) {
			_, sp.err = sp.out.WriteString(sp.secrets.Text(tail[len(tail)-rest:]))
		} else {
			_, sp.err = sp.out.WriteString(afterGap(sp.secrets, tail, rest-len(tail)))
		}
	}
	if sp.err == nil {
		sp.err = sp.out.Flush()
	}
	if sp.file == nil {
		return "", "", sp.err
	}
	return sp.id, sp.file.Name(), closeTee(sp.file, sp.err)
}

// discard removes what was stored.
func (sp *spill) discard() {
	if sp != nil && sp.file != nil {
		sp.file.Close()
		os.Remove(sp.file.Name())
	}
}

// Package lines holds pure functions on lines of tool output: splitting and
// cleaning a stream, clipping what is too long, reducing a line to its
// template, and telling which lines speak of trouble.
//
// Only the packages of internal/compact may import it; it imports text alone.
// What a tool means by a line belongs to package record.
package lines

import (
	"bytes"
	"unicode/utf8"
)

// MaxLine is how many bytes of one line are held. Of a longer line only the
// first and last bytes are kept (see Clip), so that one endless line cannot
// exhaust memory.
const MaxLine = 1 << 20

// A Splitter cuts a stream into lines in constant memory. The zero value is
// ready; Each is called with every complete line, without its line feed. The
// bytes are valid only during the call.
type Splitter struct {
	Each func(line []byte)

	// Part, when set, is offered what is held of a line that is longer than
	// MaxLine, up to a comma or the end of a tag, and reports whether it took that. Each then has
	// the rest.
	Part func(piece []byte) bool

	part    []byte // the unfinished line, at most MaxLine bytes
	tail    []byte // the last bytes of a line that is longer than that
	dropped int    // how many bytes of that line are in neither
}

// Write takes the next bytes of the stream. It never fails.
func (s *Splitter) Write(p []byte) (int, error) {
	n := len(p)
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			s.hold(p)
			return n, nil
		}
		if len(s.part) == 0 && s.dropped == 0 {
			s.Each(p[:i])
		} else {
			s.hold(p[:i])
			s.flush()
		}
		p = p[i+1:]
	}
}

// Close emits a last line that did not end in a line feed.
func (s *Splitter) Close() {
	if len(s.part) > 0 || s.dropped > 0 {
		s.flush()
	}
}

func (s *Splitter) hold(p []byte) {
	for s.Part != nil && s.dropped == 0 && len(s.tail) == 0 && len(s.part)+len(p) > MaxLine {
		room := MaxLine - len(s.part)
		s.part = append(s.part, p[:room]...)
		p = p[room:]
		end := 0
		if bytes.HasPrefix(bytes.TrimLeft(s.part, " \t"), []byte("<")) {
			end = bytes.LastIndexByte(s.part, '>') + 1
		}
		if end == 0 {
			end = bytes.LastIndexByte(s.part, ',') + 1
		}
		if end == 0 || !s.Part(s.part[:end]) {
			break
		}
		s.part = s.part[:copy(s.part, s.part[end:])]
	}
	if room := MaxLine - len(s.part); room > 0 && s.dropped == 0 && len(s.tail) == 0 {
		if room > len(p) {
			room = len(p)
		}
		s.part = append(s.part, p[:room]...)
		p = p[room:]
	}
	if len(p) == 0 {
		return
	}
	if over := len(s.tail) + len(p) - ClipTail; over > 0 {
		s.dropped += over
		if len(p) >= ClipTail {
			s.tail = append(s.tail[:0], p[len(p)-ClipTail:]...)
			return
		}
		s.tail = append(s.tail[:0], s.tail[over:]...)
	}
	s.tail = append(s.tail, p...)
}

func (s *Splitter) flush() {
	line := s.part
	if len(s.tail) > 0 {
		// The middle is gone already: give what Clip would have left of it.
		cut := s.dropped + len(s.part) - ClipHead
		line = append(clipMarked(runeEnd(s.part, ClipHead), cut), runeStart(s.tail)...)
	}
	s.Each(line)
	s.part, s.tail, s.dropped = s.part[:0], s.tail[:0], 0
}

// runeEnd returns at most the first n bytes of b, ending at a whole rune.
func runeEnd(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n:n]
}

// runeStart drops the bytes of a rune whose start is missing.
func runeStart(b []byte) []byte {
	for len(b) > 0 && !utf8.RuneStart(b[0]) {
		b = b[1:]
	}
	return b
}

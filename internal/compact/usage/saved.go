package usage

import (
	"bytes"
	"io"
	"os"
)

// savedTail is how much of the account's end is looked at, in bytes: some
// hundreds of entries. Who asks does so several times a second.
const savedTail = 256 << 10

// Saved returns how many tokens a session was spared, by the end of the
// account: what was before is not counted.
func Saved(name, session string) (tokens int, err error) {
	if session == "" {
		return 0, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	_, _ = f.Seek(-savedTail, io.SeekEnd) // a shorter file is read from its start
	data, err := io.ReadAll(io.LimitReader(f, savedTail))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(data) {
		if bytes.Contains(line, []byte(session)) {
			if e, ok := parse(line); ok && e.Session == session {
				tokens += e.Without - e.With
			}
		}
	}
	return tokens, nil
}

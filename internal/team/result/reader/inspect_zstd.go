package reader

import (
	"bytes"
	"io"

	"cairn/internal/team/result/reader/zstd"
)

// zstdMethod is how current versions of Inspect pack their logs: Zstandard, 93
// of the zip format's APPNOTE 4.4.5.
const zstdMethod = 93

// zstdReader unpacks an entry when it is first read, within the limits of one.
func zstdReader(r io.Reader) io.ReadCloser { return &zstdEntry{in: r} }

type zstdEntry struct {
	in  io.Reader
	out *bytes.Reader
	err error
}

func (e *zstdEntry) Read(p []byte) (int, error) {
	if e.out == nil && e.err == nil {
		var packed, unpacked []byte
		if packed, e.err = io.ReadAll(e.in); e.err == nil {
			unpacked, e.err = zstd.Decode(packed, mostOf(len(packed)))
		}
		e.out = bytes.NewReader(unpacked)
	}
	if e.err != nil {
		return 0, e.err
	}
	return e.out.Read(p)
}

func (e *zstdEntry) Close() error { return nil }

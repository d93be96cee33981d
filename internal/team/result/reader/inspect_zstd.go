package reader

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdMethod is how current versions of Inspect pack their logs: Zstandard, 93
// of the zip format's APPNOTE 4.4.5.
const zstdMethod = 93

// zstdReader unpacks with one goroutine and a window of at most 64 MB.
func zstdReader(r io.Reader) io.ReadCloser {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20), zstd.WithDecoderLowmem(true))
	if err != nil {
		return failed{err}
	}
	return d.IOReadCloser()
}

type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }
func (f failed) Close() error             { return nil }

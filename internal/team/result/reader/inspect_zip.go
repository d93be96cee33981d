package reader

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// Limits of an .eval file. A sample holds a whole conversation with pictures;
// deflate packs JSON of this kind to a tenth, a bomb to a thousandth.
const (
	mostEntries  = 200_000
	mostEntry    = 256 << 20 // bytes of one, unpacked
	mostUnpacked = 2 << 30   // bytes of all
	mostRatio    = 200       // unpacked to packed, past the first megabyte
)

// readInspectZip reads an .eval file: header.json and a file a sample. A log
// that was not finished has no header but the beginning in its journal.
func readInspectZip(data []byte, c *collector) *result.Run {
	if n := zipEntries(data); n > mostEntries {
		must.Fail(fmt.Errorf("a zip file of %d entries; at most %d are read", n, mostEntries))
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		must.Fail(fmt.Errorf("not a whole zip file: %s", strings.TrimPrefix(err.Error(), "zip: ")))
	}
	if len(z.File) > mostEntries {
		must.Fail(fmt.Errorf("a zip file of %d entries; at most %d are read", len(z.File), mostEntries))
	}
	// Current versions of Inspect pack their logs so; the window is at most 64 MB.
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderMaxWindow(64<<20)))
	entries := map[string]*zip.File{} // the last of a name counts, as in Inspect
	var samples []string
	for _, f := range z.File {
		if strings.HasPrefix(f.Name, "samples/") && strings.HasSuffix(f.Name, ".json") && entries[f.Name] == nil {
			samples = append(samples, f.Name)
		}
		entries[f.Name] = f
	}
	u := unpacker{left: mostUnpacked}
	in := inspect{c: c}
	head := entries["header.json"]
	if head == nil {
		if head = entries["_journal/start.json"]; head == nil {
			must.Fail(errors.New("a zip file that is no .eval of Inspect: neither header.json nor _journal/start.json is in it"))
		}
		c.warn("the log was not finished")
	}
	u.read(head, head.Name, &in.log)
	for _, name := range samples {
		var s inspectSample
		u.read(entries[name], oneLine(name, 80), &s)
		s.settle()
		in.samples = append(in.samples, s)
	}
	return in.run()
}

// zipEntries is what the end of a zip file says of its entries: archive/zip
// makes a record of each before it can be asked.
func zipEntries(data []byte) int {
	const size = 22
	for i := len(data) - size; i >= 0 && i >= len(data)-size-1<<16; i-- {
		if bytes.HasPrefix(data[i:], []byte("PK\x05\x06")) {
			n := int(data[i+10]) | int(data[i+11])<<8
			if n == 0xffff { // zip64: the directory's length tells, 46 bytes an entry at least
				n = max(n, len(data)/46)
				for j := i - 1; j >= 0 && j > i-1<<12; j-- {
					if bytes.HasPrefix(data[j:], []byte("PK\x06\x06")) && j+40 <= len(data) {
						n = 0
						for k := 7; k >= 0; k-- {
							n = n<<8 | int(data[j+32+k])
							if n > 1<<40 {
								return n
							}
						}
						break
					}
				}
			}
			return n
		}
	}
	return 0
}

// unpacker reads entries into memory, within the limits. Their names are looked
// up, never written to.
type unpacker struct{ left int64 }

// read decodes an entry.
func (u *unpacker) read(f *zip.File, name string, v any) {
	text := withoutNaN(u.open(f))
	if err := must.Catch(func() { decode(text, v) }); err != nil {
		must.Fail(fmt.Errorf("%s: %w", name, err))
	}
}

func (u *unpacker) open(f *zip.File) []byte {
	name := oneLine(f.Name, 80)
	r, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		must.Fail(fmt.Errorf("%s: packed by method %d, which is not known; write the log again with inspect log convert --to json", name, f.Method))
	}
	if err != nil {
		must.Fail(fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "zip: ")))
	}
	defer func() { _ = r.Close() }() // it was only read
	most := min(mostEntry, u.left, max(1<<20, int64(f.CompressedSize64)*mostRatio))
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, most+1))
	switch {
	case n > most:
		must.Fail(fmt.Errorf("%s: unpacks to more than %d bytes, which is more than a log holds", name, most))
	case err != nil:
		must.Fail(fmt.Errorf("%s: cannot be unpacked: %s", name, oneLine(err.Error(), 80)))
	}
	u.left -= n
	return out.Bytes()
}

package zstd

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// pack packs with another implementation.
func pack(t testing.TB, level zstd.EncoderLevel, parts ...[]byte) []byte {
	t.Helper()
	var out []byte
	for _, p := range parts {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
		if err != nil {
			t.Fatal(err)
		}
		out = e.EncodeAll(p, out)
	}
	return out
}

func texts() [][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	skewed := make([]byte, 200_000)
	for i := range skewed {
		skewed[i] = "aaaaaaaabbbbccde"[rng.IntN(16)]
	}
	var log strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&log, `{"id":%d,"epoch":1,"input":"question %d","scores":{"match":{"value":"%c","answer":"%x"}}},`, i, rng.IntN(1000), "CI"[i%2], rng.Uint64())
	}
	return [][]byte{nil, []byte("a"), []byte("hello hello hello hello"), bytes.Repeat([]byte("x"), 1_000_000), noise, skewed, []byte(log.String()), append(noise[:1000:1000], log.String()[:5000]...)}
}

// What others pack is unpacked to the same, at every level, in several frames.
func TestDecode(t *testing.T) {
	all := texts()
	for i, text := range all {
		for _, level := range []zstd.EncoderLevel{zstd.SpeedFastest, zstd.SpeedDefault, zstd.SpeedBetterCompression, zstd.SpeedBestCompression} {
			got, err := Decode(pack(t, level, text), len(text))
			if err != nil || !bytes.Equal(got, text) {
				t.Errorf("text %d, level %v: %v, %d of %d bytes", i, level, err, len(got), len(text))
			}
		}
	}
	frames := append([]byte{0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3}, pack(t, zstd.SpeedDefault, all...)...)
	got, err := Decode(frames, 1<<30)
	if err != nil || !bytes.Equal(got, bytes.Join(all, nil)) {
		t.Errorf("several frames: %v", err)
	}
}

// A bomb ends where it may not go on; what is cut or changed is damaged or
// unpacks to something, and never panics.
func TestBad(t *testing.T) {
	bomb := pack(t, zstd.SpeedDefault, make([]byte, 64<<20))
	if _, err := Decode(bomb, 1<<20); err != ErrTooLong {
		t.Errorf("%d bytes: %v", len(bomb), err)
	}
	data := pack(t, zstd.SpeedBetterCompression, texts()[7])
	for i := range data {
		if _, err := Decode(data[:i], 1<<20); err == nil && i > 0 {
			t.Errorf("cut at %d of %d", i, len(data))
		}
		for bit := range 8 {
			changed := bytes.Clone(data)
			changed[i] ^= 1 << bit
			Decode(changed, 1<<20)
		}
	}
}

// FuzzDecode compares with the other implementation.
func FuzzDecode(f *testing.F) {
	for _, text := range texts()[:3] {
		f.Add(pack(f, zstd.SpeedDefault, text))
	}
	f.Add(pack(f, zstd.SpeedBestCompression, texts()[7][:3000]))
	other, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<20), zstd.IgnoreChecksum(true))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode(data, 1<<20)
		want, err2 := other.DecodeAll(data, nil)
		if err2 == nil && err == nil && !bytes.Equal(got, want) {
			t.Errorf("%d bytes, not %d", len(got), len(want))
		}
		if err2 == nil && err != nil {
			t.Errorf("refused, but it is %d bytes: %v", len(want), err)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	text := texts()[6]
	data := pack(b, zstd.SpeedDefault, text)
	b.SetBytes(int64(len(text)))
	for range b.N {
		if _, err := Decode(data, len(text)); err != nil {
			b.Fatal(err)
		}
	}
}

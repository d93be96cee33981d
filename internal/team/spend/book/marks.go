package book

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"

	"cairn/internal/mark"
	"cairn/internal/team/db/ledger"
)

// marks reads what hooks wrote since the last time. A file that became long is put
// aside when all of it was read; what a hook still writes to it then is read the
// next time.
func (b *Book) marks(ctx context.Context, notes map[string]string) error {
	const long = 8 << 20
	aside := b.home.Marks() + ".old"
	if _, err := b.marksOf(ctx, aside, "marks aside", notes); err == nil {
		if err := os.Remove(aside); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	end, err := b.marksOf(ctx, b.home.Marks(), "marks", notes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || end < long {
		return err
	}
	if err := ledger.Note(ctx, b.DB, "marks aside", strconv.FormatInt(end, 10)); err != nil {
		return err
	}
	if err := os.Rename(b.home.Marks(), aside); err != nil {
		return err
	}
	return ledger.Note(ctx, b.DB, "marks", "0")
}

// marksOf reads a file from where it was read to, and returns where that is now.
func (b *Book) marksOf(ctx context.Context, name, note string, notes map[string]string) (int64, error) {
	from, _ := strconv.ParseInt(notes[note], 10, 64)
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || fi.Size() == from {
		return from, err
	}
	if fi.Size() < from {
		from = 0
	}
	data, err := io.ReadAll(io.NewSectionReader(f, from, fi.Size()-from))
	if err != nil {
		return 0, err
	}
	end := from + int64(bytes.LastIndexByte(data, '\n')) + 1
	var marks []mark.Mark
	for line := range bytes.Lines(data[:end-from]) {
		if m, ok := mark.Parse(line); ok {
			marks = append(marks, m)
		}
	}
	if err := ledger.AddMarks(ctx, b.DB, marks); err != nil {
		return 0, err
	}
	return end, ledger.Note(ctx, b.DB, note, strconv.FormatInt(end, 10))
}

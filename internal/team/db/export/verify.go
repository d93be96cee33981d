package export

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrBroken says that an archive is not the one that was written, or not all of it.
var ErrBroken = errors.New("the export is not whole")

// mostManifest bounds what is read of a manifest.
const mostManifest = 1 << 20

// Verify reads an archive and compares every file with the manifest; ErrBroken.
func Verify(name string) (*Manifest, error) {
	archive, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	defer archive.Close()
	in, err := archive.Open(manifestName)
	if err != nil {
		return nil, fmt.Errorf("%w: it has no %s", ErrBroken, manifestName)
	}
	data, err := io.ReadAll(io.LimitReader(in, mostManifest))
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	var m Manifest
	switch err := json.Unmarshal(data, &m); {
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", ErrBroken, manifestName, err)
	case m.Format != Format || m.Version != Version:
		return nil, fmt.Errorf("%w: %s is of format %q, version %d, not %q, version %d", ErrBroken, manifestName, m.Format, m.Version, Format, Version)
	case len(archive.File) != len(m.Files)+1:
		return nil, fmt.Errorf("%w: it has %d files, the manifest %d", ErrBroken, len(archive.File)-1, len(m.Files))
	}
	for _, f := range m.Files {
		if err := f.verify(&archive.Reader); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrBroken, f.Name, err)
		}
	}
	return &m, nil
}

func (f File) verify(archive *zip.Reader) error {
	in, err := archive.Open(f.Name)
	if err != nil {
		return err
	}
	defer in.Close()
	sum, lines := counting{hash: sha256.New()}, lineCounter(0)
	if _, err := io.Copy(io.MultiWriter(&sum, &lines), io.LimitReader(in, f.Bytes+1)); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.hash.Sum(nil)); got != f.SHA256 || int64(lines) != f.Rows {
		return fmt.Errorf("%d rows, SHA-256 %s; the manifest has %d rows, %s", lines, got, f.Rows, f.SHA256)
	}
	return nil
}

type lineCounter int64

func (n *lineCounter) Write(p []byte) (int, error) {
	*n += lineCounter(bytes.Count(p, []byte{'\n'}))
	return len(p), nil
}

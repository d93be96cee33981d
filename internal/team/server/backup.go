package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/db"
)

// Errors of a backup's file.
var (
	ErrBackup   = errors.New("it is no usable backup")
	ErrExists   = errors.New("it is there already")
	ErrNoDigest = errors.New("no checksum stands beside it")
)

// digestFile is beside a backup what sha256sum -c reads.
func digestFile(backup string) string { return backup + ".sha256" }

// Backup writes a copy of the embedded database as it is at one moment, and
// its checksum beside it; a server may go on meanwhile. It returns the copy's size.
func Backup(ctx context.Context, p Place, file string) (size int64, err error) {
	if p.Database != "" {
		return 0, db.ErrNoBackup
	}
	switch _, err := os.Lstat(file); {
	case err == nil:
		return 0, fmt.Errorf("%s: %w", file, ErrExists)
	case !errors.Is(err, fs.ErrNotExist):
		return 0, err
	}
	st, err := Join(ctx, p)
	if err != nil {
		return 0, err
	}
	defer st.Close()
	temp, err := os.CreateTemp(filepath.Dir(file), ".cairn-*.tmp") // mode 0600
	if err != nil {
		return 0, err
	}
	temp.Close()
	defer os.Remove(temp.Name())
	if err := st.DB.Backup(ctx, temp.Name()); err != nil {
		return 0, err
	}
	sum, size, err := settle(temp.Name())
	if err != nil {
		return 0, err
	}
	// The checksum first: a backup without one would look like a broken one.
	if err := atomicfile.WriteFile(digestFile(file), []byte(sum+"  "+filepath.Base(file)+"\n"), home.PrivateFile); err != nil {
		return 0, err
	}
	return size, os.Rename(temp.Name(), file)
}

// settle makes sure that a file is on the disk and returns its SHA-256 in hex.
func settle(name string) (sum string, size int64, err error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	if size, err = io.Copy(h, f); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(h.Sum(nil)), size, f.Sync()
}

// A Restored says what Restore did.
type Restored struct {
	Size int64
	Kept string // where the database that was there is now, "" if there was none
}

// Restore puts a backup into a data directory that no server uses. Before
// anything changes, the backup is copied there and checked: its checksum, its
// pages, its schema. A database that is there is only replaced with force, and kept.
func Restore(ctx context.Context, p Place, file string, force, unsigned bool) (r Restored, err error) {
	if p.Database != "" {
		return r, db.ErrNoBackup
	}
	want, err := digestOf(file)
	if err != nil && !(unsigned && errors.Is(err, ErrNoDigest)) {
		return r, err
	}
	if err := os.MkdirAll(p.Dir, home.PrivateDir); err != nil {
		return r, err
	}
	lock, err := lockDir(p.Dir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	there := true
	if _, serr := os.Lstat(p.Embedded()); errors.Is(serr, fs.ErrNotExist) {
		there = false
	}
	if there && !force {
		return r, fmt.Errorf("%s: %w", p.Embedded(), ErrExists)
	}
	temp := filepath.Join(p.Dir, ".cairn-restore.tmp")
	defer removeDatabase(temp)
	removeDatabase(temp)
	if r.Size, err = bring(file, temp, want); err != nil {
		return r, err
	}
	if err := checkBackup(ctx, temp); err != nil {
		return r, fmt.Errorf("%s: %w: %w", file, ErrBackup, err)
	}
	if there {
		if r.Kept, err = setAside(ctx, p.Embedded()); err != nil {
			return r, err
		}
	}
	return r, os.Rename(temp, p.Embedded())
}

// digestOf reads the checksum beside a backup.
func digestOf(file string) (string, error) {
	text, err := os.ReadFile(digestFile(file))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(file); err != nil {
			return "", err
		}
		return "", fmt.Errorf("%s: %w", file, ErrNoDigest)
	}
	if err != nil {
		return "", err
	}
	sum, _, _ := strings.Cut(string(text), " ")
	if len(sum) != 2*sha256.Size {
		return "", fmt.Errorf("%s: %w: it must hold a SHA-256 and a name", digestFile(file), ErrBackup)
	}
	return strings.ToLower(sum), nil
}

// bring copies a backup and compares it with its checksum, unless that is "".
func bring(from, to, want string) (int64, error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, home.PrivateFile)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return 0, err
	}
	sum, size, err := settle(to)
	if err == nil && want != "" && sum != want {
		err = fmt.Errorf("%s: %w: its checksum is not the one beside it", from, ErrBackup)
	}
	return size, err
}

// checkBackup opens a copy and reads all of it.
func checkBackup(ctx context.Context, file string) error {
	d, err := db.Open(ctx, file, db.Options{})
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Check(ctx); err != nil {
		return err
	}
	// An older backup is fine: the server brings it up to date when it starts.
	if err := d.Ready(ctx); errors.Is(err, db.ErrNewer) || errors.Is(err, db.ErrEdited) || errors.Is(err, db.ErrEmpty) {
		return err
	}
	return nil
}

// setAside renames a database. What its log has is written into it first; a
// database that is too broken for that takes its log along.
func setAside(ctx context.Context, file string) (kept string, err error) {
	if d, err := db.Open(ctx, file, db.Options{}); err == nil {
		_ = d.Tidy(ctx, false)
		_ = d.Close() // the last one to close it removes the log
	}
	kept = file + ".replaced-" + time.Now().UTC().Format("20060102T150405.000Z")
	for _, end := range databaseFiles {
		if err := os.Rename(file+end, kept+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return kept, nil
}

// databaseFiles are the ends of the names of one database's files, in the order
// in which they can be moved away.
var databaseFiles = [...]string{"", "-wal", "-shm"}

func removeDatabase(file string) {
	for _, end := range databaseFiles {
		_ = os.Remove(file + end)
	}
}

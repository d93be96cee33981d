// Package book keeps the machine's ledger of what agents cost: it reads what they
// wrote since the last time, what hooks saw, and finds where each request belongs.
// Everything is in the machine's own store; nothing is sent anywhere.
package book

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"cairn/internal/budget"
	"cairn/internal/home"
	"cairn/internal/team/cost"
	"cairn/internal/team/db"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend"
	"cairn/internal/team/spend/bill"
	"cairn/internal/team/spend/reader"
)

// A Book is the open ledger.
type Book struct {
	DB     *db.DB
	Prices spend.Prices
	Now    budget.Now // as the last refresh found it

	home   home.Home
	user   string // directory below which agents keep their files
	getenv func(string) string
	lock   *flock.Flock
}

// Open opens the machine's store, and makes it where there is none. prices are
// files of the user's own rows.
func Open(ctx context.Context, h home.Home, getenv func(string) string, prices ...string) (*Book, error) {
	table, err := cost.Load(prices...)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(h.Store()), home.PrivateDir); err != nil {
		return nil, err
	}
	lock := flock.New(h.Store()+".lock", flock.SetPermissions(home.PrivateFile))
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fmt.Errorf("%s: %w", lock.Path(), err)
	}
	b := &Book{Prices: spend.Prices{Table: table}, home: h, user: home.UserDir(getenv), getenv: getenv, lock: lock}
	if b.DB, err = db.OpenPrivate(ctx, h.Store()); err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	return b, nil
}

// Close closes the ledger.
func (b *Book) Close() error { return errors.Join(b.DB.Close(), b.lock.Unlock()) }

// A Report says what a refresh found.
type Report struct {
	Files      int      // of agents on this machine
	Read       int      // of them, with something new
	Bytes      int64    // that were read
	Requests   int      // in them
	Odd        int      // lines, in all files so far, that should tell of a request and cannot be read
	Unreadable []string // files, and repositories whose commits git could not read
}

// Progress is told how many bytes there are to read, and of each file that was.
type Progress interface {
	Begin(what string, total int64)
	Add(n int64)
	End()
}

// together is how many bytes of files are kept in one transaction, about.
const together = 64 << 20

// Refresh reads what is new and finds where it belongs.
func (b *Book) Refresh(ctx context.Context, p Progress) (Report, error) {
	var report Report
	known, err := ledger.Files(ctx, b.DB)
	if err != nil {
		return report, err
	}
	notes, err := ledger.Notes(ctx, b.DB)
	if err != nil {
		return report, err
	}
	if now := b.Prices.Table.Fingerprint(); notes["prices"] != now {
		if err := ledger.Price(ctx, b.DB, b.Prices); err != nil {
			return report, err
		}
		if err := ledger.Note(ctx, b.DB, "prices", now); err != nil {
			return report, err
		}
	}
	var todo []reader.File
	files := reader.Files(b.user, b.getenv, func(err error) { report.Unreadable = append(report.Unreadable, err.Error()) })
	report.Files = len(files)
	total := int64(0)
	for _, f := range files {
		k, had := known[f.Path]
		report.Odd += k.Odd
		if had && k.Size == f.Size && k.Mod.UnixMicro() == f.Mod.UnixMicro() {
			continue
		}
		todo = append(todo, f)
		total += f.Size - min(k.At.Offset, f.Size)
	}
	if len(todo) > 0 {
		p.Begin("reading what agents wrote", total)
		err := b.read(ctx, todo, known, p, &report)
		p.End()
		if err != nil {
			return report, err
		}
	}
	if err := b.marks(ctx, notes); err != nil {
		return report, err
	}
	if err := b.place(ctx, notes, p, &report); err != nil {
		return report, err
	}
	return report, b.now(ctx, &report)
}

// now leaves what agents cost today in a small file, for those who open no database.
func (b *Book) now(ctx context.Context, report *Report) error {
	budgets, err := budget.Load(b.home)
	if err != nil {
		report.Unreadable = append(report.Unreadable, err.Error())
	}
	if b.Now, err = bill.Now(ctx, b.DB, time.Now(), budgets); err != nil {
		return err
	}
	return b.Now.Keep(b.home)
}

// read reads files, several at a time, and keeps what they have.
func (b *Book) read(ctx context.Context, todo []reader.File, known map[string]ledger.Known, p Progress, report *Report) error {
	slices.SortFunc(todo, func(a, b reader.File) int { return a.Mod.Compare(b.Mod) }) // a fork is younger than its parent
	for len(todo) > 0 {
		n, size := 0, int64(0)
		for n < len(todo) && (n == 0 || size < together) {
			size += todo[n].Size - min(known[todo[n].Path].At.Offset, todo[n].Size)
			n++
		}
		pieces := make([]ledger.Piece, n)
		failed := make([]error, n)
		g, each := errgroup.WithContext(ctx)
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, f := range todo[:n] {
			g.Go(func() error {
				k := known[f.Path]
				out, next, err := reader.Read(each, f, k.At)
				if err != nil {
					failed[i] = err
					return each.Err()
				}
				pieces[i] = ledger.Piece{File: f, Next: next, Odd: k.Odd + out.Odd, Out: out}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		var whole []ledger.Piece
		for i := range pieces {
			if failed[i] != nil {
				report.Unreadable = append(report.Unreadable, failed[i].Error())
				continue
			}
			whole = append(whole, pieces[i])
			report.Read++
			report.Requests += len(pieces[i].Requests)
			read := max(0, pieces[i].Next.Offset-known[pieces[i].File.Path].At.Offset)
			report.Bytes += read
			p.Add(read)
			report.Odd += pieces[i].Out.Odd
		}
		if err := ledger.Add(ctx, b.DB, b.Prices, whole); err != nil {
			return err
		}
		todo = todo[n:]
	}
	return nil
}

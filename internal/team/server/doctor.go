package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/text"
)

// A Check is one thing that Examine looked at.
type Check struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, warn or fail
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`
}

// Statuses of a Check.
const (
	Good = "ok"
	Warn = "warn"
	Fail = "fail"
)

func good(name, format string, args ...any) Check {
	return Check{Name: name, Status: Good, Detail: fmt.Sprintf(format, args...)}
}

func warn(name, hint, format string, args ...any) Check {
	return Check{Name: name, Status: Warn, Hint: hint, Detail: fmt.Sprintf(format, args...)}
}

func fail(name, hint, format string, args ...any) Check {
	return Check{Name: name, Status: Fail, Hint: hint, Detail: fmt.Sprintf(format, args...)}
}

// Examine looks at everything a server needs, also while one runs. It changes nothing.
func Examine(ctx context.Context, p Place, t TLS) []Check {
	var out []Check
	url := p.Database
	if url == "" {
		url = p.Embedded()
		var goOn bool
		if out, goOn = examineDir(p); !goOn {
			return append(out, t.examine(time.Now())...)
		}
	}
	d, err := db.Open(ctx, url, db.Options{Bouncer: p.Bouncer})
	if err != nil {
		hint := cmp.Or(db.Remedy(err), "look at the owner and the rights of "+url)
		if p.Database != "" {
			hint = "start PostgreSQL, or correct host, port, name, user or password in the URL"
		}
		out = append(out, fail("database", hint, "%v", err))
		return append(out, t.examine(time.Now())...)
	}
	defer d.Close()
	out = append(out, examineDatabase(ctx, d)...)
	if d.Dialect() == db.PostgreSQL {
		out = append(out, examinePostgres(ctx, d)...)
	} else {
		out = append(out, examineDisk(ctx, d, p.Dir))
	}
	out = append(out, examineClock(time.Now()))
	return append(out, t.examine(time.Now())...)
}

// examineDir looks at the data directory from outside, and says whether there is
// a database in it to look at.
func examineDir(p Place) (out []Check, goOn bool) {
	fi, err := os.Stat(p.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return []Check{fail("directory", "cairn serve makes it; --data DIR names another", "%s is not there", p.Dir)}, false
	}
	if err != nil {
		return []Check{fail("directory", "", "%v", err)}, false
	}
	open := ""
	if fi.Mode().Perm()&0o077 != 0 {
		open = p.Dir
	}
	files, _ := filepath.Glob(filepath.Join(p.Dir, "*"))
	for _, name := range files {
		if fi, err := os.Stat(name); err == nil && fi.Mode().Perm()&0o077 != 0 && open == "" {
			open = name
		}
	}
	if open != "" && enforcesModes {
		out = append(out, fail("files", "chmod -R go= "+p.Dir, "others on this machine may read %s", open))
	} else {
		out = append(out, good("files", "only their owner reads them"))
	}
	if fi, err := os.Stat(p.Embedded()); err != nil || fi.Size() == 0 {
		return append(out, fail("database", "cairn serve makes it", "no server was started on %s yet", p.Dir)), false
	}
	switch lock, err := lockDir(p.Dir); {
	case errors.Is(err, ErrLocked):
		out = append(out, good("lock", "a server runs on it"))
	case err != nil:
		return append(out, fail("lock", "", "%v", err)), false
	default:
		_ = lock.Unlock()
		out = append(out, good("lock", "no server runs on it"))
	}
	return out, true
}

func examineDatabase(ctx context.Context, d *db.DB) (out []Check) {
	if d.Dialect() == db.SQLite {
		if err := d.Check(ctx); err != nil {
			return []Check{fail("integrity", "cairn serve restore FILE --force puts a backup in its place", "%v", err)}
		}
		out = append(out, good("integrity", "every page and every reference is right"))
	}
	if err := d.Ready(ctx); err != nil {
		return append(out, fail("migrations", schemaHint(err), "%v", err))
	}
	out = append(out, good("migrations", "the schema is this version's"))
	switch wrong, err := d.CheckRollups(ctx); {
	case err != nil:
		out = append(out, fail("sums", "", "%v", err))
	case len(wrong) > 0:
		out = append(out, fail("sums", "", "%d of the days' sums are not those of their rows, the first: %s", len(wrong), wrong[0]))
	default:
		out = append(out, good("sums", "every day's sum is that of its rows"))
	}
	return out
}

// schemaHint says what helps where the schema is not this version's.
func schemaHint(err error) string {
	switch {
	case errors.Is(err, db.ErrNewer):
		return "cairn update"
	case errors.Is(err, db.ErrEdited):
		return "start it with the version of cairn that made it, or restore a backup with cairn serve restore"
	case errors.Is(err, db.ErrBehind), errors.Is(err, db.ErrEmpty):
		return "start cairn serve without --no-migrate: it brings the schema up to date"
	}
	return ""
}

// examinePostgres looks at rights: what keeps teams apart when our own code fails.
func examinePostgres(ctx context.Context, d *db.DB) (out []Check) {
	c, err := d.Connected(ctx)
	if err != nil {
		return []Check{fail("rights", "", "%v", err)}
	}
	if c.Superuser {
		out = append(out, warn("user", "give the server a role of its own, which is a member of anon, authenticated, service_role and cairn_server", "%s is above row-level security", c.User))
	} else {
		out = append(out, good("user", "%s is no superuser", c.User))
	}
	if len(c.Lacks) > 0 {
		list := strings.Join(c.Lacks, ", ")
		out = append(out, fail("roles", "grant "+list+" to "+c.User, "%s may not act as %s", c.User, list))
	} else {
		out = append(out, good("roles", "it may act as every role it needs"))
	}
	if len(c.Open) > 0 {
		out = append(out, fail("row-level security", "", "it is off, or has no policy, on %s", strings.Join(c.Open, ", ")))
	} else {
		out = append(out, good("row-level security", "it is on for every table of the data API"))
	}
	if skew := c.ClockSkew - float64(time.Now().UnixMilli())/1000; math.Abs(skew) > 5 {
		out = append(out, warn("database's clock", "let both keep time by NTP", "it differs from this machine's by %.0f s", skew))
	}
	return out
}

// examineDisk wants room for as much again as the database has: a backup, a
// month that is dropped, a log that grows.
func examineDisk(ctx context.Context, d *db.DB, dir string) Check {
	size, err := d.Size(ctx)
	if err != nil {
		return fail("disk", "", "%v", err)
	}
	free, err := freeBytes(dir)
	switch {
	case err != nil:
		return warn("disk", "", "how much is free is not known: %v", err)
	case free < 100<<20:
		return fail("disk", "make room, or stop the server and move "+dir+" to a larger disk; --retain-months drops old results", "%s free, the database has %s", text.Bytes(free), text.Bytes(size))
	case free < size:
		return warn("disk", "write backups to another disk", "%s free, too little for a backup here: the database has %s", text.Bytes(free), text.Bytes(size))
	}
	return good("disk", "%s free, the database has %s", text.Bytes(free), text.Bytes(size))
}

// examineClock knows a clock that was never set: tokens and links would be
// over, or never.
func examineClock(now time.Time) Check {
	if now.Year() < 2026 || now.Year() > 2100 {
		return fail("clock", "let the machine keep time by NTP", "it says %s", now.UTC().Format(time.RFC3339))
	}
	return good("clock", "%s", now.UTC().Format(time.RFC3339))
}

const soon = 14 * 24 * time.Hour

// examine looks at the certificate's files.
func (t TLS) examine(now time.Time) []Check {
	c, err := t.load()
	switch {
	case err != nil:
		return []Check{fail("TLS", "", "%v", err)}
	case c == nil:
		return nil
	case c.auto != nil:
		return []Check{good("TLS", "Let's Encrypt for %s", t.Host)}
	}
	leaf, err := leafOf(c.current.Load())
	switch {
	case err != nil:
		return []Check{fail("TLS", "", "%v", err)}
	case now.After(leaf.NotAfter):
		return []Check{fail("TLS", "renew it, then send the server SIGHUP", "the certificate ran out on %s", leaf.NotAfter.Format(time.DateOnly))}
	case now.Add(soon).After(leaf.NotAfter):
		return []Check{warn("TLS", "renew it, then send the server SIGHUP", "the certificate runs out on %s", leaf.NotAfter.Format(time.DateOnly))}
	}
	return []Check{good("TLS", "the certificate is good until %s", leaf.NotAfter.Format(time.DateOnly))}
}

func leafOf(c *tls.Certificate) (*x509.Certificate, error) {
	if c.Leaf != nil {
		return c.Leaf, nil
	}
	return x509.ParseCertificate(c.Certificate[0])
}

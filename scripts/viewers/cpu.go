package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cairn/internal/team/db"
)

// tick is what /proc counts processor time in.
const tick = 10 * time.Millisecond

// A spent is processor time: what a page costs however busy the machine is.
type spent struct{ server, database time.Duration }

func (b *bench) cpu() spent {
	s := spent{server: times(b.server)}
	for _, process := range append(children(b.postmaster), b.postmaster) {
		s.database += times(process)
	}
	return s
}

// postmaster finds the process whose children work for a database.
func postmaster(ctx context.Context, d *db.DB) (parent int, err error) {
	var backend int
	err = d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		return tx.QueryRow(ctx, `select pg_backend_pid()`).Scan(&backend)
	})
	if f := stat(backend); err == nil && f != nil {
		parent, _ = strconv.Atoi(f[1])
	}
	return parent, err
}

// stat are the fields of /proc/PID/stat behind the name: state, parent and so on.
func stat(process int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return strings.Fields(rest)
}

// times is what a process and its children that have ended worked.
func times(process int) (sum time.Duration) {
	f := stat(process)
	if len(f) < 15 {
		return 0
	}
	for _, text := range f[11:15] {
		n, _ := strconv.Atoi(text)
		sum += time.Duration(n) * tick
	}
	return sum
}

func children(parent int) (out []int) {
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range all {
		process, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if f := stat(process); len(f) > 1 && f[1] == strconv.Itoa(parent) {
			out = append(out, process)
		}
	}
	return out
}

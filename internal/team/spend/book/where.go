package book

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend/place"
)

// where is the git directory of the repository that each directory is in, also of one
// that is gone as far as an earlier look noted it. What is in none is missing.
func (b *Book) where(ctx context.Context, dirs map[string][]string, notes map[string]string) (map[string]string, error) {
	where, fresh := map[string]string{}, map[string]string{}
	for dir := range dirs {
		common, noted := commonOf(dir), notes["in "+dir]
		switch {
		case common == "" && noted != "" && !exists(dir) && exists(filepath.Join(noted, "HEAD")):
			where[dir] = noted
		case common != "":
			where[dir] = common
			if noted != common {
				fresh["in "+dir] = common
			}
		}
	}
	return where, ledger.NoteAll(ctx, b.DB, fresh)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// trace finds the repositories of directories that are gone, such as removed working
// trees and repositories that were moved: those that have the commits which sessions
// made and saw there. It adds them to where and of, and returns these commits' hashes.
func (b *Book) trace(ctx context.Context, dirs map[string][]string, where map[string]string, waits map[string]bool, of map[string]*group) (map[string][]string, error) {
	traces := map[string][]string{}
	fresh := map[string]string{}
	adopt := func(dir, common string) {
		where[dir] = common
		of[common].add(dirs[dir])
		fresh["in "+dir] = common
	}
	var lost, all []string
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if !slices.ContainsFunc(dirs[dir], func(s string) bool { return waits[s] }) || commonOf(dir) != "" || exists(dir) {
			continue
		}
		hashes, err := ledger.Seen(ctx, b.DB, dirs[dir], dir)
		if err != nil {
			return nil, err
		}
		traces[dir] = hashes
		if where[dir] == "" {
			lost, all = append(lost, dir), append(all, traces[dir]...)
		}
	}
	most := map[string]int{}
	best := map[string]string{}
	for _, common := range slices.Sorted(maps.Keys(of)) {
		has := place.Has(ctx, of[common].dir, all)
		for _, dir := range lost {
			n := 0
			for _, hash := range traces[dir] {
				if has[hash] != "" {
					n++
				}
			}
			if n > most[dir] {
				most[dir], best[dir] = n, common
			}
		}
	}
	var left []string
	for _, dir := range lost {
		if best[dir] == "" {
			left = append(left, dir)
		} else {
			adopt(dir, best[dir])
		}
	}
	for _, dir := range left { // a directory in one that was found, or above it
		for _, other := range slices.Sorted(maps.Keys(traces)) {
			if common := where[other]; common != "" && (strings.HasPrefix(dir, other+string(filepath.Separator)) || strings.HasPrefix(other, dir+string(filepath.Separator))) {
				traces[dir] = traces[other]
				adopt(dir, common)
				break
			}
		}
	}
	return traces, ledger.NoteAll(ctx, b.DB, fresh)
}

package record

import (
	"slices"
	"strconv"
	"strings"
)

// assets thins the list of files that a bundler wrote: the biggest stay, the
// others are counted.
type assets struct {
	top   []asset // biggest first
	spare []Line  // the first of the others: kept if that is all
}

type asset struct {
	line Line
	size float64
}

const (
	biggest   = 3 // rows kept of a list of assets or routes
	assetsFew = 5 // rows of a list that is kept whole
)

// row takes a row of the list with its size in bytes.
func (a *assets) row(l Line, size float64, emit Emit) {
	at := len(a.top)
	for at > 0 && a.top[at-1].size < size {
		at--
	}
	if a.top = slices.Insert(a.top, at, asset{l, size}); len(a.top) > biggest {
		a.drop(a.top[biggest].line, emit)
		a.top = a.top[:biggest]
	}
}

func (a *assets) drop(l Line, emit Emit) {
	if len(a.spare) <= assetsFew-biggest {
		a.spare = append(a.spare, l)
		return
	}
	emit.count("assets", l)
}

// end closes a list; another one may follow.
func (a *assets) end(emit Emit) {
	for _, r := range a.top {
		emit.line(Keep, r.line)
	}
	if len(a.spare) <= assetsFew-biggest {
		emit.all(Keep, &a.spare)
	}
	for _, l := range a.spare {
		emit.count("assets", l)
	}
	a.top, a.spare = nil, nil
}

// assetRow reads a row of a path, its size and perhaps that of the compressed
// file, as vite, esbuild and tsup (after the format's name) list them:
// "dist/a.js   1.20 kB │ gzip: 0.66 kB".
func assetRow(s string) (size float64, ok bool) {
	fields := strings.Fields(s)
	if len(fields) > 2 && oneOf(fields[0], "ESM", "CJS", "IIFE", "DTS") {
		fields = fields[1:]
	}
	if len(fields) < 2 || len(fields) > 14 || !strings.ContainsAny(fields[0], "./") || strings.ContainsAny(fields[0], ":()") {
		return 0, false
	}
	for i := 1; i < len(fields); i++ {
		switch fields[i] {
		case "│", "|", "/", "gzip:", "brotli:", "map:", "⚠️":
			continue
		}
		n, used := fileSize(fields[i:])
		if used == 0 {
			return 0, false
		}
		i += used - 1
		if !ok {
			size, ok = n, true
		}
	}
	return size, ok
}

// fileSize reads the size at the start of fields, "1.2 kB", "1.2kb" or
// "33 bytes", and tells how many of them it took: 0 when there is none.
func fileSize(fields []string) (bytes float64, used int) {
	number := strings.TrimRight(fields[0], "BbKkMmGgi")
	unit := fields[0][len(number):]
	if used = 1; unit == "" {
		if len(fields) < 2 {
			return 0, 0
		}
		unit, used = fields[1], 2
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	if err != nil {
		return 0, 0
	}
	switch strings.ToLower(unit) {
	case "b", "byte", "bytes":
	case "kb", "kib":
		n *= 1 << 10
	case "mb", "mib":
		n *= 1 << 20
	case "gb", "gib":
		n *= 1 << 30
	default:
		return 0, 0
	}
	return n, used
}

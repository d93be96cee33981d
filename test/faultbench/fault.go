package main

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// A fault is a line that is wrong now.
type fault struct {
	file     string
	line     int // from 1
	kind     string
	was, now string
}

// The kinds of fault, with how many of 100 are of each. A slip of the keyboard is
// what most are; flips and numbers are noticed by tests alone, if at all.
var faultKinds = []struct {
	name   string
	weight int
	apply  func(rng *rand.Rand, language, line string) (string, bool)
}{
	{"misspelt name", 55, misspell},
	{"missing bracket", 15, dropBracket},
	{"missing end", 10, dropEnd},
	{"missing quote", 8, dropQuote},
	{"other comparison", 7, flip},
	{"other number", 5, count},
}

// randomFault chooses a file by its length, a line and a kind; ok is whether the line
// has a place for it.
func randomFault(rng *rand.Rand, language string, files map[string][]string) (f fault, ok bool) {
	names := sortedNames(files)
	total := 0
	for _, name := range names {
		total += len(files[name])
	}
	at := rng.IntN(total)
	for _, name := range names {
		if at < len(files[name]) {
			f.file = name
			break
		}
		at -= len(files[name])
	}
	lines := files[f.file]
	roll := rng.IntN(100)
	if !codeLines(language, lines)[at] {
		return f, false
	}
	f.line, f.was = at+1, lines[at]
	for _, k := range faultKinds {
		if roll -= k.weight; roll < 0 {
			f.kind = k.name
			f.now, ok = k.apply(rng, language, f.was)
			return f, ok && f.now != f.was
		}
	}
	return f, false
}

// misspell drops a letter of a name, or changes two for one another.
func misspell(rng *rand.Rand, language, line string) (string, bool) {
	var long []span
	for _, w := range words(language, line) {
		if w.to-w.from >= 4 {
			long = append(long, w)
		}
	}
	if len(long) == 0 {
		return "", false
	}
	w := long[rng.IntN(len(long))]
	at := w.from + 1 + rng.IntN(w.to-w.from-2)
	if rng.IntN(2) == 0 {
		return line[:at] + line[at+1:], true
	}
	if line[at] == line[at+1] || at+1 >= w.to {
		return "", false
	}
	return line[:at] + string(line[at+1]) + string(line[at]) + line[at+2:], true
}

func dropBracket(rng *rand.Rand, language, line string) (string, bool) {
	code, _ := plain(language, line)
	return dropOne(rng, code, line, ")]}")
}

func dropQuote(rng *rand.Rand, language, line string) (string, bool) {
	code, _ := plain(language, line)
	if strings.Count(code, `"`) < 2 && strings.Count(code, "'") < 2 {
		return "", false
	}
	return dropOne(rng, code, line, `"'`)
}

// dropOne leaves out one of some characters, where the code has it.
func dropOne(rng *rand.Rand, code, line, chars string) (string, bool) {
	var at []int
	for i := range len(code) {
		if strings.IndexByte(chars, code[i]) >= 0 {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return "", false
	}
	i := at[rng.IntN(len(at))]
	return line[:i] + line[i+1:], true
}

// dropEnd leaves out what a statement or a list element ends with.
func dropEnd(_ *rand.Rand, language, line string) (string, bool) {
	ends := map[string]string{"go": "{,", "c": ";{,", "javascript": "{,", "typescript": "{,", "python": ":,"}[language]
	body := strings.TrimRight(line, " \t")
	if body == "" || strings.IndexByte(ends, body[len(body)-1]) < 0 || strings.TrimSpace(body) == body[len(body)-1:] {
		return "", false
	}
	return strings.TrimRight(body[:len(body)-1], " \t"), true
}

// flips are comparisons that mean something else, each of them both ways.
var flips = [][2]string{{"==", "!="}, {"<=", "<"}, {">=", ">"}, {" is not ", " is "}, {" and ", " or "}, {"&&", "||"}, {"true", "false"}, {"True", "False"}}

func flip(rng *rand.Rand, language, line string) (string, bool) {
	all := flipped(language, line)
	if len(all) == 0 {
		return "", false
	}
	return all[rng.IntN(len(all))], true
}

// flipped are all lines that differ from a line by one comparison.
func flipped(language, line string) (all []string) {
	code, _ := plain(language, line)
	for _, f := range flips {
		for _, d := range [][2]string{f, {f[1], f[0]}} {
			for i := 0; ; {
				j := strings.Index(code[i:], d[0])
				if j < 0 {
					break
				}
				i += j
				all = append(all, line[:i]+d[1]+line[i+len(d[0]):])
				i += len(d[0])
			}
		}
	}
	return all
}

var number = regexp.MustCompile(`\b\d{1,6}\b`)

func count(rng *rand.Rand, language, line string) (string, bool) {
	all := counted(language, line, 1)
	if len(all) == 0 {
		return "", false
	}
	return all[rng.IntN(len(all))], true
}

// counted are all lines that differ from a line by so much in one number.
func counted(language, line string, by int) (all []string) {
	code, _ := plain(language, line)
	for _, m := range number.FindAllStringIndex(code, -1) {
		n, err := strconv.Atoi(code[m[0]:m[1]])
		if err == nil && n+by >= 0 {
			all = append(all, line[:m[0]]+strconv.Itoa(n+by)+line[m[1]:])
		}
	}
	return all
}

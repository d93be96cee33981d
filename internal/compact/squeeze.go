package compact

import (
	"strings"
	"unicode"
)

// squeezed is the text of a result with what its messages repeat said once: a
// file that several messages in a row are about heads them, and those of them
// that say the same are one line with their places. Nothing is left out.
func squeezed(body string) string {
	in := strings.Split(body, "\n")
	out := in[:0:0]
	for i := 0; i < len(in); {
		n := 0
		if first, ok := parseSpot(in[i]); ok {
			var run []string
			if run, n = sameFile(first, in[i:]); n > 0 {
				out = append(out, run...)
			}
		} else if at, rest, ok := parseRow(in[i]); ok {
			for n = 1; i+n < len(in); n++ {
				other, same, _ := parseRow(in[i+n])
				if same != rest || leadingSpace(in[i+n]) != leadingSpace(in[i]) {
					break
				}
				at += "," + other
			}
			out = append(out, in[i][:leadingSpace(in[i])]+at+rest)
		}
		if n == 0 {
			out, n = append(out, in[i]), 1
		}
		i += n
	}
	return strings.Join(out, "\n")
}

// fewMessages about one file stay as they are: a heading would save next to nothing.
const fewMessages = 3

// A spot is a message with its place: "lib/a.go:3:1: text", "lib/a.ts(3,1): text".
type spot struct{ file, at, text string }

// sameFile is what becomes of the run of messages about one file that begins
// with first, and how many lines it takes: 0 if heading them saves nothing.
// Indented lines and markers between two messages belong to the first of them.
func sameFile(first spot, in []string) (out []string, n int) {
	type message struct {
		spot
		below []string
	}
	var run []message
	for i, s := range in {
		if sp, ok := parseSpot(s); ok && sp.file == first.file {
			run = append(run, message{spot: sp})
			n = i + 1
			continue
		} else if ok || s == "" || s[0] != ' ' && s[0] != '\t' && !strings.HasPrefix(s, "[… ") {
			break
		}
		last := &run[len(run)-1]
		last.below = append(last.below, s)
		n = i + 1
	}
	if len(run) < fewMessages {
		return nil, 0
	}
	out = append(out, first.file)
	row := map[string]int{} // of a text that stands alone, its line in out
	at := map[int]string{}
	for _, m := range run {
		if i, ok := row[m.text]; ok && len(m.below) == 0 {
			at[i] = joinPlaces(at[i], m.at)
			out[i] = " " + at[i] + m.text
			continue
		}
		if len(m.below) == 0 {
			row[m.text] = len(out)
			at[len(out)] = m.at
		}
		out = append(append(out, " "+m.at+m.text), m.below...)
	}
	return out, n
}

// Shows reports whether a result has a line, be it as a message below its file.
func Shows(result, line string) bool {
	if strings.Contains(squeeze(result), squeeze(line)) {
		return true
	}
	at, text, row := parseRow(" " + strings.Replace(strings.TrimSpace(line), " ", "  ", 1))
	sp, ok := parseSpot(line)
	if !row {
		at, text = sp.at, sp.text
	}
	below := row
	for _, s := range strings.Split(result, "\n") {
		switch places, same := strings.CutSuffix(squeeze(s), squeeze(text)); {
		case ok && s != "" && s[0] != ' ' && s[0] != '\t' && !strings.HasPrefix(s, "[… "):
			below = s == sp.file
		case (row || ok) && below && same && strings.Contains(","+strings.ReplaceAll(strings.TrimSpace(places), ")(", "),(")+",", ","+at+","):
			return true
		}
	}
	return false
}

func joinPlaces(a, b string) string {
	if b[0] == '(' {
		return a + b
	}
	return a + "," + b
}

// parseSpot reads a line that begins with a file and a place in it.
func parseSpot(s string) (spot, bool) {
	if s == "" || s[0] == ' ' || s[0] == '\t' || s[0] == '[' {
		return spot{}, false
	}
	file, rest := splitPlace(s)
	if rest == "" || len(file) < 3 || strings.ContainsAny(file, " \t\"'<>|=") || !strings.ContainsAny(file, "./") || strings.IndexFunc(file, unicode.IsLetter) < 0 {
		return spot{}, false
	}
	end := 0
	if rest[0] == '(' {
		end = strings.IndexByte(rest, ')') + 1
		if end == 0 || strings.Trim(rest[1:end-1], "0123456789,") != "" {
			return spot{}, false
		}
	} else {
		rest = rest[1:]
		end = len(rest) - len(strings.TrimLeft(rest, "0123456789:"))
		if end > 0 && rest[end-1] == ':' {
			end--
		}
	}
	if text := rest[end:]; strings.HasPrefix(text, ": ") {
		return spot{file, rest[:end], text}, true
	}
	return spot{}, false
}

// parseRow reads an indented row of a linter below its file: "  3:1  error  text".
func parseRow(s string) (at, rest string, ok bool) {
	t := s[leadingSpace(s):]
	end := len(t) - len(strings.TrimLeft(t, "0123456789:"))
	at, rest = t[:end], t[end:]
	line, column, found := strings.Cut(at, ":")
	ok = found && len(t) < len(s) && line != "" && column != "" && !strings.Contains(column, ":") && strings.HasPrefix(rest, "  ")
	return at, rest, ok
}

func leadingSpace(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

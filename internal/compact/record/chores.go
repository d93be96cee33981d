package record

import (
	"path"
	"strings"
	"unicode"
)

// chores holds lines that say of one file after the other what is being done:
// "Compiling 'src/a.py'...", "  inflating: src/a.py", "adding 'a/b.py'". A run of
// them names each directory once. The last one stays as it is: what comes next
// may be about it.
type chores struct{ held []Line }

const (
	fewChores  = 5   // that stay as they are
	mostChores = 500 // held
)

// take reports whether a line is one of a run, and holds it.
func (c *chores) take(l Line, emit Emit) bool {
	if doing, _ := chore(l.Text); doing == "" || l.Keep {
		return false
	}
	if c.held = append(c.held, l); len(c.held) > mostChores {
		c.fold(c.held[:mostChores], emit)
		c.held = append(c.held[:0], l)
	}
	return true
}

func (c *chores) end(emit Emit) {
	if n := len(c.held); n > fewChores {
		c.fold(c.held[:n-1], emit)
		emit.line(Body, c.held[n-1])
	} else {
		for _, l := range c.held {
			emit.line(Body, l)
		}
	}
	c.held = c.held[:0]
}

func (c *chores) fold(held []Line, emit Emit) {
	for _, l := range held {
		doing, name := chore(l.Text)
		dir, base := path.Split(name)
		emit(Record{List: ListName, Group: doing + " " + dir, Row: base, Lines: []Line{l}})
	}
}

// chore parts a line into what is done and the file that it is done with.
func chore(s string) (doing, name string) {
	doing, name, _ = strings.Cut(strings.TrimSpace(s), " ")
	doing = strings.TrimSuffix(doing, ":")
	name, dots := strings.CutSuffix(strings.TrimLeft(name, " "), "...")
	quoted := len(name) > 2 && name[0] == '\'' && name[len(name)-1] == '\''
	if quoted {
		name = name[1 : len(name)-1]
	}
	if len(doing) < 6 || !strings.HasSuffix(doing, "ing") || !lettersOnly(doing) || !choreFile(name) && !(quoted && dots && !strings.Contains(name, " ")) || name[len(name)-1] == '/' {
		return "", ""
	}
	return doing, name
}

// choreFile reports whether s is a path rather than a share, a version or a time:
// "12.5%", "3/10", "1.2.3", "0.5s".
func choreFile(s string) bool {
	ext := path.Ext(s)
	return pathLike(s) && strings.ContainsFunc(s, unicode.IsLetter) && (strings.Contains(s, "/") || len(ext) > 1 && unicode.IsLetter(rune(ext[1])))
}

func lettersOnly(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

package retro

import (
	"bufio"
	"context"
	"io"
	"strings"

	"cairn/internal/git"
)

// A nature tells who writes commits.
type nature uint8

const (
	human nature = iota
	agent        // writes code as a person's hand
	bot          // keeps dependencies, releases and the like up to date
)

// A person is who commits are said to be of. Who has one name is one person, as
// for git shortlog.
type person struct {
	name, email string
	sort        nature
	to          *person // who .mailmap says it is
}

func (p *person) real() *person {
	if p.to != nil {
		return p.to
	}
	return p
}

// people are all who were seen, once each.
type people struct {
	known   map[[2]string]*person
	written map[[2]string]*person // not yet looked up in .mailmap
	order   []*person             // of written
}

// mapped is somebody whom git looked up in .mailmap.
func (p *people) mapped(name, email string) *person {
	key := [2]string{name, email}
	if who := p.known[key]; who != nil {
		return who
	}
	who := newPerson(name, email)
	if p.known == nil {
		p.known = map[[2]string]*person{}
	}
	p.known[[2]string{strings.Clone(name), strings.Clone(email)}] = who
	return who
}

// asWritten is somebody as a message calls them, until mapAll.
func (p *people) asWritten(name, email string) *person {
	key := [2]string{plainName(name), plainName(email)}
	if who := p.written[key]; who != nil {
		return who
	}
	who := newPerson(key[0], key[1])
	if p.written == nil {
		p.written = map[[2]string]*person{}
	}
	p.written[key] = who
	p.order = append(p.order, who)
	return who
}

func newPerson(name, email string) *person {
	name, email = oneLine(name), oneLine(email)
	who := &person{name: name, email: email, sort: sortOf(name, email)}
	switch {
	case who.sort == agent:
		who.name = agentName(name, email)
	case name == "" && email == "":
		who.name = "nobody"
	case name == "":
		who.name = email
	}
	return who
}

// plainName takes out what would end a name or an address where git reads one.
func plainName(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '<' || r == '>' || r < ' ' {
			return -1
		}
		return r
	}, s))
}

// oneLine is text as JSON can hold it, in one line.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
}

// mapAll looks those up in .mailmap whom messages name.
func (p *people) mapAll(ctx context.Context, dir, tip string) error {
	if len(p.order) == 0 {
		return nil
	}
	var in strings.Builder
	for _, who := range p.order {
		in.WriteString(who.name + " <" + who.email + ">\n")
	}
	read := func(r *bufio.Reader) error {
		for _, who := range p.order {
			line, err := r.ReadString('\n')
			if err == io.EOF {
				return io.ErrUnexpectedEOF
			}
			if err != nil {
				return err
			}
			at := strings.LastIndex(line, "<")
			if who.sort == agent || at < 0 { // an agent's name is ours
				continue
			}
			who.to = p.mapped(strings.TrimSpace(line[:at]), strings.TrimRight(line[at+1:], ">\r\n"))
		}
		return nil
	}
	defer func() { p.order = nil }()
	return git.Stream(ctx, dir, strings.NewReader(in.String()), read, plain("-c", "mailmap.blob="+tip+":.mailmap", "check-mailmap", "--stdin")...)
}

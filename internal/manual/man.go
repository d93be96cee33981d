package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Man returns the man pages of section 1: cairn.1, and cairn-VERB.1 for each
// verb with all that is below it. The format is man(7); edition stands at the
// foot of each page, as "cairn 1.4.0", and date beside it, as 2026-11-21.
func (b Book) Man(edition, date string) []File {
	var root roff
	root.head(b.Root.Name(), edition, date)
	root.name(b.Root.Name(), b.Root.Short)
	root.section("SYNOPSIS")
	root.line(".B %s", text(b.Root.Name()))
	root.line(".I COMMAND")
	root.line("[argument ...] [flag ...]")
	root.section("DESCRIPTION")
	root.paragraphs(long(b.Root))
	root.section("COMMANDS")
	for _, g := range groups(b.Root) {
		root.line(`.SS "%s"`, quoted(strings.TrimSuffix(g.title, ":")))
		for _, v := range g.verbs {
			root.item(b.Root.Name()+"-"+v.Name()+"(1)", v.Short)
		}
	}
	for _, t := range b.Topics {
		root.section(strings.ToUpper(strings.ReplaceAll(t.Name, "-", " ")))
		root.paragraphs(t.Text)
		for _, r := range t.Rows {
			root.item(r.Name, r.Means)
		}
	}
	root.examples(b.Root)
	files := []File{{b.Root.Name() + ".1", root.String()}}
	for _, v := range verbs(b.Root) {
		files = append(files, File{b.Root.Name() + "-" + v.Name() + ".1", verbMan(b.Root.Name(), v, edition, date)})
	}
	return files
}

func verbMan(program string, v *cobra.Command, edition, date string) string {
	var m roff
	m.head(program+"-"+v.Name(), edition, date)
	m.name(program+"-"+v.Name(), v.Short)
	m.section("SYNOPSIS")
	for _, c := range tree(v) {
		if !c.HasSubCommands() || len(flags(c)) > 0 {
			m.line(".B %s", text(c.UseLine()))
			m.line(".br")
		}
	}
	m.section("DESCRIPTION")
	m.paragraphs(long(v))
	if list := flags(v); len(list) > 0 {
		m.section("OPTIONS")
		m.options(list)
	}
	if all := tree(v)[1:]; len(all) > 0 {
		m.section("COMMANDS")
		for _, c := range all {
			m.line(`.SS "%s"`, quoted(c.UseLine()))
			m.line("%s", text(c.Short+"."))
			m.paragraphs(long(c))
			m.options(flags(c))
			if list := examples(c); list != nil {
				m.verbatim(strings.Join(list, "\n"))
			}
		}
	}
	m.examples(v)
	m.section("SEE ALSO")
	m.line(`.BR %s (1)`, text(program))
	return m.String()
}

// roff is a page that is being written. text and quoted make what they are
// given safe in it: no backslash, no dot that begins a line.
type roff struct{ strings.Builder }

func (r *roff) line(format string, args ...any) { fmt.Fprintf(r, format+"\n", args...) }

func (r *roff) head(name, edition, date string) {
	r.line(`.TH "%s" 1 "%s" "%s" "Commands"`, quoted(strings.ToUpper(name)), quoted(date), quoted(edition))
	r.line(".nh") // a command that is broken at a line's end cannot be copied
	r.line(".ad l")
}

func (r *roff) name(name, short string) {
	r.section("NAME")
	r.line(`%s \- %s`, text(name), text(short))
}

func (r *roff) section(title string) { r.line(`.SH "%s"`, quoted(title)) }

func (r *roff) item(name, means string) {
	r.line(".TP")
	r.line(".B %s", text(name))
	r.line("%s", text(means))
}

func (r *roff) options(list []flag) {
	for _, f := range list {
		if f.def != "" && !strings.Contains(f.means, "(default") {
			f.means += " (default " + f.def + ")"
		}
		r.item(f.name, f.means)
	}
}

func (r *roff) paragraphs(long string) {
	for _, b := range blocks(long) {
		r.line(".PP")
		if b.verbatim {
			r.verbatim(b.text)
		} else {
			r.line("%s", text(b.text))
		}
	}
}

func (r *roff) verbatim(block string) {
	r.line(".PP\n.nf\n.RS 4")
	for _, l := range strings.Split(block, "\n") {
		r.line("%s", text(l))
	}
	r.line(".RE\n.fi")
}

func (r *roff) examples(c *cobra.Command) {
	if list := examples(c); list != nil {
		r.section("EXAMPLES")
		r.verbatim(strings.Join(list, "\n"))
	}
}

// text escapes a line. A hyphen is a minus, so that a flag can be copied; what
// is not ASCII is named by its number, which every formatter knows.
func text(s string) string {
	var out strings.Builder
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		out.WriteString(`\&`)
	}
	for _, r := range s {
		switch {
		case r == '\\':
			out.WriteString(`\e`)
		case r == '-':
			out.WriteString(`\-`)
		case r > '~':
			fmt.Fprintf(&out, `\[u%04X]`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// quoted escapes an argument in double quotes.
func quoted(s string) string { return strings.ReplaceAll(text(s), `"`, `\(dq`) }

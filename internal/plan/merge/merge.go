// Package merge merges three versions of one document of a plan: what two people
// made of it since they last agreed. It does so record by record, so that two
// decisions, two ticked requirements or two new phases do not collide because they
// stand in neighbouring lines. What nobody changed stays byte for byte.
//
// The command that git calls imports it. It opens no file and starts no program;
// how lines of plain text are merged is handed in.
package merge

import (
	"bytes"
	"path"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Result is a merged document. Where two people changed the same value both stand
// in it between markers, as git leaves them.
type Result struct {
	Data      []byte
	Conflicts int
}

// Merge merges the versions of the document of that path. Base is empty where both
// made it.
func Merge(name string, base, ours, theirs []byte, lines Lines) (Result, error) {
	switch {
	case bytes.Equal(ours, theirs) || bytes.Equal(theirs, base):
		return Result{ours, 0}, nil
	case bytes.Equal(ours, base):
		return Result{theirs, 0}, nil
	}
	three := [3][]byte{base, ours, theirs}
	switch {
	case path.Base(name) == plan.ActiveStream: // whoever merges goes on where they were
		return Result{ours, 0}, nil
	case path.Ext(name) == ".jsonl":
		return Result{appended(base, ours, theirs), 0}, nil
	case path.Base(name) == "config.json":
		if r, ok := mergeJSON(base, ours, theirs); ok {
			return r, nil
		}
	case path.Ext(name) == ".md" && plain(three):
		return mergeMarkdown(name, three, lines), nil
	}
	merged, conflicts, err := lines(base, ours, theirs)
	return Result{merged, conflicts}, err
}

// plain reports whether the versions are text with line feeds, which is what parts
// are made of.
func plain(three [3][]byte) bool {
	for _, b := range three {
		if bytes.ContainsAny(b, "\r\x00") || bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
			return false
		}
	}
	return true
}

func mergeMarkdown(name string, three [3][]byte, lines Lines) Result {
	var t [3]*doc.Text
	for i, b := range three {
		t[i] = doc.Parse(b)
	}
	m := &merger{lines: lines}
	var merged part
	switch base := path.Base(name); {
	case base == "STATE.md":
		merged = m.state(t)
	case base == "ROADMAP.md":
		merged = m.roadmap(t)
	case base == "REQUIREMENTS.md":
		merged = m.requirements(t)
	case base == "CONTEXT.md" || strings.HasSuffix(base, "-CONTEXT.md"):
		m.settle = settleList
		by := names{item: doc.DecisionOf} // a decision with the notes below it is one part
		merged = m.document(read(t[0], by), read(t[1], by), read(t[2], by))
	case strings.Contains(name, "/phases/") || strings.Contains(name, "-phases/"):
		merged = m.phaseDocument(t)
	default:
		m.settle = settleList
		merged = m.document(read(t[0], names{}), read(t[1], names{}), read(t[2], names{}))
	}
	return Result{finish(merged.all(), three), m.conflicts}
}

// document merges whole documents.
func (m *merger) document(base, ours, theirs part) part {
	ours.parts = m.sequence(base.parts, ours.parts, theirs.parts)
	return ours
}

// phaseDocument merges a plan, a summary, a verification: the frontmatter by its
// keys, the rest line by line, since its order is its meaning.
func (m *merger) phaseDocument(t [3]*doc.Text) part {
	m.settle = settleList
	var whole [3]part
	for i, t := range t {
		p := read(t, names{})
		for k, s := range p.parts {
			if s.kind == section {
				rest := part{parts: p.parts[k:]}
				p.parts = append(p.parts[:k:k], part{kind: text, key: "body", lines: rest.all()})
				break
			}
		}
		whole[i] = p
	}
	return m.document(whole[0], whole[1], whole[2])
}

// settleList settles lists that stand in one line of a frontmatter.
func settleList(p place, was, ours, theirs string) (string, bool) {
	if p.kind != entry {
		return "", false
	}
	return settleValue(was, ours, theirs, listBoth)
}

// settleValue settles what stands behind the first colon of lines that are the same
// before it.
func settleValue(was, ours, theirs string, settle func(was, ours, theirs string) (string, bool)) (string, bool) {
	head, value, ok := valueOf(ours)
	_, other, ok2 := valueOf(theirs)
	_, old, _ := valueOf(was)
	if !ok || !ok2 {
		return "", false
	}
	s, ok := settle(old, value, other)
	return head + s, ok
}

func valueOf(line string) (head, value string, ok bool) {
	at := strings.IndexByte(line, ':')
	if at < 0 || strings.Contains(line, "\n") {
		return "", "", false
	}
	for at++; at < len(line) && (line[at] == '*' || line[at] == ' '); at++ {
	}
	return line[:at], line[at:], true
}

// finish joins the lines. The last one has an end where a version with it has.
func finish(lines []string, three [3][]byte) []byte {
	s := strings.Join(lines, "\n")
	if s != "" && (bytes.HasSuffix(three[1], []byte("\n")) || bytes.HasSuffix(three[2], []byte("\n"))) {
		s += "\n"
	}
	return []byte(s)
}

// appended merges files to which lines are only added: ours, then what theirs has
// more.
func appended(base, ours, theirs []byte) []byte {
	had := map[string]int{}
	for l := range bytes.Lines(ours) {
		had[string(bytes.TrimRight(l, "\r\n"))]++
	}
	was := map[string]int{}
	for l := range bytes.Lines(base) {
		was[string(bytes.TrimRight(l, "\r\n"))]++
	}
	out := bytes.Clone(ours)
	for l := range bytes.Lines(theirs) {
		key := string(bytes.TrimRight(l, "\r\n"))
		switch {
		case was[key] > 0: // known to both, or removed by ours
			was[key]--
			had[key]--
		case had[key] > 0:
			had[key]--
		default:
			if len(out) > 0 && out[len(out)-1] != '\n' {
				out = append(out, '\n')
			}
			out = append(append(out, key...), '\n')
		}
	}
	return out
}

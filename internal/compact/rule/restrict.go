package rule

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// What the names in a project's rule may be: the agent sees them.
const (
	idPattern      = `^[a-z0-9][a-z0-9._-]{0,39}(/[a-z0-9][a-z0-9._-]{0,39}){0,2}$`
	counterPattern = `^[a-z][a-z_]{0,23}[0-9]{0,2}$`
	maxCounted     = 8 // counters in a summary
)

func checkID(id string) error {
	if !regexp.MustCompile(idPattern).MatchString(id) {
		return fmt.Errorf("%q cannot be the id of a project's rule: lower-case letters, digits, - . _ and / can", id)
	}
	return nil
}

// restrict takes out of a project's rule what is not a project's to say, though
// its person trusts it: nobody reads a rule as closely as a program. It chooses
// and counts lines; it writes none. below is the rule that it changes, or one
// without anything.
//
//   - data, by which words mean nothing, holds only for the outputs it held for
//   - tee, which could keep the raw output of a failure from being stored
//   - dedupe.format and group.header, which are free text
//   - all of count.summary but its counters
//
// What a failing command printed is not a project's to leave out either: see
// Stream.Finish in package compact.
func restrict(r, below *Rule) {
	r.Data = below.Data && r.Parser == below.Parser && reflect.DeepEqual(r.Match, below.Match)
	r.Tee, r.Family = below.Tee, below.Family
	p, was := &r.Primitives, &below.Primitives
	if p.Dedupe != nil {
		p.Dedupe.Format = cmp.Or(was.Dedupe, &Dedupe{}).Format
	}
	if p.Group != nil {
		p.Group.Header = cmp.Or(was.Group, &Group{}).Header
	}
	if p.Count.Summary != was.Count.Summary {
		p.Count.Summary = counted(p.Count.Summary)
	}
}

// counted is a summary without its words: "{fine} hosts are well" is "{fine} fine".
func counted(summary string) string {
	name := regexp.MustCompile(counterPattern)
	var parts []string
	for _, part := range strings.Split(summary, "{")[1:] {
		n, _, ok := strings.Cut(part, "}")
		if ok && name.MatchString(n) && len(parts) < maxCounted {
			parts = append(parts, "{"+n+"} "+n)
		}
	}
	return strings.Join(parts, ", ")
}

package install

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"

	"cairn/internal/host"
	"cairn/internal/jsonc"
)

// memberFile is the settings file that a member of t's host belongs to.
func memberFile(t Target, k host.Member) string {
	for _, name := range append([]string{k.File}, k.Else...) {
		if _, err := os.Stat(t.path(name)); err == nil {
			return t.path(name)
		}
	}
	return t.path(k.File)
}

// membersIn returns the members of a settings file that some parts of t's host
// ask for, whatever is there now.
func (m Machine) membersIn(t Target, path string, parts []host.Part) []host.Member {
	var all []host.Member
	for _, k := range t.Host.Members {
		if slices.Contains(parts, cmp.Or(k.Part, host.Compact)) && memberFile(t, k) == path {
			all = append(all, k)
		}
	}
	return all
}

// choose returns which members are to be set in d, which has none of ours, and
// the ones that stay as the user has them. A user's own value gives way to a
// personal one when that is forced, now or before.
func (m Machine) choose(t Target, d *jsonc.Doc, all []host.Member, parts []host.Part, rec *Record, force bool) (set, declined []SetMember) {
	for _, k := range all {
		s := SetMember{Path: k.Path, Value: m.caller(t, parts).fill(k.Value)}
		before := rec.member(k.Path)
		forced := k.Personal && (force || before != nil && (before.Was != "" || t.Local()))
		switch there := d.Kind(pathOf(k.Path)); {
		case k.Personal && t.Local() && !forced:
		case there == 0:
			set = append(set, s)
		case same(d, s):
		case forced:
			s.Was = d.Text(pathOf(k.Path))
			set = append(set, s)
		default:
			declined = append(declined, s)
		}
	}
	return set, declined
}

// member returns what r says of a member; nil when it says nothing, or is nil.
func (r *Record) member(path []string) *SetMember {
	if r == nil {
		return nil
	}
	return find(r.Members, func(s SetMember) bool { return slices.Equal(s.Path, path) })
}

// known returns the members that may be ours in a settings file: the recorded
// ones, and those of the row that no record speaks of, which are ours only when
// they call us.
func (m Machine) known(t Target, path string, rec *Record) []SetMember {
	var all []SetMember
	if rec != nil {
		all = slices.Clone(rec.Members)
	}
	for _, k := range m.membersIn(t, path, host.Parts()) {
		if rec.member(k.Path) == nil {
			all = append(all, SetMember{Path: k.Path})
		}
	}
	return all
}

// set puts the member into d and notes which objects it made for it.
func (s SetMember) set(d *jsonc.Doc, was []Container) (*jsonc.Doc, []Container, error) {
	var err error
	for i := range len(s.Path) - 1 {
		if d, was, err = ensure(d, pathOf(s.Path[:i]), s.Path[i], '{', "an object", was); err != nil {
			return nil, nil, err
		}
	}
	at := pathOf(s.Path)
	if s.Was != "" {
		d, err = d.Replace(at, json.RawMessage(s.Value))
	} else {
		d, err = d.Set(at[:len(at)-1], s.Path[len(at)-1], json.RawMessage(s.Value))
	}
	return d, was, err
}

// unset takes it out again.
func (s SetMember) unset(d *jsonc.Doc) (*jsonc.Doc, error) {
	if s.Was != "" {
		return d.ReplaceText(pathOf(s.Path), s.Was)
	}
	return d.Remove(pathOf(s.Path))
}

// isOurs reports whether the member in d is the one that install set, or one
// of another install: its command is one of ours.
func (s SetMember) isOurs(d *jsonc.Doc, ours func(string) bool) bool {
	at := pathOf(s.Path)
	command := d.String(at.At("command"))
	return d.Kind(at) != 0 && (same(d, s) || command != "" && ours(command))
}

// same reports whether the member in d has this value.
func same(d *jsonc.Doc, s SetMember) bool {
	there, ok := d.Value(pathOf(s.Path))
	if !ok {
		return false
	}
	data, err := json.Marshal(there)
	return err == nil && canonicalJSON(data) == canonicalJSON([]byte(s.Value))
}

// canonicalJSON is the same text for the same value.
func canonicalJSON(text []byte) string {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return string(text)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return string(text)
	}
	return string(data)
}

func pathOf(steps []string) jsonc.Path {
	var p jsonc.Path
	for _, step := range steps {
		p = p.At(step)
	}
	return p
}

func names(p jsonc.Path) []string {
	steps := make([]string, len(p))
	for i, step := range p {
		steps[i] = step.(string)
	}
	return steps
}

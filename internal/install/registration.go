package install

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/host"
	"cairn/internal/jsonc"
)

// A registration is one entry in the array of an event.
type registration struct {
	event   string
	flat    bool
	matcher string
	handler handler
}

type handler struct {
	Type    string `json:"type,omitempty"`
	Command string `json:"command"`
	Matcher string `json:"matcher,omitempty"` // of a flat entry
	Timeout int    `json:"timeout"`           // in the unit of the host's shape
}

// entry is what stands in the settings file.
func (r registration) entry() any {
	h := r.handler
	if r.flat {
		h.Matcher = r.matcher
		return h
	}
	h.Type = "command"
	return struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}{r.matcher, []handler{h}}
}

// registrations is what a host's row asks for, for some parts: one for each
// event, so that none calls us twice.
func (m Machine) registrations(t Target, parts []host.Part) []registration {
	var all []registration
	for _, k := range t.Host.HooksOn(m.GOOS, parts...) {
		if i := slices.IndexFunc(all, func(r registration) bool { return r.event == k.Event }); i >= 0 {
			all[i].matcher = joined(all[i].matcher, k.Matcher)
			continue
		}
		all = append(all, registration{k.Event, t.Host.Shape.Flat, k.Matcher, handler{
			Command: m.caller(t, parts).command(), Timeout: int(t.Host.Timeout / t.Host.Shape.Unit),
		}})
	}
	return all
}

func commands(all []registration) []string {
	var list []string
	for _, r := range all {
		if !slices.Contains(list, r.handler.Command) {
			list = append(list, r.handler.Command)
		}
	}
	return list
}

// A found is a command hook in a settings file, ours or not.
type found struct {
	path    jsonc.Path // of the handler: hooks, event, index, and in a group "hooks", index
	event   string
	matcher string
	command string
	timeout float64
	line    int
}

var hooksPath = jsonc.Path{"hooks"}

func findHooks(d *jsonc.Doc) []found {
	var all []found
	for _, event := range d.Names(hooksPath) {
		groups := hooksPath.At(event)
		for i := range d.Len(groups) {
			g := groups.At(i)
			if d.Kind(g.At("hooks")) == 0 {
				all = append(all, foundAt(d, g, g, event))
			}
			for j := range d.Len(g.At("hooks")) {
				all = append(all, foundAt(d, g.At("hooks").At(j), g, event))
			}
		}
	}
	return all
}

func foundAt(d *jsonc.Doc, handler, entry jsonc.Path, event string) found {
	return found{handler, event, d.String(entry.At("matcher")), d.String(handler.At("command")),
		d.Number(handler.At("timeout")), d.Line(handler)}
}

func countOurs(d *jsonc.Doc, ours func(string) bool) int {
	return count(findHooks(d), func(f found) bool { return ours(f.command) })
}

func count[T any](all []T, is func(T) bool) (n int) {
	for _, v := range all {
		if is(v) {
			n++
		}
	}
	return n
}

// missing returns the registrations that d does not have.
func missing(d *jsonc.Doc, want []registration, ours func(string) bool) []registration {
	have := findHooks(d)
	return slices.DeleteFunc(slices.Clone(want), func(r registration) bool {
		return slices.ContainsFunc(have, func(f found) bool {
			return ours(f.command) && f.event == r.event && f.matcher == r.matcher &&
				f.command == r.handler.Command && f.timeout == float64(r.handler.Timeout)
		})
	})
}

type shapeError struct {
	line int
	what string
}

func (e *shapeError) Error() string { return e.what }

// register appends every registration to the array of its event, sets every
// member, and says what stood there before.
func register(d *jsonc.Doc, want []registration, members []SetMember) (*jsonc.Doc, []Container, error) {
	var was []Container
	var err error
	if d.Len(nil) == 0 {
		was = append(was, Container{Was: wasEmpty, Inner: d.Inner(nil)})
	}
	if len(want) > 0 {
		if d, was, err = ensure(d, nil, "hooks", '{', "an object", was); err != nil {
			return nil, nil, err
		}
	}
	for _, r := range want {
		if d, was, err = ensure(d, hooksPath, r.event, '[', "an array", was); err != nil {
			return nil, nil, err
		}
		if d, err = d.Append(hooksPath.At(r.event), r.entry()); err != nil {
			return nil, nil, err
		}
	}
	for _, k := range members {
		if d, was, err = k.set(d, was); err != nil {
			return nil, nil, err
		}
	}
	return d, was, nil
}

// ensure makes the member name of the object at p an object or array.
func ensure(d *jsonc.Doc, p jsonc.Path, name string, kind byte, kindName string, was []Container) (*jsonc.Doc, []Container, error) {
	at := p.At(name)
	steps := names(at)
	var empty any = struct{}{}
	if kind == '[' {
		empty = []int{}
	}
	var err error
	switch d.Kind(at) {
	case 0:
		was = append(was, Container{Path: steps, Was: wasAbsent})
		d, err = d.Set(p, name, empty)
	case 'n':
		was = append(was, Container{Path: steps, Was: wasNull})
		d, err = d.Replace(at, empty)
	case kind:
		known := slices.ContainsFunc(was, func(c Container) bool { return slices.Equal(c.Path, steps) })
		if d.Len(at) == 0 && !known {
			was = append(was, Container{Path: steps, Was: wasEmpty, Inner: d.Inner(at)})
		}
	default:
		err = &shapeError{d.Line(at), fmt.Sprintf("%q is not %s", strings.Join(steps, "."), kindName)}
	}
	return d, was, err
}

// unregister takes out the members and every handler of ours, the groups that
// held nothing else, and the containers that register made and that are empty
// now. known says that was is complete; without it (the manifest is lost) a
// container that ours leave empty goes too.
func unregister(d *jsonc.Doc, ours func(string) bool, members []SetMember, was []Container, known bool) (*jsonc.Doc, error) {
	var err error
	var touched []string
	for _, k := range slices.Backward(members) {
		if !k.isOurs(d, ours) {
			continue
		}
		if d, err = k.unset(d); err != nil {
			return nil, err
		}
		for n := len(k.Path) - 1; n > 0 && !known; n-- {
			was = append(was, Container{Path: k.Path[:n], Was: wasAbsent})
		}
	}
	for {
		all := findHooks(d)
		i := slices.IndexFunc(all, func(f found) bool { return ours(f.command) })
		if i < 0 {
			break
		}
		p := all[i].path
		if grouped := len(p) > len(hooksPath)+2; grouped && d.Len(p[:len(p)-1]) == 1 {
			p = p[:len(p)-2]
		}
		if d, err = d.Remove(p); err != nil {
			return nil, err
		}
		touched = append(touched, all[i].event)
	}
	if !known {
		for _, event := range append(touched, "") {
			c := Container{Path: []string{"hooks", event}, Was: wasAbsent}
			if event == "" {
				c.Path = c.Path[:1]
			}
			if len(touched) > 0 {
				was = append(was, c)
			}
		}
	}
	// The inner ones first.
	was = slices.Clone(was)
	slices.SortStableFunc(was, func(a, b Container) int { return len(b.Path) - len(a.Path) })
	for _, c := range was {
		if d, err = c.restore(d); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// restore puts back what stood in the place of an object or array that is
// empty again. One with a new comment in it is the user's by now.
func (c Container) restore(d *jsonc.Doc) (*jsonc.Doc, error) {
	p := pathOf(c.Path)
	if k := d.Kind(p); k != '{' && k != '[' || d.Len(p) > 0 || strings.TrimSpace(d.Inner(p)) != strings.TrimSpace(c.Inner) {
		return d, nil
	}
	switch c.Was {
	case wasAbsent:
		return d.Remove(p)
	case wasNull:
		return d.Replace(p, nil)
	}
	return d.SetInner(p, c.Inner)
}

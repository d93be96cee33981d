package install

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"cairn/internal/install/render"
	"cairn/internal/jsonc"
)

// planSettings plans every settings file that has, or is to have, something of
// ours.
func (p *Plan) planSettings(o Options) error {
	var files []string
	add := func(name string) {
		if name != "" && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	add(p.Target.Settings())
	for _, k := range p.Target.Host.Members {
		add(memberFile(p.Target, k))
	}
	if p.previous != nil {
		for _, rec := range p.previous.Files {
			add(rec.Path)
		}
	}
	for _, name := range files {
		c, rec, err := p.planFile(name, o)
		if err != nil {
			return err
		}
		if c != nil {
			p.Settings = append(p.Settings, c)
		}
		if rec != nil {
			p.manifest.Files = append(p.manifest.Files, *rec)
		}
	}
	return nil
}

// planFile plans one settings file, and says what the manifest will note of it:
// nil when it will have nothing of ours. No change: it is not our business.
func (p *Plan) planFile(name string, o Options) (*Change, *Record, error) {
	t, h, m := p.Target, p.Target.Host, p.machine
	registers := name == t.Settings()
	own := registers && h.Own != nil
	var want []registration
	if registers && !p.Elsewhere && !own {
		want = m.registrations(t, p.Parts)
	}
	members := m.membersIn(t, name, p.Parts)
	for i := range members {
		server := p.manifest.Telemetry
		members[i].Value = strings.NewReplacer(`"@otlp@"`, render.Quoted(server), `"@otlp-headers@"`, render.Quoted(m.caller(t, p.Parts).headers(server))).Replace(members[i].Value)
	}
	wanted := len(want)+len(members) > 0 || own && !p.Elsewhere && callsFor(h, p.Parts)
	rec := p.previous.record(name)
	if !wanted && rec == nil && len(p.Parts) > 0 {
		return nil, nil, nil
	}

	f, err := readSettings(name)
	if err != nil {
		return nil, nil, err
	}
	known := m.known(t, name, rec)
	var base []byte
	if own {
		base = f.withoutOwn(h, rec)
	} else if base, err = f.without(h, rec, known); err != nil {
		return nil, nil, err
	}
	file, _ := t.modes()
	c := &Change{Name: name, Path: f.target, Before: f.data, After: base, mode: file}
	if !wanted {
		if rec != nil && rec.Backup != "" {
			if kept, err := os.ReadFile(rec.Backup); err == nil && !bytes.Equal(kept, base) {
				c.Backup = rec.Backup // the comments are only there now
			}
		}
		return c, nil, nil
	}
	next := rec.renewed(f, base)
	if own {
		if base != nil {
			return nil, nil, fmt.Errorf("%s: %w", f.path, ErrForeign)
		}
		c.After, c.Hooks = []byte(m.caller(t, p.Parts).fill(h.OwnText())), 1
		next.After = digest(c.After)
		return c, &next, nil
	}

	text := base
	if o.Plain || f.isUntouched(rec) && rec.Backup != "" { // or it was made plain before
		if text, err = f.plain(base); err != nil {
			return nil, nil, err
		}
		if !bytes.Equal(text, base) && next.Backup == "" {
			next.Backup = m.manifestPath(t, backupSuffix)
		}
	}
	version := 0
	if registers {
		version = h.Shape.Version
	}
	out, err := f.register(text, version, want, func(d *jsonc.Doc) (set, declined []SetMember) {
		return m.choose(t, d, members, p.Parts, rec, o.Force)
	})
	if err != nil {
		return nil, nil, err
	}
	c.After, c.Hooks, c.Declined = out.text, len(want), out.declined
	if len(want)+len(out.members) == 0 {
		return c, nil, nil
	}
	next.Commands, next.Members, next.Containers, next.Version = commands(want), out.members, out.containers, out.version
	if f.registers(want, out.members, known, commandOf(h, rec)) && (!o.Plain || f.isPlain()) {
		c.After = f.data // what the user moved around stays where it is
	}
	next.After, c.Backup, c.Extensions = digest(c.After), next.Backup, extensions(h, c.After)
	return c, &next, nil
}

// Package install puts cairn into coding agents and takes exactly that out
// again: commands, agents and hooks, the binary they call, and a manifest that
// knows what was there before. It also checks that what was put in still works
// (the doctor's checks).
//
// It is driven by the rows of package host and never asks which host it has;
// the files of content come as they are to be written. Only cli may import it.
// What the hooks do when called never belongs here, nor what a prompt says.
//
// A change is planned (plan_settings.go, plan_files.go), which only reads, and
// then applied (apply.go) under one lock (lock.go). The order of writes makes a
// kill at any point harmless: the binary, the texts that a later merge needs,
// the manifest with everything that is or will be there, the files of content,
// the settings, and the manifest without what is gone. On the way out the
// settings, the files, the manifest, and the binary.
package install

import (
	"slices"

	"cairn/internal/host"
	"cairn/internal/install/render"
)

// Options is what is asked of a target.
type Options struct {
	Parts   []host.Part   // to put in, beside those that are there
	Files   []render.File // of the plan part
	Profile string        // that Files are of
	Call    string        // how their prompts call cairn
	// Plain: comments and trailing commas of the settings go; the manifest
	// keeps them for PlanUninstall.
	Plain bool
	// Force: members of a user's taste are set where they are not by
	// themselves (host.Member.Personal).
	Force bool
	// Telemetry is the URL of the server that the host is to tell what it costs; ""
	// leaves that as it is, NoTelemetry takes it out.
	Telemetry string
}

// NoTelemetry takes the part of that name out.
const NoTelemetry = "off"

// A Plan is a change to one target, not yet made.
type Plan struct {
	Target   Target
	Parts    []host.Part // that will be there
	Settings []*Change   // the file that registers hooks first
	Files    []FileChange
	// Edited are files of ours that the user edited and whose text makes room;
	// it is kept. Older is the same of files that another cairn wrote, of which
	// nothing is noted here. Kept are those whose text stays, as there is
	// nothing new for them. All are paths below Target.Dir.
	Edited, Older, Kept []string
	// Elsewhere: hooks are left out of the repository, as the user's own
	// settings of the same host have them.
	Elsewhere bool

	machine  Machine
	manifest *Manifest // what it will be; nil: none
	previous *Manifest
	dirs     []string // to make, outermost first
	texts    []render.File
	edited   []editedFile
}

// Changed reports whether a file will change.
func (p *Plan) Changed() bool {
	return len(p.Files) > 0 || slices.ContainsFunc(p.Settings, (*Change).Changed)
}

// WasInstalled reports whether there was anything of ours to take out.
func (p *Plan) WasInstalled() bool { return p.previous != nil || p.Changed() }

// Registers reports whether hooks of ours will be there.
func (p *Plan) Registers() bool {
	return slices.ContainsFunc(p.Settings, func(c *Change) bool { return c.Hooks > 0 })
}

// Has reports whether a part will be there.
func (p *Plan) Has(part host.Part) bool { return slices.Contains(p.Parts, part) }

// Content is how many files of commands and agents will be there, and the
// profile they are of.
func (p *Plan) Content() (files int, profile string) {
	if p.manifest == nil {
		return 0, ""
	}
	return len(p.manifest.Content), p.manifest.Profile
}

// Telemetry is the server that the host will tell what it costs, "" for none.
func (p *Plan) Telemetry() string {
	if p.manifest == nil {
		return ""
	}
	return p.manifest.Telemetry
}

// Main is the change to the file that registers hooks; nil where the host has
// none.
func (p *Plan) Main() *Change {
	if len(p.Settings) == 0 || p.Settings[0].Name != p.Target.Settings() {
		return nil
	}
	return p.Settings[0]
}

// PlanInstall works out how t has to change so that the parts asked for are
// there: every hook of the host's row once, every file as it is given.
func (m Machine) PlanInstall(t Target, o Options) (*Plan, error) {
	previous, err := m.Manifest(t)
	if err != nil {
		return nil, err
	}
	next := &Manifest{Profile: o.Profile, Call: o.Call}
	for _, part := range host.Parts() {
		if t.Host.Takes(part) && (slices.Contains(o.Parts, part) || previous.Has(part)) {
			next.Parts = append(next.Parts, part)
		}
	}
	if next.Telemetry = o.Telemetry; next.Telemetry == "" && previous != nil {
		next.Telemetry = previous.Telemetry
	}
	if next.Telemetry == NoTelemetry || t.Local() || !t.Host.Takes(host.Telemetry) {
		next.Telemetry = "" // whoever shares a repository is not to be watched by it
	}
	if next.Telemetry != "" {
		next.Parts = append(next.Parts, host.Telemetry)
	}
	files := &o.Files
	if !slices.Contains(o.Parts, host.Plan) || !t.Host.Takes(host.Plan) {
		files = nil
	}
	if files == nil && previous != nil {
		next.Profile, next.Call = previous.Profile, previous.Call
	}
	return m.plan(t, previous, next, files, o)
}

// PlanUninstall works out how t has to change so that nothing of some parts is
// left, or nothing at all: settings to the original bytes when nobody edited
// them since, else to the user's edits without our entries. A lost manifest
// and a second uninstall are fine; without a manifest those of files go that
// are as they are given, or that another cairn wrote.
func (m Machine) PlanUninstall(t Target, files []render.File, parts ...host.Part) (*Plan, error) {
	previous, err := m.Manifest(t)
	if err != nil {
		return nil, err
	}
	next := &Manifest{}
	if previous != nil {
		next.Profile, next.Call = previous.Profile, previous.Call
		next.Parts = slices.DeleteFunc(slices.Clone(previous.Parts), func(p host.Part) bool { return slices.Contains(parts, p) })
		if next.Telemetry = previous.Telemetry; len(next.Parts) == 1 && next.Parts[0] == host.Telemetry { // it goes with the last of the others
			next.Parts, next.Telemetry = nil, ""
		}
	}
	var left *[]render.File
	if slices.Contains(parts, host.Plan) {
		left, next.Profile, next.Call = &[]render.File{}, "", ""
		if previous == nil {
			previous = m.guess(t, files)
		}
	}
	return m.plan(t, previous, next, left, Options{})
}

// plan works out how t becomes what next says. Files are the content then, nil
// for what is there.
func (m Machine) plan(t Target, previous, next *Manifest, files *[]render.File, o Options) (*Plan, error) {
	next.Version, next.Host, next.ConfigDir, next.Root, next.Cairn = manifestVersion, t.Host.Name, t.Dir, t.Root, m.Version
	p := &Plan{Target: t, Parts: next.Parts, machine: m, previous: previous, manifest: next}
	if previous != nil {
		next.Dirs, next.Content = slices.Clone(previous.Dirs), previous.Content
	}
	p.Elsewhere = len(next.Parts) > 0 && m.elsewhere(t)
	if err := p.planSettings(o); err != nil {
		return nil, err
	}
	if files != nil {
		if err := p.planFiles(*files); err != nil {
			return nil, err
		}
	}
	p.planDirs()
	if len(next.Parts) == 0 {
		p.manifest = nil
	}
	return p, nil
}

// elsewhere reports whether hooks of ours in the user's own settings are called
// in the repository of t too.
func (m Machine) elsewhere(t Target) bool {
	own := m.Target(t.Host)
	if !t.Local() || own.Dir == "" || own.Dir == t.Dir {
		return false
	}
	mf, err := m.Manifest(own)
	if err != nil || mf == nil {
		return false
	}
	return mf.Registers(own)
}

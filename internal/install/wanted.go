package install

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/install/render"
	"cairn/internal/plan/content"
	build "cairn/internal/version"
)

// usualProfile is that of who names none.
const usualProfile = "standard"

// ThisMachine is where this binary runs, for the user of the environment.
func ThisMachine(getenv func(string) string) (Machine, error) {
	exe, err := os.Executable()
	if err != nil {
		return Machine{}, err
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	return Machine{Home: home.Find(getenv), Executable: exe, Version: build.Full(), GOOS: runtime.GOOS, Getenv: getenv}, nil
}

// Wanted is what an install of some parts asks of a target. Without a profile
// the one that is there stays.
func (m Machine) Wanted(t Target, parts []host.Part, profile string) (Options, error) {
	o := Options{Parts: parts}
	if !slices.Contains(parts, host.Plan) || !t.Host.Takes(host.Plan) {
		return o, nil
	}
	mf, err := m.Manifest(t)
	if err != nil {
		return o, err
	}
	if mf != nil {
		profile = cmp.Or(profile, mf.Profile)
	}
	o.Profile, o.Call = cmp.Or(profile, usualProfile), m.Call(t)
	o.Files, err = prompts(t, o.Profile, o.Call)
	return o, err
}

// Expected are the files that this cairn would write where a target is installed,
// and else those of every command.
func (m Machine) Expected(t Target) ([]render.File, error) {
	profile, call := content.Profiles()[len(content.Profiles())-1], m.Call(t)
	if mf, err := m.Manifest(t); err == nil && mf.Has(host.Plan) {
		profile, call = cmp.Or(mf.Profile, usualProfile), cmp.Or(mf.Call, call)
	}
	return prompts(t, profile, call)
}

// prompts are the files of a profile for a target, call being how they call
// cairn.
func prompts(t Target, profile, call string) ([]render.File, error) {
	return render.Files(t.Host, render.Options{Profile: profile, Local: t.Local(), Cairn: call})
}

// ForgetCalls has the doctor expect no more calls of a host that is installed
// nowhere any more.
func (m Machine) ForgetCalls(h host.Host) {
	left, err := m.Installed()
	if err != nil || slices.ContainsFunc(left, func(t Target) bool { return t.Host.Name == h.Name }) {
		return
	}
	called := m.Home.Fired(h.Name)
	for _, name := range []string{called, filepath.Dir(called), filepath.Dir(filepath.Dir(called))} {
		_ = os.Remove(name) // a directory goes when it is empty
	}
}

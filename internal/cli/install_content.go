package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/command"
	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/install/render"
	"cairn/internal/plan/content"
	"cairn/internal/term"
)

const usualProfile = "standard"

// wanted is what an install of some parts asks of a target. Without a profile
// the one that is there stays.
func wanted(m install.Machine, t install.Target, parts []host.Part, profile string) (install.Options, error) {
	o := install.Options{Parts: parts}
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

// prompts are the files of a profile for a target, call being how they call
// cairn.
func prompts(t install.Target, profile, call string) ([]render.File, error) {
	return render.Files(t.Host, render.Options{Profile: profile, Local: t.Local(), Cairn: call})
}

// expected are the files that this cairn would write where a target is installed,
// and else those of every command.
func expected(m install.Machine, t install.Target) ([]render.File, error) {
	profile, call := content.Profiles()[len(content.Profiles())-1], m.Call(t)
	if mf, err := m.Manifest(t); err == nil && mf.Has(host.Plan) {
		profile, call = cmp.Or(mf.Profile, usualProfile), cmp.Or(mf.Call, call)
	}
	return prompts(t, profile, call)
}

// partsOf are the parts that --only names, all of them for "".
func partsOf(only string) ([]host.Part, error) {
	if only == "" {
		return host.Parts(), nil
	}
	if slices.Contains(host.Parts(), host.Part(only)) {
		return []host.Part{host.Part(only)}, nil
	}
	return nil, command.Usage(term.Hint(fmt.Errorf("--only %s: no such part", only), "the parts are: compact, plan"))
}

func knownProfile(name string) error {
	if name == "" || slices.Contains(content.Profiles(), name) {
		return nil
	}
	return command.Usage(term.Hint(fmt.Errorf("--profile %s: no such profile", name), "known are: %s", strings.Join(content.Profiles(), ", ")))
}

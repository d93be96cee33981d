package installcmd

import (
	"fmt"
	"strings"

	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/term"
)

// say tells what stands in a target now. Kept is where the texts are
// that the user had made of files of ours.
func (c *choice) say(p *install.Plan, kept string) {
	t, title := p.Target, p.Target.Host.Title
	say := func(format string, args ...any) {
		fmt.Fprintf(c.Stderr, title+": "+format+"\n", args...)
	}
	if main := p.Main(); main != nil && main.Hooks > 0 {
		say("%s", registered(t, main))
		if t.Host.Advice != "" && main.Changed() {
			term.PrintHint(c.Stderr, "%s", t.Host.Advice)
		}
		all := t.Host.HooksOn("", p.Parts...)
		if len(t.Host.HooksOn(c.GOOS, p.Parts...)) < len(all) {
			say("on this system the output of commands that succeed is compacted, of failing ones not")
		}
		c.sayTwice(t)
	}
	if p.Elsewhere {
		say("no hook is registered in %s: your own settings have them, and both would be called", t.Root)
	}
	if files, profile := p.Content(); p.Has(host.Plan) && files > 0 {
		already := ""
		if len(p.Files) == 0 {
			already = " already"
		}
		say("%d files of commands and agents are in %s%s (profile %s)", files, t.Dir, already, profile)
	}
	if server := p.Telemetry(); server != "" {
		say("telemetry goes to %s: tokens, dollars, models and sessions; no word of a prompt", server)
	}
	if len(p.Edited) > 0 {
		say("you had edited %s; your text is kept in %s", edited(p), kept)
		term.PrintHint(c.Stderr, "cairn update --reapply %s merges it into the new one", c.Words(t))
	}
	if len(p.Older) > 0 {
		say("%d of them were of another cairn; their old text is kept in %s", len(p.Older), kept)
	}
	if len(p.Kept) > 0 {
		say("as you edited them: %s", strings.Join(p.Kept, ", "))
	}
	for _, s := range p.Settings {
		for _, k := range s.Declined {
			say("%s in %s stays as you have it", strings.Join(k.Path, "."), s.Name)
		}
	}
	if main := p.Main(); main != nil && len(main.Extensions) > 0 {
		e := main.Extensions[0]
		term.Warn(c.Stderr, "%s:%d: a %s (%d such in all): %s ignores the whole file for it, hooks included",
			t.Settings(), e.Line, e.What, len(main.Extensions), title)
		term.PrintHint(c.Stderr, "cairn install %s --fix writes it without; uninstall brings the original back", c.Words(t))
	}
}

// registered says what hooks stand in the settings now.
func registered(t install.Target, c *install.Change) string {
	already := ""
	if !c.Changed() {
		already = " already"
	}
	if t.Host.Own != nil {
		return fmt.Sprintf("registered by %s%s", c.Name, already)
	}
	hooks := "hook is"
	if c.Hooks > 1 {
		hooks = "hooks are"
	}
	return fmt.Sprintf("%d %s registered in %s%s", c.Hooks, hooks, c.Name, already)
}

// sayTwice warns of repositories whose own registration is called beside the
// one in the user's settings.
func (c *choice) sayTwice(t install.Target) {
	if t.Local() {
		return
	}
	all, _ := c.Installed()
	for _, other := range all {
		if !other.Local() || other.Host.Name != t.Host.Name {
			continue
		}
		if mf, err := c.Manifest(other); err == nil && mf != nil && mf.Registers(other) {
			term.Warn(c.Stderr, "%s has hooks of its own for %s, which are called too; cairn install %s there takes them out",
				other.Root, t.Host.Title, c.Words(other))
		}
	}
}

package record

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
)

// terraform is the parser for terraform's and tofu's plan, apply, init and
// validate. A resource of a plan is its header and what changes in it; of new
// ones and of those that change alike the first tells how, with the keys of the
// others. Messages are records, in their box or without one.
type terraform struct {
	in      string
	action  string // of the resource we are in
	name    string // and its name, without keys
	key     string // and those
	block   []Line // the lines of the resource, or of the outputs
	message []Line // an open error or warning
	class   Class
	boxed   bool
}

const (
	tfNone     = ""
	tfResource = "resource" // of the plan
	tfChanges  = "changes"  // to outputs
	tfOutputs  = "outputs"
	tfLegend   = "legend" // what the signs mean, advice
)

const (
	tfMessage = 40  // lines of one message
	tfBlock   = 400 // lines of one resource that are looked at
	tfShown   = 40  // and shown
	tfOneLine = 160 // bytes of a block that is written on one line
)

func (p *terraform) Line(l Line, emit Emit) {
	s := l.Text
	t := strings.TrimSpace(s)
	bare, boxed := strings.CutPrefix(s, "│")
	if boxed {
		l.Text = strings.TrimPrefix(bare, " ")
		t = strings.TrimSpace(bare)
	}
	switch {
	case oneOf(t, "", "╷", "╵") || strings.Trim(t, "─") == "":
		if t == "╵" || t == "╷" {
			p.flush(emit)
		} else if p.in == tfResource && t == "" && len(p.block) > 0 && len(p.block) < tfBlock {
			p.block = append(p.block, l) // in a text
			return
		}
		if strings.HasPrefix(t, "─") {
			p.in = tfLegend
		}
		emit.line(Folded, l)
	case hasPrefix(t, "Error: ", "Warning: "):
		p.flush(emit)
		p.in, p.boxed, p.class = tfNone, boxed, Failure.unless(strings.HasPrefix(t, "W"), Warn)
		p.message = []Line{l}
	case hasPrefix(t, tfResult...):
		p.flush(emit)
		p.close(emit)
		m, _ := tfSections.mark(t)
		p.in = m.key
		emit.line(Keep, l)
	case p.message != nil && p.boxed == boxed && len(p.message) < tfMessage && !strings.HasPrefix(t, "To see which modules "):
		p.message = append(p.message, l)
	default:
		p.flush(emit)
		p.section(l, t, emit)
	}
}

// section takes a line outside of a message.
func (p *terraform) section(l Line, t string, emit Emit) {
	action := tfAction(t)
	class := Body
	switch {
	case action != "":
		p.close(emit)
		name, _, _ := strings.Cut(strings.TrimPrefix(t, "# "), " ")
		p.name, p.key = tfAddress(name)
		p.in, p.action = tfResource, action
		p.block = append(p.block, l)
		return
	case tfProgress(t):
		class = Folded
	case strings.HasPrefix(t, "Terraform used the selected "), hasPrefix(t, "OpenTofu used the selected ", "You may now begin", "Note: You didn't use the -out", "Terraform has created a lock file", "To see which modules are currently", "There are some problems with the CLI"):
		p.in, class = tfLegend, Folded
	case strings.HasSuffix(t, "will perform the following actions:"):
		p.in, class = tfNone, Folded
	case p.in == tfResource || p.in == tfOutputs:
		if len(p.block) < tfBlock {
			p.block = append(p.block, l)
			return
		}
		class = Good
	case p.in == tfChanges:
		class = Folded.unless(leading(l.Text) <= 2 && t[0] != '}' && t[0] != ']', Keep)
	case p.in == tfLegend:
		class = Folded
	default:
		p.close(emit)
		emit(plain(l))
		return
	}
	if class == Folded && p.in != tfResource {
		p.close(emit)
	}
	emit.line(class, l)
}

// close gives out the resource or the outputs that are held.
func (p *terraform) close(emit Emit) {
	block := take(&p.block)
	if block == nil {
		return
	}
	fresh := tfView{all: p.in == tfOutputs, created: p.action == "will be created", deleted: p.action == "will be destroyed"}
	v := fresh
	if v.all {
		v.blocks(block, 0)
		for _, l := range v.out {
			emit(plain(l))
		}
	} else {
		v.blocks(slices.Clone(block[1:]), 1)
		if len(v.out) == 0 && p.action == "updated" {
			v = fresh
			v.unknown = true
			v.blocks(block[1:], 1)
		}
		r := Record{Class: Keep, Site: p.key, Alike: v.created, Lines: []Line{block[0]}}
		r.Lines[0].Text = strings.TrimLeft(block[0].Text, " ")
		r.Lines = append(r.Lines, v.out[:min(len(v.out), tfShown)]...)
		if r.Key = p.name + " " + p.action; !v.created {
			r.Key += joined(v.out)
		}
		emit(r)
		v.gone = append(v.gone, v.out[min(len(v.out), tfShown):]...)
	}
	emit.each(Folded, v.gone)
}

func (p *terraform) flush(emit Emit) {
	message := take(&p.message)
	if message == nil {
		return
	}
	brief := 1
	for i, l := range message {
		if strings.Contains(l.Text, " line ") && strings.HasPrefix(strings.TrimLeft(l.Text, "│ "), "on ") {
			brief = i + 1
		}
	}
	emit(Record{Class: p.class, Key: lines.Template(message[0].Text), Site: tfSite(message[brief-1].Text), Brief: brief, Lines: message})
}

func (p *terraform) Close(emit Emit) {
	p.flush(emit)
	p.close(emit)
}

// tfAddress cuts the keys out of a resource's address. The key is told if it is
// the only one, and else the address.
func tfAddress(s string) (name, key string) {
	before, rest, _ := strings.Cut(s, "[")
	name = before
	for n := 0; rest != ""; n++ {
		_, after, _ := strings.Cut(rest, "]")
		if n > 0 || after != "" {
			key = s
		} else {
			key = s[len(before):]
		}
		before, rest, _ = strings.Cut(after, "[")
		name += before
	}
	return name, key
}

// tfSite reads "on main.tf line 12, in resource …:" as main.tf:12.
func tfSite(s string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(s, "│ "), "on ")
	file, rest, found := strings.Cut(rest, " line ")
	line, _, _ := strings.Cut(rest, ",")
	if !ok || !found {
		return ""
	}
	return file + ":" + strings.TrimSuffix(line, ":")
}

// tfAction returns what will happen to the resource that t is the header of.
func tfAction(t string) string {
	if !strings.HasPrefix(t, "# ") {
		return ""
	}
	for _, a := range [...]string{" will be created", " will be destroyed", " will be updated in-place", " must be replaced", " will be replaced", " has changed", " has been deleted", " has moved to ", " will be read during apply", " is tainted", " will be imported", " has been changed", " will no longer be managed"} {
		if strings.Contains(t, a) {
			if hasAny(a, "updated", "changed") {
				return "updated"
			}
			return strings.TrimSpace(a)
		}
	}
	return ""
}

// tfProgress reports whether t tells about a step of one resource or provider.
func tfProgress(t string) bool {
	name, does, _ := strings.Cut(t, ": ")
	return name != "" && !strings.Contains(name, " ") && hasPrefix(does, "Refreshing state...", "Creating...", "Still ", "Creation complete", "Modifying...", "Modifications complete", "Destroying...", "Destruction complete", "Reading...", "Read complete", "Preparing import", "Importing...") ||
		hasPrefix(t, "- Finding ", "- Installing ", "- Reusing previous ", "- Using previously", "Initializing ", "Acquiring state lock", "Releasing state lock")
}

// tfResult begins what says how a command ended, or such a part.
var tfResult = words{"Plan: ", "Apply complete!", "Destroy complete!", "No changes.", "Success! ", "Terraform has been successfully ", "OpenTofu has been successfully ", "Changes to Outputs:", "Outputs:", "Import successful!", "Note: Objects have changed outside", "Apply cancelled", "Saved the plan to: ", "Your infrastructure matches"}

// tfSections follow such a line.
var tfSections = forms{
	{key: tfChanges, start: words{"Changes to Outputs:"}},
	{key: tfOutputs, is: words{"Outputs:"}},
	{key: tfLegend, start: words{"No changes."}},
	{key: tfLegend, has: words{"successfully initialized"}},
}

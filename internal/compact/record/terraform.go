package record

import (
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/text"
)

// terraform is the parser for terraform's and tofu's plan, apply, init and
// validate. A resource of a plan is its header and what changes in it; a new
// one is whole if it is the first of its name, and else its header.
// Messages are records, in their box or without one.
type terraform struct {
	in      string
	action  string // of the resource we are in
	header  Line   // of the last one of which no line is shown: held for the note
	alike   bool   // we are in such a one
	lines   int    // of all such
	whole   int    // and how many more of its lines are shown whatever they say
	parents []Line // lines that open a block in it, not shown yet
	changed []Line // what changes in it
	shown   set    // names of resources of which one was shown whole
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
	tfMessage = 40 // lines of one message, and of one resource shown whole
	tfWhole   = 8  // resources shown whole
	tfChanged = 60 // lines held that change in one resource
)

func (p *terraform) Line(l Line, emit Emit) {
	s := l.Text
	t := strings.TrimSpace(s)
	bare, boxed := strings.CutPrefix(s, "│")
	if boxed {
		t = strings.TrimSpace(bare)
	}
	switch {
	case oneOf(t, "", "╷", "╵") || strings.Trim(t, "─") == "":
		if t == "╵" || t == "╷" {
			p.flush(emit)
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
		p.noted(emit)
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
	if p.in != tfResource {
		p.close(emit)
	}
	class := Body
	switch {
	case action != "":
		p.resource(l, t, action, emit)
		return
	case tfProgress(t):
		class = Good
	case strings.HasPrefix(t, "Terraform used the selected "), hasPrefix(t, "OpenTofu used the selected ", "You may now begin", "Note: You didn't use the -out", "Terraform has created a lock file", "To see which modules are currently", "There are some problems with the CLI"):
		p.in, class = tfLegend, Good.unless(strings.HasSuffix(t, ":"), Folded) // a heading of what follows
	case strings.HasSuffix(t, "will perform the following actions:"):
		p.in, class = tfNone, Good
	case p.in == tfResource:
		p.change(l, t, emit)
		return
	case p.in == tfChanges:
		class = Good.unless(leading(l.Text) <= 2, Keep)
	case p.in == tfOutputs:
		l.Text = halfIndented(l.Text)
		class = Body.unless(!indented(l.Text) && t != "}" && t != "]", Keep)
	case p.in == tfLegend:
		class = Good
	default:
		emit(plain(l))
		return
	}
	emit.line(class, l)
}

// resource begins a resource: "# aws_instance.web[0] will be created".
func (p *terraform) resource(l Line, t, action string, emit Emit) {
	p.close(emit)
	name, _, _ := strings.Cut(strings.TrimPrefix(t, "# "), " ")
	name, _, _ = strings.Cut(name, "[")
	p.in, p.action, p.whole = tfResource, action, 0
	if action == "will be created" && !p.shown[name] && len(p.shown) < tfWhole {
		p.shown.add(name, tfWhole)
		p.whole = tfMessage
	}
	l.Text = halfIndented(l.Text)
	if p.alike = action == "will be created" && p.whole == 0; p.alike {
		p.held("", emit)
		p.header = l
		return
	}
	emit.line(Keep, l)
}

// held gives the header that was held.
func (p *terraform) held(note string, emit Emit) {
	if header := take(&p.header); header.Text != "" {
		emit(Record{Class: Keep, Lines: []Line{header}, Note: note})
	}
}

// noted gives it with a note that stands for what is missing of all such
// resources.
func (p *terraform) noted(emit Emit) {
	note := ""
	if p.lines > 0 {
		note = "[… " + text.Thousands(p.lines) + " lines of resources like those shown …]"
	}
	p.held(note, emit)
	p.alike, p.lines = false, 0
}

// halfIndented leaves half of the indentation, which is four spaces a level.
func halfIndented(s string) string {
	return s[leading(s)/2:]
}

// change takes a line of a resource. A line that changes something is kept
// with those that open the blocks it is in.
func (p *terraform) change(l Line, t string, emit Emit) {
	if p.whole > 0 {
		p.whole--
		l.Text = halfIndented(l.Text)
		emit.line(Keep, l)
		return
	}
	if p.alike { // as the first of its name
		p.lines++
		emit.line(Folded, l)
		return
	}
	l.Text = halfIndented(l.Text)
	signed := hasPrefix(t, "~ ", "+ ", "- ")
	unknown := strings.Contains(t, "(known after apply)")
	switch {
	case strings.Contains(t, "# forces replacement"), strings.HasPrefix(t, "# (because "),
		p.action == "updated" && signed && !unknown && !opens(t), strings.HasPrefix(t, "~ ") && strings.Contains(t, " -> ") && !unknown:
		p.changed = append(append(p.changed, p.parents...), l)
		p.parents = nil
	case opens(t) && len(p.parents) < tfMessage:
		if len(p.changed) >= tfChanged {
			emit.block(Keep, &p.changed)
		}
		p.parents = append(p.parents, l)
	case t[0] == '}' && strings.Contains(t, " -> ") && len(p.parents) == 0 && p.changed != nil:
		p.changed = append(p.changed, l) // what all of the block above becomes
	default:
		if n := len(p.parents); n > 0 && (t[0] == '}' || t[0] == ']') {
			emit(Record{Class: Good, Lines: p.parents[n-1:]})
			p.parents = p.parents[:n-1]
		}
		emit.line(Good, l)
	}
}

// opens reports whether t opens a block: "~ tags = {", "- ports = [".
func opens(t string) bool { return hasSuffix(t, "{", "[") }

// close ends a resource: of many that change alike one tells how, and blocks
// in which nothing changes go.
func (p *terraform) close(emit Emit) {
	if changed := take(&p.changed); changed != nil {
		emit(Record{Class: Keep, Key: joined(changed), Lines: changed})
	}
	if len(p.parents) > 0 {
		emit.block(Good, &p.parents)
	}
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
	p.noted(emit)
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

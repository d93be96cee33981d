package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// dockerBuild is the parser for docker build, buildx and pull: the steps that
// ran and what they warned of, the error with its excerpt of the Dockerfile,
// the image's digest and name. Layers and transfers go.
//
// Formats, as documented: BuildKit's plain progress ("#8 [4/4] RUN make",
// "#8 0.532 output", "#8 DONE 1.2s"), its terminal progress ("=> CACHED [2/4]
// WORKDIR /app"), and the classic builder's ("Step 2/4 : WORKDIR /app").
type dockerBuild struct {
	steps   map[string]*dockerStep // BuildKit's, by number
	order   []*dockerStep
	failed  bool
	fault   *Line  // "#8 ERROR: …": the last line says it again
	excerpt bool   // in the error's excerpt, up to the last line
	last    []Line // of the excerpt
	around  scriptLines
	tool    plainText // output of a step, read like any text
}

// A dockerStep is held until it is known whether it went well.
type dockerStep struct {
	head  Line
	out   []Line
	named bool
	told  bool // it is let go
}

const dockerHeld = 200 // lines held of a step's output

func (p *dockerBuild) Line(l Line, emit Emit) {
	s := l.Text
	if p.excerpt && !strings.HasPrefix(s, "#") {
		if len(p.last) >= dockerHeld {
			p.flush(emit)
			p.excerpt = true
		}
		p.last = append(p.last, l)
		return
	}
	p.flush(emit)
	if s == "------" {
		p.excerpt = true
		emit.line(Folded, l)
		return
	}
	if strings.HasPrefix(s, "#") && len(s) > 1 && isDigit(s[1]) {
		p.buildkit(l, emit)
		return
	}
	if rest, ok := strings.CutPrefix(s, "Step "); ok && strings.Contains(rest, " : ") && isDigit(rest[0]) {
		p.classic(emit)
		st := p.step(s)
		if st.head.Text != "" {
			emit.line(Folded, st.head)
		}
		st.head = l
		return
	}
	if lines.Blank(s) {
		p.tool.Close(emit)
		emit.line(Folded, l)
		return
	}
	class, known := p.class(s)
	if n := len(p.order); n > 0 && !p.order[n-1].told && strings.HasPrefix(p.order[n-1].head.Text, "Step ") {
		switch {
		case class == Failure:
			p.fails(p.order[n-1], emit)
		case known && class != Good:
			p.classic(emit)
		default:
			p.order[n-1].take(l, emit)
			return
		}
	}
	if known {
		p.tool.Close(emit)
		emit.line(class, l)
		return
	}
	p.tool.Line(l, emit)
}

// classic lets go of the output of the classic builder's last step.
func (p *dockerBuild) classic(emit Emit) {
	if n := len(p.order); n > 0 && strings.HasPrefix(p.order[n-1].head.Text, "Step ") {
		emit.all(Folded, &p.order[n-1].out)
	}
}

// step is the step of a name, which it may begin.
func (p *dockerBuild) step(name string) *dockerStep {
	st := p.steps[name]
	if st == nil {
		st = &dockerStep{}
		if p.steps == nil {
			p.steps = map[string]*dockerStep{}
		}
		p.steps[name] = st
		p.order = append(p.order, st)
	}
	return st
}

// take holds a line of a step's output: of a long one its end.
func (st *dockerStep) take(l Line, emit Emit) {
	if st.out = append(st.out, l); len(st.out) > dockerHeld {
		emit.line(Noise, st.out[0])
		st.out = st.out[1:]
	}
}

// fails gives out a step that failed.
func (p *dockerBuild) fails(st *dockerStep, emit Emit) {
	p.failed, st.told = true, true
	if st.head.Text != "" {
		emit.line(Keep, take(&st.head))
	}
	p.output(take(&st.out), emit)
}

// output gives out what a step that failed printed.
func (p *dockerBuild) output(ls []Line, emit Emit) {
	for _, l := range ls {
		_, said := dockerSaid(l.Text)
		if _, runner := p.around.class(said); runner || lines.Blank(said) || strings.HasPrefix(said, " ---> ") {
			p.tool.Close(emit)
			emit.line(Folded, l)
			continue
		}
		p.tool.Line(l, emit)
	}
	p.tool.Close(emit)
}

// dockerSaid cuts the number of the step and the seconds off what it printed:
// "#8 0.532 text".
func dockerSaid(s string) (number, text string) {
	if strings.HasPrefix(s, "#") {
		number, s, _ = strings.Cut(s, " ")
	}
	seconds, rest, _ := strings.Cut(s, " ")
	if n := digits(seconds); n > 0 && n < len(seconds) && seconds[n] == '.' && digits(seconds[n+1:]) == len(seconds)-n-1 {
		return number, rest
	}
	return number, s
}

// class knows the builder's own lines.
func (p *dockerBuild) class(s string) (Class, bool) {
	if t := strings.TrimLeft(s, " "); hasPrefix(t, "=> ") {
		class, known := bakedForms.class(strings.TrimLeft(t, "=> "))
		return class.unless(!known, Folded), true
	}
	if class, ok := composeStep(s); ok {
		return class, true
	}
	return dockerForms.class(s)
}

var dockerForms = forms{
	{class: Keep, start: words{"Successfully built ", "Successfully tagged ", "Digest: ", "Status: ", "[+] Building ", "View build details: ", "The push refers to "}},
	{class: Keep, has: words{": digest: sha256:"}},
	{class: Failure, start: words{"The command '", "ERROR: ", "error: failed to solve", "failed to solve", "Error response from daemon", "COPY failed", "ADD failed", "unable to prepare context", "Cannot connect to the Docker daemon", "dependency failed to start: ", "docker: Error response"}},
	{class: Good, start: words{"Sending build context", " ---> ", "Removing intermediate container", "Removed intermediate container", "Pulling from ", "Using default tag"}},
	{class: Good, has: words{": Pulling from "}},
	{class: Good, test: layer},
}

// buildkit reads a line of the plain progress: "#8 …".
func (p *dockerBuild) buildkit(l Line, emit Emit) {
	number, t, _ := strings.Cut(l.Text, " ")
	m, known := buildkitForms.mark(t)
	st := p.steps[number]
	switch {
	case m.key == "step":
		if st = p.step(number); st.named {
			emit.line(Folded, l)
			return
		}
		st.named, st.head = true, l
	case hasPrefix(t, "DONE ", "CACHED") && st != nil:
		emit.all(Folded, &st.out)
		emit.line(Folded, l)
	case m.class == Failure && strings.HasPrefix(t, "ERROR"):
		p.fails(p.step(number), emit)
		emit.held(Failure, &p.fault)
		p.fault = &l
	case known:
		emit.line(m.class.unless(m.class == Good, Folded), l)
	default:
		p.step(number).take(l, emit)
	}
}

var buildkitForms = forms{
	{class: Good, start: words{"[internal]"}},
	{class: Good, start: words{"["}, has: words{" internal] ", "] FROM "}},
	{key: "step", start: words{"["}},
	{class: Good, start: words{"building with "}},
	{class: Failure, start: words{"ERROR"}},
	{class: Warn, start: words{"WARN"}},
	{class: Keep, start: words{"writing image ", "naming to ", "exporting manifest list ", "pushing manifest "}, has: words{"sha256:", "done"}}, // once it is there
	{class: Good, start: words{"DONE ", "CACHED", "CANCELED", "transferring ", "resolve ", "sha256:", "extracting ", "exporting ", "sending ", "preparing ", "importing ", "unpacking ", "pushing ", "naming", "writing", "load ", "inferred ", "reading ", "..."}},
	{class: Good, is: words{""}},
}

// bakedForms are the steps of the terminal progress that are worth something,
// "=> " taken off.
var bakedForms = forms{
	{class: Failure, start: words{"ERROR "}},
	{class: Keep, start: words{"writing image ", "naming to "}},
	{class: Good, start: words{"[internal]"}},
	{class: Keep, start: words{"["}, lacks: words{"] FROM "}},
}

// composeStep reads what docker compose tells of a service: " Container
// shop-db-1  Started", perhaps with a mark before it and the seconds it took.
func composeStep(s string) (Class, bool) {
	f := strings.Fields(strings.TrimLeft(s, " ✔✘⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⠿"))
	if len(f) > 1 && indented(s) && (oneOf(f[1], "Pulling", "Pulled", "Waiting") && len(f) < 4 || layer(f[0]+": "+strings.Join(f[1:], " "))) {
		return Good, true
	}
	if len(f) < 3 || len(f) > 4 || !indented(s) {
		return Body, false
	}
	switch {
	case !oneOf(f[0], "Container", "Network", "Volume", "Image"):
		return Body, false
	case f[2] == "Error":
		return Failure, true
	case oneOf(f[2], "Started", "Healthy", "Removed", "Exited", "Stopped", "Built"):
		return Keep, f[0] != "Network"
	}
	return Good, true
}

// layer reports whether s tells how far one layer is: "a1b2c3d4e5f6: Pull complete".
func layer(s string) bool {
	id, what, ok := strings.Cut(s, ": ")
	return ok && len(id) == 12 && strings.Trim(id, "0123456789abcdef") == "" &&
		hasPrefix(what, "Pull", "Already exists", "Waiting", "Download", "Verifying", "Extracting", "Layer already", "Preparing", "Push", "Mounted")
}

// flush takes the failed step's output, which the plain progress has shown, with
// the excerpt below it, which ends the output. Of that stays the line at fault.
func (p *dockerBuild) flush(emit Emit) {
	if !p.excerpt {
		return
	}
	p.excerpt = false
	var block, out []Line
	plain := p.failed
	for _, l := range take(&p.last) {
		t := strings.TrimSpace(l.Text)
		_, said := dockerSaid(l.Text)
		row, code, drawn := strings.Cut(t+" ", " | ")
		switch {
		case strings.Trim(t, "-") == "", drawn && digits(row) == len(row) && !strings.HasPrefix(strings.TrimLeft(code, " "), ">>>"), plain && (strings.HasPrefix(t, "> [") || said != l.Text):
			emit.line(Folded, l)
		case said != l.Text:
			out = append(out, l)
		default:
			block = append(block, l)
			if p.fault != nil && strings.HasPrefix(t, "ERROR: failed to solve") {
				if _, why, _ := strings.Cut(p.fault.Text, "ERROR: "); strings.HasSuffix(t, why) {
					emit.held(Folded, &p.fault)
				}
			}
		}
	}
	p.output(out, emit)
	if block != nil {
		emit(Record{Class: Failure, Site: lines.Location(block[0].Text), Lines: block})
	}
}

func (p *dockerBuild) Close(emit Emit) {
	p.flush(emit)
	emit.held(Failure, &p.fault)
	for _, st := range p.order {
		if st.head.Text != "" {
			emit.line(Folded.unless(!p.failed, Keep), st.head)
		}
		if len(st.out) > 0 && !p.failed && !strings.HasPrefix(st.head.Text, "Step ") {
			p.output(st.out, emit) // it did not end
			continue
		}
		emit.each(Folded, st.out)
	}
	p.tool.Close(emit)
}

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
	step    set       // steps of BuildKit that were named
	excerpt bool      // in the error's excerpt, up to the last line
	failed  []Line    // the output of the step that failed
	tool    plainText // output of a step, read like any text
}

const dockerFailed = 200 // lines held of the failed step's output

func (p *dockerBuild) Line(l Line, emit Emit) {
	s := l.Text
	switch class, known := p.class(s); {
	case p.excerpt && !strings.HasPrefix(s, "#"):
		if len(p.failed) >= dockerFailed {
			p.flush(emit)
			p.excerpt = true
		}
		p.failed = append(p.failed, l)
		return
	case known:
		p.flush(emit)
		p.tool.Close(emit)
		emit.line(class, l)
	default:
		p.flush(emit)
		p.tool.Line(l, emit)
	}
}

// class knows the builder's own lines.
func (p *dockerBuild) class(s string) (Class, bool) {
	if s == "------" {
		p.excerpt = true
		return Folded, true
	}
	if t := strings.TrimLeft(s, " "); hasPrefix(t, "=> ") {
		class, known := bakedForms.class(strings.TrimLeft(t, "=> "))
		return class.unless(!known, Good), true
	}
	if class, ok := composeStep(s); ok {
		return class, true
	}
	if strings.HasPrefix(s, "#") && len(s) > 1 && isDigit(s[1]) {
		return p.buildkit(s)
	}
	return dockerForms.class(s)
}

var dockerForms = forms{
	{class: Keep, start: words{"Successfully built ", "Successfully tagged ", "Digest: ", "Status: ", "[+] Building ", "View build details: ", "Step ", "The push refers to "}},
	{class: Keep, has: words{": digest: sha256:"}},
	{class: Failure, start: words{"The command '", "ERROR: ", "error: failed to solve", "failed to solve", "Error response from daemon", "COPY failed", "ADD failed", "unable to prepare context", "Cannot connect to the Docker daemon", "dependency failed to start: ", "docker: Error response"}},
	{class: Good, start: words{"Sending build context", " ---> ", "Removing intermediate container", "Removed intermediate container", "Pulling from ", "Using default tag"}},
	{class: Good, has: words{": Pulling from "}},
	{class: Good, test: layer},
}

// buildkit reads a line of the plain progress: "#8 …".
func (p *dockerBuild) buildkit(s string) (Class, bool) {
	number, t, _ := strings.Cut(s, " ")
	m, known := buildkitForms.mark(t)
	if m.key == "step" {
		m.class = Keep.unless(p.step[number], Good)
		p.step.add(number, unlimited)
	}
	return m.class, known
}

var buildkitForms = forms{
	{class: Good, start: words{"[internal]"}},
	{class: Good, start: words{"["}, has: words{" internal] ", "] FROM "}},
	{key: "step", start: words{"["}},
	{class: Good, start: words{"building with "}},
	{class: Failure, start: words{"ERROR"}},
	{class: Warn, start: words{"WARN"}},
	{class: Keep, start: words{"writing image ", "naming to ", "exporting manifest list ", "pushing manifest "}, has: words{"sha256:", "done"}}, // once it is there
	{class: Good, start: words{"DONE ", "CACHED", "transferring ", "resolve ", "sha256:", "extracting ", "exporting ", "sending ", "preparing ", "importing ", "unpacking ", "pushing ", "naming", "writing", "load ", "inferred ", "reading ", "..."}},
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

// flush takes the failed step's output with the excerpt below it, which ends
// the output.
func (p *dockerBuild) flush(emit Emit) {
	if !p.excerpt {
		return
	}
	p.excerpt = false
	block, rules := split(take(&p.failed), func(_ int, l Line) bool { return strings.Trim(strings.TrimSpace(l.Text), "-") != "" })
	emit.each(Folded, rules)
	if block != nil {
		emit(Record{Class: Failure, Site: lines.Location(block[0].Text), Lines: block})
	}
}

func (p *dockerBuild) Close(emit Emit) {
	p.flush(emit)
	p.tool.Close(emit)
}

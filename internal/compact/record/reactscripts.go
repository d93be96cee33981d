package record

import "strings"

// reactScripts reads react-scripts build: messages, what eslint says by rule,
// the sizes of the biggest files, the result. What follows is always the same
// advice.
type reactScripts struct {
	jsRun
	list   assets
	under  fileRows
	failed bool // "Failed to compile.": messages follow
}

func (p *reactScripts) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	class, told := reactForms.class(t)
	size, used := 0.0, 0
	if fields := strings.Fields(t); len(fields) > 1 {
		size, used = fileSize(fields)
	}
	switch {
	case told:
		p.end(emit)
		p.failed = p.failed || class == Failure
		emit.line(class, l)
		return
	case used > 0:
		p.list.row(l, size, emit)
		return
	case p.around(l, emit):
		p.end(emit)
		return
	case strings.HasPrefix(t, "Line ") && p.lint(l, t, emit):
		return
	case !strings.ContainsAny(t, " \t") && strings.Contains(t, ".") && !strings.HasPrefix(t, "http"):
		p.endFault(emit)
		p.under.begin(l, emit)
		return
	}
	if held := p.under.heads(t); held != nil {
		p.fault = &jsFault{head: []Line{*held}, file: held.Text}
	}
	switch {
	case t == "":
		emit.line(Folded, l)
	case p.fault != nil && !p.fault.full():
		p.fault.add(l)
	case p.failed:
		p.begin(faultOf(l), emit)
	default:
		p.endFault(emit)
		p.other(l, emit)
	}
}

// reactForms tell how far the build is.
var reactForms = forms{
	{class: Failure, is: words{"Failed to compile."}},
	{class: Keep, start: words{"Compiled successfully", "Compiled with warnings", "File sizes after gzip", "The bundle size is significantly larger"}},
	{class: Good, is: words{"[eslint]"}},
	{class: Good, start: words{"Creating an optimized production build", "Treating warnings as errors because", "Most CI servers set it", "Search for the keywords to learn", "To ignore, add // eslint",
		"The project was built assuming it is hosted", "You can control this with the homepage", "The build folder is ready", "You may serve it with", "You may also want to", "npm install -g serve", "yarn global add serve", "serve -s ",
		"Find out more about deployment", "https://cra.link/", "https://bit.ly/", "Consider reducing it with code splitting", "You can also analyze the project dependencies"}},
}

// lint takes "Line 4:9:  text  rule".
func (p *reactScripts) lint(l Line, t string, emit Emit) bool {
	place, rest, _ := strings.Cut(strings.TrimPrefix(t, "Line "), ": ")
	class := Warn.unless(p.failed, Failure)
	return p.under.row(l, place, rest, class, emit)
}

func (p *reactScripts) end(emit Emit) {
	p.endFault(emit)
	p.under.release(emit)
}

func (p *reactScripts) Close(emit Emit) {
	p.end(emit)
	p.list.end(emit)
	p.close(emit)
}

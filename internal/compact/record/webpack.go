package record

import "strings"

// webpack reads what webpack and rspack print, stats of every preset: totals
// and the biggest assets, every error and warning with its place, the result.
// By its source (stats/DefaultStatsPrinterPlugin): messages begin with "ERROR
// in" or "WARNING in"; everything else is a tree of assets, modules and chunks.
type webpack struct {
	jsRun
	list    assets
	paths   assets // totals by path
	traced  bool   // the message's first importer was seen
	imports set    // importers that were named
	advice  bool   // the message is only advice
	advised bool   // loaders were spoken of
	log     bool   // in a logger's block
	table   bool   // in the columns of webpack 4's assets
}

func (p *webpack) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	if class, ok := webpackHeads.class(t); ok {
		p.begin(&jsFault{head: []Line{l}, class: class}, emit)
		p.traced = false
		p.advice = strings.Contains(t, " performance recommendations")
		_, p.fault.file, _ = strings.Cut(t, " in ")
		return
	}
	switch class, told := webpackForms.class(t); {
	case told:
		p.endFault(emit)
		p.log = strings.HasPrefix(t, "LOG from ")
		if class == Keep {
			p.end(emit)
		}
		emit.line(class, l)
	case p.around(l, emit):
		p.endFault(emit)
	case p.fault != nil && !p.fault.full():
		p.inFault(l, t, emit)
	case t == "":
		p.log, p.table = false, false
		emit.line(Folded, l)
	case p.log && indented(l.Text):
		emit.line(Good, l)
	case p.stats(l, t, emit):
	default:
		p.other(l, emit)
	}
}

// webpackHeads are the first lines of messages.
var webpackHeads = forms{
	{class: Failure, start: words{"ERROR in "}},
	{class: Failure, is: words{"ERROR in"}},
	{class: Failure, start: words{"× "}, has: words{"Error"}},
	{class: Failure, start: words{"[webpack-cli] "}, test: func(t string) bool { return !webpackCLI(t) }},
	{class: Warn, start: words{"WARNING in "}},
}

// webpackCLI reports whether t is what webpack-cli says when nothing is wrong.
func webpackCLI(t string) bool {
	return hasPrefix(t, "[webpack-cli] Compil", "[webpack-cli] Starting", "[webpack-cli] Watching", "[webpack-cli] watching", "[webpack-cli] Using ")
}

// webpackForms open and close a compilation.
var webpackForms = forms{
	{class: Good, start: words{"<s> [webpack.Progress]", "<i> ", "<t> ", "LOG from ", "PublicPath: ", "Hash: ", "Version: webpack ", "Built at: ", "Child ", "cached modules ", "Use 'stats.", "Use --stats-"}},
	{class: Good, test: webpackCLI},
	{class: Good, has: words{" have detailed information that is not shown", " has detailed information that is not shown"}},
	{class: Keep, has: words{" compiled "}, test: func(t string) bool { return hasAny(t, "webpack ", "rspack ", "Rspack ") }},
}

// inFault takes a line of a message.
func (p *webpack) inFault(l Line, t string, emit Emit) {
	n := len(p.fault.body)
	switch code, _, barred := strings.Cut(t, " │ "); {
	case t == "":
		p.fault.apart = false
		emit.line(Folded, l)
	case strings.HasPrefix(t, "·") && n > 0 && p.fault.body[n-1].part == partCode: // rspack points at the line above
		p.fault.body[n-1].part = partMarked
		emit.line(Folded, l)
	case strings.Trim(t, "·│╭╰─╮╯ ") == "", t == "help:":
		emit.line(Folded, l)
	case barred && digitsOnly(code):
		p.fault.addAs(l, partCode)
	case strings.HasPrefix(t, "@ ") && p.imports[t]:
		p.traced = true
		emit.line(Folded, l) // an earlier message has the same
	case strings.HasPrefix(t, "@ "): // who imports it, and who imports that
		part := partDetail
		if p.traced {
			part = partSkip
		}
		p.traced = true
		p.imports.add(t, jsKeys)
		p.fault.addAs(l, part)
	case p.advice, strings.HasPrefix(t, "You can limit the size of your bundles"):
		p.fault.addAs(l, partSkip)
	case p.fault.apart, strings.HasPrefix(t, "resolve '"):
		p.fault.apart = true // in the steps by which a module was looked for
		p.fault.addAs(l, partSkip)
	case hasPrefix(t, "File was parsed as module type", "File was processed with these loaders", "For more info visit "):
		p.fault.addAs(l, partSkip)
	case strings.HasPrefix(t, "You may need an "):
		part := partDetail
		if p.advised {
			part = partSkip
		}
		p.advised = true
		p.fault.addAs(l, part)
	default:
		p.fault.add(l)
	}
}

// stats takes a line of the tree.
func (p *webpack) stats(l Line, t string, emit Emit) bool {
	fields := strings.Fields(t)
	switch {
	case hasPrefix(t, "asset ", "assets by ") && !strings.HasPrefix(t, "asset modules "):
		for i := 2; i < len(fields); i++ {
			if size, used := fileSize(fields[i:]); used > 0 {
				if fields[0] == "assets" {
					p.paths.row(l, size, emit)
				} else {
					p.list.row(l, size, emit)
				}
				return true
			}
		}
	case hasPrefix(t, "Entrypoint ", "entrypoint "):
		emit.line(Keep, l)
		return true
	case strings.HasPrefix(t, "Asset ") && strings.Contains(t, " Size "):
		p.table = true
	case p.table && len(fields) > 2:
		if size, used := fileSize(fields[1:]); used > 0 {
			p.list.row(l, size, emit)
			return true
		}
	case webpackTree(t), indented(l.Text):
	default:
		return false
	}
	emit.line(Good, l)
	return true
}

// webpackTree reports whether t is a row of the tree that is no asset.
func webpackTree(t string) bool {
	return hasPrefix(t, "+ ", "modules by ", "runtime modules ", "orphan modules ", "cacheable modules ", "javascript modules ", "hidden modules ", "asset modules ", "chunk ", "provided modules ", "Time: ", "[") ||
		hasAny(t, "[built]", "[code generated]", "[orphan]", "[cached]", "[emitted]", "[optional]", " bytes [", " KiB [", " MiB [")
}

func (p *webpack) end(emit Emit) {
	p.list.end(emit)
	p.paths.end(emit)
}

func (p *webpack) Close(emit Emit) {
	p.endFault(emit)
	p.end(emit)
	p.close(emit)
}

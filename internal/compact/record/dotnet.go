package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// dotnet is the parser for dotnet build, test and run: compilers' messages
// once, failed tests with their message and own frames, exceptions that
// nobody caught, totals. What MSBuild and the test host say of themselves is
// Good.
//
// Formats, as documented: MSBuild's console logger, "src/A.cs(3,5): error
// CS0103: text [src/A.csproj]", all of it told again at the end, and the
// console logger of VSTest.
type dotnet struct {
	fault  []Line // a failed test or an exception
	name   string
	own    int    // own frames in it
	told   set    // messages so far
	output bool   // in what a test that passed printed
	entry  Record // of the console logger
	overDiag
	reason reasons
}

const (
	dotnetFrames = 3
	dotnetLines  = 80 // of one fault
	dotnetTold   = 2000
)

func (p *dotnet) Line(l Line, emit Emit) {
	if p.inEntry(l, emit) {
		return
	}
	s := strings.TrimRight(l.Text, " ")
	t := strings.TrimLeft(s, " \t")
	result, name := dotnetResult(s)
	switch {
	case result != "":
		p.end(emit)
		if p.output = result != "Failed"; p.output {
			p.one(l, Good, map[string]string{"Passed": "passed", "Skipped": "skipped"}[result], emit)
			return
		}
		p.begin(l, name, emit)
	case hasPrefix(s, "Unhandled exception. ", "Unhandled exception: ", "Process terminated. "):
		p.end(emit)
		p.begin(l, "", emit)
	case dotnetTotal(s, t):
		p.end(emit)
		p.output = false
		p.one(l, Keep, "", emit)
	case strings.HasPrefix(s, "[xUnit.net "): // told again below
		p.one(l, Good, "", emit)
	case p.fault != nil && (lines.Blank(s) || !dotnetTalk(t)):
		p.add(l, t, emit)
	case dotnetTalk(t):
		p.end(emit)
		p.one(l, Good, "", emit)
	case hasAny(s, ": error ", ": warning "):
		p.end(emit)
		p.message(l, t, emit)
	default:
		p.diag.Line(l, emit)
	}
}

// message takes a message of a compiler or of MSBuild, which come twice. The
// project's file at its end goes where the line names the source's.
func (p *dotnet) message(l Line, t string, emit Emit) {
	if p.told[t] {
		p.one(l, Good, "", emit)
		return
	}
	p.told.add(t, dotnetTold)
	place, rest, warned := strings.Cut(t, ": warning ")
	class := Warn
	if !warned {
		place, rest, _ = strings.Cut(t, ": error ")
		class = Failure
	}
	p.diag.Close(emit)
	if strings.HasSuffix(place, ")") {
		if i := strings.LastIndex(l.Text, " ["); i > 0 && strings.HasSuffix(l.Text, "proj]") {
			l.Text = l.Text[:i]
			i = strings.LastIndex(rest, " [")
			rest = rest[:max(i, 0)]
		}
	}
	code, _, _ := strings.Cut(rest, ":")
	emit(Record{Class: class, Key: lines.Template(rest), Site: strings.TrimSpace(place), Kind: code, Brief: 1, Lines: []Line{l}})
}

func (p *dotnet) begin(l Line, name string, emit Emit) {
	p.diag.Close(emit)
	p.fault, p.name, p.own = []Line{l}, name, 0
}

// add takes a line of the open fault.
func (p *dotnet) add(l Line, t string, emit Emit) {
	switch {
	case oneOf(t, "", "Error Message:", "Stack Trace:"), strings.HasPrefix(t, "--- End of "),
		dotnetFrame(t) && (!strings.Contains(t, ":line ") || p.own >= dotnetFrames):
		emit.line(Good, l)
		return
	case dotnetFrame(t):
		p.own++
	case strings.HasPrefix(t, "---> "):
		p.own = 0
	}
	emit.hold(&p.fault, dotnetLines, Noise, l)
}

func dotnetFrame(t string) bool { return strings.HasPrefix(t, "at ") && strings.Contains(t, "(") }

func (p *dotnet) end(emit Emit) {
	from := 0
	if p.name != "" {
		from = 1
	}
	if fault := take(&p.fault); fault != nil {
		emit(Record{Class: Failure, Key: p.reason.key(said(fault[from:], nil)), Site: p.name, Lines: fault})
	}
}

func (p *dotnet) Close(emit Emit) {
	p.endEntry(emit)
	p.end(emit)
	p.diag.Close(emit)
}

// dotnetResult reads a test's result: "  Failed Shop.CartTests.Total [5 ms]".
func dotnetResult(s string) (result, name string) {
	t := strings.TrimLeft(s, " ")
	if t == s || !strings.HasSuffix(s, "]") {
		return "", ""
	}
	result, rest, _ := cutAny(t, "Passed ", "Failed ", "Skipped ")
	i := strings.LastIndex(rest, " [")
	if result == "" || i <= 0 {
		return "", ""
	}
	return strings.TrimSpace(result), rest[:i]
}

// dotnetTotal reports whether a line is a result of the whole.
func dotnetTotal(s, t string) bool {
	return hasPrefix(s, "Build FAILED", "Build succeeded", "Build failed with ", "Failed!  - ", "Passed!  - ", "Skipped! - ", "Test Run ", "Total tests: ") ||
		counted(t, "Warning(s)", "Error(s)") && t[0] != '0' || hasPrefix(t, "Passed: ", "Failed: ", "Skipped: ") && s != t
}

// dotnetTalk reports whether a line tells only what the tools are doing.
func dotnetTalk(t string) bool {
	return hasPrefix(t, "0 Warning(s)", "0 Error(s)", "Determining projects to restore", "Restored ", "All projects are up-to-date", "Restore complete", "Test run for ", "VSTest version ", "Microsoft (R) ", "Copyright (c) Microsoft", "(c) Microsoft", "Copyright (C) Microsoft", "MSBuild version ",
		"Starting test execution", "A total of ", "Workload updates are available", "Time Elapsed ", "Test execution time", "Total time: ", "Results File: ", "Attachments:", "Standard Output Messages:", "Test Parallelization enabled", "NUnit Adapter ", "NUnit3TestExecutor ", "Running all tests in ", "Running selected tests in ", "Using launch settings from ", "Building...") ||
		strings.Contains(t, " -> ") && hasAny(t, ".dll", ".exe", ".nupkg", "/publish")
}

// dotnetEntry opens an entry of .NET's console logger, which puts what is said
// below where it comes from. Without both, entries of one source look alike:
//
//	warn: Shop.Import.Importer[12]
//	      3 rows have no price and were skipped
func dotnetEntry(s string) (class Class, ok bool) {
	level, source, found := strings.Cut(s, ": ")
	if !found || !strings.HasSuffix(source, "]") || strings.Contains(source, " ") {
		return Body, false
	}
	class = Body.unless(level == "warn", Warn).unless(level == "fail" || level == "crit", Failure)
	return class, class != Body || oneOf(level, "trce", "dbug", "info")
}

const (
	dotnetInset      = "      "
	dotnetEntryLines = 20
)

// inEntry takes a line of an open entry, or opens one that is no failure.
func (p *dotnet) inEntry(l Line, emit Emit) bool {
	if p.entry.Lines != nil {
		if strings.HasPrefix(l.Text, dotnetInset) && len(p.entry.Lines) < dotnetEntryLines {
			p.entry.Lines = append(p.entry.Lines, l)
			return true
		}
		p.endEntry(emit)
	}
	class, ok := dotnetEntry(strings.TrimRight(l.Text, " "))
	if !ok {
		return false
	}
	p.end(emit)
	if class == Failure {
		p.begin(l, "", emit)
		return true
	}
	p.diag.Close(emit)
	p.entry = Record{Class: class, Lines: []Line{l}}
	return true
}

func (p *dotnet) endEntry(emit Emit) {
	if p.entry.Class == Warn {
		for _, l := range p.entry.Lines {
			p.entry.Key += lines.Template(l.Text) + "\n"
		}
	}
	emit.open(&p.entry)
}

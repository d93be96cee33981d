package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// swift is the parser for SwiftPM and xcodebuild: compilers' messages, failed
// tests of XCTest and Swift Testing, the result. The commands that xcodebuild
// echoes are Good.
//
// Formats, as documented: "[3/12] Compiling Shop Cart.swift", "CompileSwift
// normal arm64 … (in target 'Shop' from project 'Shop')" with the command
// indented below it, "Test Case 'CartTests.testTotal' passed (0.001 seconds)",
// "✘ Test total() recorded an issue at …".
type swift struct {
	command bool  // below an echoed command
	erred   bool  // the test that runs has failed and said why
	ran     *Line // the last "Executed 3 tests": that of the outermost suite comes last
	names   bool  // in a list of names at the end
	issue   []Line
	told    set  // messages so far: each file that needs the module prints them
	again   bool // below one that was told
	overDiag
	reason reasons
}

const (
	swiftIssue = 40 // lines of an issue of Swift Testing
	swiftTold  = 2000
)

func (p *swift) Line(l Line, emit Emit) {
	s := l.Text
	t := strings.TrimLeft(s, " \t")
	if p.issue != nil && strings.HasPrefix(t, "↳ ") && len(p.issue) < swiftIssue {
		p.issue = append(p.issue, l)
		return
	}
	p.endIssue(emit)
	if p.command = p.command && indented(s); !p.command {
		p.again = p.again && (indented(s) || barred(s))
	}
	if p.command || p.again || p.repeats(s) {
		p.one(l, Good, "", emit)
		return
	}
	p.names = p.names && (indented(s) || lines.Blank(s))
	m, known := p.test(s, t)
	switch {
	case p.names:
		p.one(l, Good, "", emit)
	case m.count == "ran":
		p.executed(&l, emit)
	case strings.HasPrefix(s, "✘ ") && strings.Contains(s, " recorded an issue "):
		p.diag.Close(emit)
		p.issue = []Line{l}
	case known:
		p.command, p.names = m.key == "command", m.key == "names"
		p.one(l, m.class, m.count, emit)
	default:
		p.erred = p.erred || strings.Contains(s, ": error: ")
		p.diag.Line(l, emit)
	}
}

// repeats notes a compiler's message, and reports whether it was told before.
func (p *swift) repeats(s string) bool {
	if !strings.Contains(s, ": error: ") && !strings.Contains(s, ": warning: ") {
		return false
	}
	p.again = p.told[s]
	p.told.add(s, swiftTold)
	return p.again
}

// test knows the lines of the test runners.
func (p *swift) test(s, t string) (mark, bool) {
	if strings.HasPrefix(t, "Executed ") && strings.Contains(t, " test") {
		return mark{class: Keep, count: "ran"}, true
	}
	m, known := swiftForms.mark(s)
	switch {
	case !strings.HasPrefix(s, "Test Case "):
	case m.class == Failure && p.erred: // said why above
		m.class = Good
	case !known, m.count == "" && m.class != Failure:
		p.erred = false
	}
	return m, known
}

var swiftForms = forms{
	{class: Good, count: "passed", start: words{"Test Case "}, has: words{"' passed ("}},
	{class: Good, count: "skipped", start: words{"Test Case "}, has: words{"' skipped ("}},
	{class: Failure, start: words{"Test Case "}, has: words{"' failed ("}},
	{class: Good, start: words{"Test Case "}, has: words{"' started"}},
	{class: Keep, start: words{"✔ Test run ", "✘ Test run "}},
	{class: Good, count: "passed", start: words{"✔ Test "}},
	{class: Good, start: words{"Test Suite ", "◇ ", "↳ Testing Library", "↳ Target Platform", "✔ Suite ", "✘ Suite ", "➜ "}},
	{class: Good, start: words{"✘ Test "}, has: words{" failed after "}},
	{class: Good, key: "command", test: xcodeCommand},
	{class: Good, key: "names", start: words{"The following build commands failed:", "Failing tests:"}},
	{class: Keep, start: words{"** ", "Build complete!", "Testing failed:", "Testing cancelled"}},
	{class: Keep, start: words{"("}, end: words{"failure)"}},
	{class: Good, test: swiftTalk},
}

// executed keeps the last count of tests only. l is nil at the end.
func (p *swift) executed(l *Line, emit Emit) {
	if p.ran != nil {
		p.one(*p.ran, Good.unless(l == nil, Keep), "", emit)
	}
	p.ran = l
}

func (p *swift) endIssue(emit Emit) {
	if issue := take(&p.issue); issue != nil {
		_, said, _ := strings.Cut(issue[0].Text, " recorded an issue at ")
		_, said, _ = strings.Cut(said, ": ")
		emit(Record{Class: Failure, Key: p.reason.key(said), Site: lines.Location(issue[0].Text), Lines: issue})
	}
}

func (p *swift) Close(emit Emit) {
	p.endIssue(emit)
	p.executed(nil, emit)
	p.diag.Close(emit)
}

// xcodeCommand reports whether s is a command that xcodebuild echoes.
func xcodeCommand(s string) bool {
	return strings.HasSuffix(s, ")") && strings.Contains(s, " (in target '") || hasPrefix(s, "Command line invocation:", "User defaults from command line:", "Build settings from command line:", "Resolve Package Graph", "Resolved source packages:", "Prepare packages",
		"ComputeTargetDependencyGraph", "ComputePackagePrebuildTargetDependencyGraph", "CreateBuildRequest", "CreateBuildOperation", "SendProjectDescription", "GatherProvisioningInputs", "CreateBuildDirectory ", "ClangStatCache ", "Test session results, code coverage", "--- xcodebuild: WARNING: Using the first of multiple")
}

// swiftTalk reports whether s tells only how far the build is.
func swiftTalk(s string) bool {
	if done, rest, ok := strings.Cut(s, "] "); ok && strings.HasPrefix(done, "[") && strings.Trim(done, "[/0123456789") == "" {
		return !strings.Contains(rest, ": error: ")
	}
	return hasPrefix(s, "Building for ", "Planning build", "Fetching ", "Fetched ", "Updating https", "Updated https", "Computing version for ", "Computed https", "Creating working copy ", "Working copy of ", "note: Using new build system", "note: Planning", "note: Build preparation complete", "note: Building targets in ", "note: Target dependency graph",
		"error: fatalError", "{ platform:", "Testing started", "    Test Case ") || hasAny(s, " xcodebuild[", "IDETestOperationsObserver")
}

// Package record turns the lines of a tool's output into records: a test, a
// diagnostic with its note, a stack trace, a hunk, a summary. A record is what
// a reader wants whole or not at all; what becomes of it is the engine's
// decision, by the class that the parser gave it.
//
// Only the packages of internal/compact may import it; it imports lines. A
// parser reads lines and never decides by exit code, level or budget.
package record

// A Line is one cleaned line of the output.
type Line struct {
	N    int // its number in the output, from 0
	Text string
	Keep bool // a rule's keep pattern matched: it stays, whatever its record becomes
}

// A Class says what a record is worth to someone who reads the result.
type Class uint8

const (
	Body    Class = iota // ordinary text: the window and dedupe decide
	Noise                // not wanted: progress, banners; the guard still looks at it
	Good                 // known to be fine: a passed test, a resolved package; the guard need not look
	Folded               // left out without a marker: a note, a count or a header beside it stands for it
	Warn                 // a warning: a count and the first few are kept
	Keep                 // never removed: a summary, a result
	Failure              // never removed, and says that the run failed
)

// A Record is one or more lines that belong together, in order.
type Record struct {
	Class Class
	Lines []Line

	// Key makes a Failure, Warn or Keep record distinct: of several with the
	// same key only the first is kept whole, the others are counted, and
	// their Site is listed. "" is always distinct.
	Key  string
	Site string // where, for example "lib/x.js:12:5"

	// Brief is how many of the first lines say what and where. They are what
	// is kept where there is no room for all; 0 when no line does.
	Brief int

	// Kind is the group for a Failure of which there are very many different
	// ones: the first are kept for themselves, the others under their Kind.
	Kind string

	// Group collects records under one header with a count; Row is what is
	// printed of each (the first line's text when it is ""). Only records
	// whose Group is set are grouped. Those with a Site stay in their place
	// while they are few, and of many the Sites are listed. What follows a
	// NUL in Group is not printed: it tells groups with the same header
	// apart. Of a Tally only the count is printed.
	Group string
	Row   string
	Under string // the heading of Row in the output, as a file's name; printed once for a run of rows
	Tally bool
	Alike bool // rows of Group with a Site, of which one says what all of them say

	// Note is a marker in brackets on a line of its own after a record that
	// is kept, or after its group.
	Note string

	// Count names a counter of the rule's summary that grows by one.
	Count string
}

// A Parser cuts a stream of lines into records. Every line it is given comes
// out in exactly one record; their order does not matter, since lines carry
// their numbers. A parser holds a bounded number of lines.
type Parser interface {
	Line(l Line, emit Emit)
	Close(emit Emit) // emits what is still held
}

// New returns a fresh parser by the name that rules use, or nil.
func New(name string) Parser {
	switch name {
	case "", "text":
		return &plainText{}
	case "apt":
		return newApt()
	case "blame":
		return &blame{}
	case "bundle":
		return &bundle{}
	case "buntest":
		return &orTAP{runner: &bunTest{}}
	case "cargotest":
		return &cargoTest{}
	case "columns":
		return &columns{}
	case "content":
		return &content{}
	case "ctest":
		return &ctest{}
	case "curl":
		return &curl{}
	case "denotest":
		return &orTAP{runner: &denoTest{}}
	case "describe":
		return &describe{}
	case "diag":
		return &diag{}
	case "diff":
		return &diff{alone: true}
	case "dockerbuild":
		return &dockerBuild{}
	case "dotnet":
		return &dotnet{}
	case "eslint":
		return &eslint{}
	case "exunit":
		return &exunit{}
	case "fetch":
		return newFetch()
	case "framed":
		return &framed{}
	case "gh":
		return &gh{}
	case "gitlog":
		return &gitlog{}
	case "gitshow":
		return &gitlog{show: true}
	case "gitstatus":
		return &gitstatus{}
	case "gitsync":
		return &gitsync{}
	case "gotest":
		return &goTest{}
	case "gradle":
		return &gradle{}
	case "grep":
		return &grep{}
	case "jest":
		return &jest{}
	case "json":
		return &jsonText{}
	case "kubectl":
		return &kubectl{}
	case "lint":
		return &lint{}
	case "list":
		return &columns{most: columnList}
	case "log":
		return &log{}
	case "manifest":
		return &manifest{}
	case "ls":
		return &ls{}
	case "minitest":
		return &minitest{}
	case "mocha":
		return &orTAP{runner: &mocha{}}
	case "nextbuild":
		return &nextBuild{}
	case "nodetest":
		return &orTAP{runner: &nodeSpec{}}
	case "npm":
		return newNpm()
	case "packages":
		return &packageTree{}
	case "padded":
		return &padded{}
	case "paths":
		return &paths{}
	case "payload":
		return &payload{}
	case "php":
		return &php{}
	case "phpunit":
		return &phpunit{}
	case "pip":
		return newPip()
	case "playwright":
		return &playwright{}
	case "prettier":
		return &prettier{}
	case "pytest":
		return &pytest{}
	case "python":
		return &python{}
	case "reactscripts":
		return &reactScripts{}
	case "rspec":
		return &rspec{}
	case "ruby":
		return &rubyRun{}
	case "rustc":
		return &rustc{}
	case "script":
		return &script{}
	case "shellcheck":
		return &shellcheck{}
	case "sqltable":
		return &sqlTable{}
	case "swift":
		return &swift{}
	case "tap":
		return &tap{}
	case "tasks":
		return &Tasks{}
	case "terraform":
		return &terraform{}
	case "maven":
		return &maven{}
	case "tree":
		return &tree{}
	case "unittest":
		return &unittest{}
	case "webpack":
		return &webpack{}
	case "vitest":
		return &orTAP{runner: &vitest{}}
	case "xml":
		return &xmlText{}
	}
	return nil
}

// TakesLong reports whether a parser wants overlong lines whole, because it
// reads structure from them.
func TakesLong(name string) bool {
	return oneOf(name, "json", "content", "curl", "columns", "eslint", "kubectl", "list", "payload", "rspec")
}

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
	More bool // the line is longer than this: another piece of it follows
	Code bool // it only shows what the record is about: source, or how it came to be read
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

// A List says how a row of a list is printed.
type List uint8

const (
	NoList    List = iota
	ListRow        // in its place; its Group, which is not printed, has its share of the room
	ListUnder      // on a line of its own under its Group
	ListName       // beside the other names of its Group; a Tally names the Group and is no row
)

// unless returns the class, or another where it does not hold.
func (c Class) unless(exempt bool, other Class) Class {
	if exempt {
		return other
	}
	return c
}

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

	// Says is what a diagnostic with a Site says, without it: its first Brief
	// lines. Those that say the same, but for a name, are printed once with all
	// their places; Kind is then its code, Apart what else tells it from another.
	Says  string
	Apart string
	Alone bool // the only one that says it stands as the tool printed it

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
	Alike bool // what is below it may differ from what is shown for its Key

	// List makes a record a row of a list, which is shown whole as long as
	// there is room for it, and beyond that cut evenly among its Groups. A row
	// that is Keep is always shown; those that are Noise go first.
	List List
	Rest bool // a row of a list that a parser has no room for: the output is stored

	// Note is a marker in brackets on a line of its own after a record that
	// is kept, or after its group.
	Note string

	// Spare says that its line also came in another record, and stays if that
	// one's does not.
	Spare bool

	// Instead says that its lines stand for ones that came out before, without
	// their text.
	Instead bool

	// Count names a counter of the rule's summary that grows by one.
	Count string
}

// A Parser cuts a stream of lines into records. Every line it is given comes
// out in exactly one record that is neither Spare nor Instead of others; their order does not
// matter, since lines carry their numbers. A parser holds a bounded number of
// lines.
type Parser interface {
	Line(l Line, emit Emit)
	Close(emit Emit) // emits what is still held
}

// A Searcher reads the result of a search, and shows the words searched for.
type Searcher interface{ For(words []string) }

// A Roomy parser decides itself how many rows of a list it keeps.
type Roomy interface{ Room(bytes int) }

// parsers are all of them, by the names that rules use.
var parsers = [...]struct {
	name string
	make func() Parser
}{
	{"", func() Parser { return &plainText{} }},
	{"text", func() Parser { return &plainText{} }},
	{"ansible", func() Parser { return &ansible{} }},
	{"apt", func() Parser { return newApt() }},
	{"ava", func() Parser { return runnerOf(&orTAP{Parser: &ava{}}) }},
	{"blame", func() Parser { return &blame{} }},
	{"bundle", func() Parser { return &bundle{} }},
	{"buntest", func() Parser { return runnerOf(&orTAP{Parser: &bunTest{}}) }},
	{"cargotest", func() Parser { return &cargoTest{} }},
	{"columns", func() Parser { return &columns{} }},
	{"content", func() Parser { return &content{} }},
	{"ctest", func() Parser { return runnerOf(&ctest{}) }},
	{"curl", func() Parser { return &curl{} }},
	{"denotest", func() Parser { return runnerOf(&orTAP{Parser: &denoTest{}}) }},
	{"describe", func() Parser { return &describe{} }},
	{"diag", func() Parser { return &diag{} }},
	{"diff", func() Parser { return &gitMixed{Parser: &diff{alone: true}} }},
	{"dockerbuild", func() Parser { return &dockerBuild{} }},
	{"dotnet", func() Parser { return &dotnet{} }},
	{"eslint", func() Parser { return &eslint{} }},
	{"exunit", func() Parser { return runnerOf(&exunit{}) }},
	{"fetch", func() Parser { return &install{read: (&fetch{}).line} }},
	{"framed", func() Parser { return &framed{} }},
	{"gh", func() Parser { return &gh{} }},
	{"gitlog", func() Parser { return &gitMixed{Parser: &gitlog{}} }},
	{"gitshow", func() Parser { return &gitlog{show: true} }},
	{"gitstatus", func() Parser { return &gitMixed{Parser: &gitstatus{}} }},
	{"gitsync", func() Parser { return &gitMixed{Parser: &gitsync{}} }},
	{"guess", func() Parser { return &guess{} }},
	{"gorun", func() Parser { return &goRun{} }},
	{"gotest", func() Parser { return &goTest{} }},
	{"gradle", func() Parser { return &gradle{} }},
	{"grep", func() Parser { return &grep{} }},
	{"hooks", func() Parser { return &hooks{} }},
	{"jest", func() Parser { return runnerOf(&jest{}) }},
	{"json", func() Parser { return newJSON() }},
	{"kubectl", func() Parser { return &kubectl{} }},
	{"lint", func() Parser { return &lint{} }},
	{"list", func() Parser { return &columns{} }},
	{"log", func() Parser { return &log{} }},
	{"manifest", func() Parser { return &manifest{} }},
	{"ls", func() Parser { return &ls{} }},
	{"minitest", func() Parser { return runnerOf(&minitest{}) }},
	{"mocha", func() Parser { return runnerOf(&orTAP{Parser: &mocha{}}) }},
	{"nextbuild", func() Parser { return &pageBuild{} }},
	{"nodetest", func() Parser { return runnerOf(&orTAP{Parser: &nodeSpec{}}) }},
	{"npm", func() Parser { return &install{read: (&npm{}).line} }},
	{"packages", func() Parser { return &packageTree{} }},
	{"padded", func() Parser { return &padded{} }},
	{"pairs", func() Parser { return &pairs{} }},
	{"paths", func() Parser { return &paths{} }},
	{"payload", func() Parser { return &payload{} }},
	{"php", func() Parser { return &php{} }},
	{"phpunit", func() Parser { return runnerOf(&phpunit{}) }},
	{"pip", func() Parser { return &install{read: (&pip{}).line} }},
	{"playwright", func() Parser { return runnerOf(&playwright{}) }},
	{"prettier", func() Parser { return &prettier{} }},
	{"pytest", func() Parser { return runnerOf(&pytest{}) }},
	{"python", func() Parser { return &python{} }},
	{"reactscripts", func() Parser { return &pageBuild{react: true} }},
	{"rspec", func() Parser { return runnerOf(&rspec{}) }},
	{"ruby", func() Parser { return &rubyRun{} }},
	{"rustc", func() Parser { return &rustRun{} }},
	{"script", func() Parser { return &script{} }},
	{"shellcheck", func() Parser { return &shellcheck{} }},
	{"sizes", func() Parser { return &sizes{} }},
	{"sqltable", func() Parser { return &sqlTable{} }},
	{"swift", func() Parser { return &swift{} }},
	{"tap", func() Parser { return runnerOf(&tap{}) }},
	{"tasks", func() Parser { return &Tasks{} }},
	{"terraform", func() Parser { return &terraform{} }},
	{"uvu", func() Parser { return runnerOf(&uvu{}) }},
	{"maven", func() Parser { return &maven{} }},
	{"tree", func() Parser { return &tree{} }},
	{"unittest", func() Parser { return runnerOf(&unittest{}) }},
	{"webpack", func() Parser { return &webpack{} }},
	{"vitest", func() Parser { return runnerOf(&orTAP{Parser: &vitest{}}) }},
	{"xml", func() Parser { return &xmlText{} }},
}

// New returns a fresh parser by the name that rules use, or nil.
func New(name string) Parser {
	for _, p := range parsers {
		if p.name == name {
			return p.make()
		}
	}
	return nil
}

// wide is implemented by parsers that want overlong lines whole, because they
// read structure from them.
type wide interface{ wide() }

// TakesLong reports whether a parser is one of those.
func TakesLong(p Parser) bool {
	if r, ok := p.(*runner); ok {
		p = r.Parser
	}
	_, ok := p.(wide)
	return ok
}

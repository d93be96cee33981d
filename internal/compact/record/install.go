package record

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
)

// install is the parser for package managers. What each of them prints is
// known to a reader of its own (apt, pip and fetch below, npm.go):
// it says of a line what it is. Here lines become records: a fault or a
// warning with what is told below it, a result, progress.
type install struct {
	read   func(s string) (mark, bool)
	open   Record // a fault or a warning that may go on
	greedy bool   // and that lines no reader knows belong to
	blank  []Line // blank lines after it: part of it if it goes on
}

// A mark is what a reader says of a line.
type mark struct {
	class Class
	count string // as Record.Count
	key   string // as Record.Key
	site  string // as Record.Site
	opens bool   // lines below that are not known belong to it
	joins bool   // it belongs to what is open, if that is of its class
	glue  string // and this is said on its last line
	text  string // what is shown of it, where that is not all
}

const installBlock = 400 // lines of one fault

func (p *install) Line(l Line, emit Emit) {
	s := l.Text
	if lines.Blank(s) {
		if p.open.Lines != nil && len(p.blank) < 3 {
			p.blank = append(p.blank, l)
			return
		}
		emit.line(Folded, l)
		return
	}
	m, known := p.read(s)
	if m.class == Good {
		m.class = Folded // the header says that lines are missing: one marker for each step would be longer than what is left
	}
	if m.text != "" {
		l.Text = m.text
	}
	if strings.HasPrefix(s, "│") {
		l.Text = strings.TrimRight(s, " │") // a box's other side
	}
	switch {
	case !known && p.greedy && len(p.open.Lines) < installBlock:
		p.append(l)
	case !known:
		p.Close(emit)
		emit(plain(l))
	case m.joins && p.open.Lines != nil && p.open.Class == m.class && len(p.open.Lines) < installBlock:
		p.greedy = p.greedy || m.opens
		if m.glue != "" {
			p.open.Lines[len(p.open.Lines)-1].Text += m.glue
			emit.line(Folded, l)
			return
		}
		p.append(l)
	case m.class == Failure, m.class == Warn:
		p.Close(emit)
		p.open = m.record(l)
		p.greedy = m.opens
	case m.class <= Folded && p.greedy, m.class == Folded && p.open.Lines != nil: // does not end a fault
		emit(Record{Class: m.class, Lines: []Line{l}})
	default:
		p.Close(emit)
		emit(m.record(l))
	}
}

func (p *install) append(l Line) {
	p.open.Lines = append(append(p.open.Lines, take(&p.blank)...), l)
}

func (p *install) Close(emit Emit) {
	keep, drop := thinTrace(p.open.Lines)
	p.open.Lines = keep
	emit.open(&p.open)
	emitDropped(drop, emit)
	emit.all(Folded, &p.blank)
	p.greedy = false
}

// hasPrefix reports whether s begins with one of the prefixes.
func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// word returns the first word of s.
func word(s string) string {
	w, _, _ := strings.Cut(strings.TrimLeft(s, " "), " ")
	return w
}

// counted reports whether s is a number and then one of the words.
func counted(s string, words ...string) bool {
	n := digits(s)
	return n > 0 && hasPrefix(strings.TrimLeft(s[n:], " "), words...)
}

// hasAny reports whether s contains one of the words.
func hasAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// apt reads apt, apt-get and what dpkg prints under them. Of the packages set
// up, those stay that were asked for: the ones that are to be installed and
// are not "additional".
type apt struct {
	section string // the heading of the indented list we are in
	added   set    // additional packages
	asked   set
}

func newApt() *install {
	return &install{read: (&apt{added: map[string]bool{}, asked: map[string]bool{}}).line}
}

func (p *apt) line(s string) (mark, bool) {
	if strings.HasPrefix(s, "  ") && p.section != "" {
		return p.list(s), true
	}
	p.section = ""
	switch {
	case hasPrefix(s, "E: ", "Err:"), hasPrefix(s, "dpkg: error", "dpkg: dependency problems", "The following packages have unmet dependencies", "Errors were encountered while processing", "Package ") && !strings.HasSuffix(s, "]"):
		return mark{class: Failure, opens: true, joins: strings.HasPrefix(s, "E: ")}, true
	case hasPrefix(s, "W: ", "N: ", "WARNING: ") && !strings.HasPrefix(s, "N: See apt-secure"):
		return mark{class: Warn, key: s, opens: strings.HasPrefix(s, "WARNING: ")}, true
	case strings.HasPrefix(s, "The following information may help"):
		return mark{class: Good}, true
	case strings.HasSuffix(s, ":") && hasPrefix(s, "The following ", "Suggested packages", "Recommended packages", "Installing:", "Upgrading:", "REMOVING:", "Not upgrading:"):
		p.section = s
		return mark{class: Good.unless(p.matters(), Keep)}, true
	case counted(s, "upgraded, ", "packages can be upgraded", "package can be upgraded"), hasPrefix(s, "Fetched ", "All packages are up to date", "Note, selecting ", "  Upgrading: ", "Summary:"):
		return mark{class: Keep}, true
	case strings.Contains(s, " is already the newest version"):
		return mark{class: Keep, key: "newest", site: word(s)}, true
	case strings.HasPrefix(s, "Setting up "):
		name, _, _ := strings.Cut(word(s[len("Setting up "):]), ":")
		return mark{class: Good.unless(p.asked[name], Keep)}, true
	case hasPrefix(s, "Reading package lists", "Building dependency tree", "Reading state information"):
		return mark{class: Folded}, true
	case hasPrefix(s, "Get:", "Hit:", "Ign:", "Selecting previously unselected", "Selecting previously deselected", "(Reading database", "Preparing to unpack", "Unpacking ", "Processing triggers",
		"Need to get ", "After this operation", "update-alternatives: ", "debconf: ", "invoke-rc.d: ", "Created symlink", "Adding ", "Extracting templates", "Preconfiguring packages", "Scanning ", "Calculating upgrade", "Updating certificates", "Generating ", "No diversion ", "Removing ", "Purging ", "Solving dependencies", "locale: ",
		"Some packages could not be installed.", "requested an impossible situation", "distribution that some required packages", "or been moved out of Incoming", "N: See apt-secure"),
		strings.HasSuffix(s, " set to manually installed."):
		return mark{class: Good}, true
	}
	return mark{}, false
}

// matters reports whether the packages of the list are worth more than their
// count.
func (p *apt) matters() bool {
	return hasAny(p.section, "REMOV", "DOWNGRADED", "essential", "held", "kept back")
}

// list takes a line of a list of packages.
func (p *apt) list(s string) mark {
	for _, name := range strings.Fields(s) {
		switch {
		case strings.HasPrefix(p.section, "The following additional"):
			p.added[name] = true
		case hasPrefix(p.section, "The following NEW", "The following packages will be upgraded"):
			p.asked[name] = !p.added[name]
		}
	}
	return mark{class: Good.unless(p.matters(), Keep)}
}

// pip reads what pip, uv and poetry print while they install.
type pip struct {
	output bool // in the output of a build that failed
	failed bool // which pip tells again at its end
	again  bool // and does
	tries  bool // a connection that broke was told in it
	rows   int  // packages uv listed
}

const uvRows = 15 // packages shown of what uv installed

func (p *pip) line(s string) (mark, bool) {
	t := strings.TrimLeft(s, " ")
	switch {
	case strings.HasPrefix(t, "error: subprocess-exited-with-error") && p.failed:
		p.again = true
		return mark{class: Good}, true
	case strings.HasPrefix(t, "error: subprocess-exited-with-error"):
		p.output, p.failed = true, true
		return mark{class: Failure, opens: true}, true
	case p.again && hasPrefix(t, "× ", "│ exit code: ", "╰─> See above"):
		return mark{class: Good}, true
	case p.output && strings.HasPrefix(t, "WARNING: Retrying ("):
		told := p.tries
		p.tries = true
		return mark{class: Failure.unless(told, Good), joins: true, opens: true, text: pipRetry(s)}, true
	case p.output && t == "[end of output]":
		p.output = false
		return mark{class: Good}, true
	case p.output:
		return mark{class: Good}, hasPrefix(t, "copying ", "creating ", "running ", "adding ", "writing ", "reading ", "removing ", "installing to ", "Looking in ", "Traceback (most recent")
	}
	m, known := pipForms.mark(s)
	if m.key == "retry" {
		m.text = pipRetry(s)
	}
	if known && hasPrefix(s, " + ", " - ", " ~ ") {
		p.rows++
		m.class = Keep.unless(p.rows > uvRows, Good)
	}
	return m, known
}

var pipForms = forms{
	{class: Good, inset: words{"note: This ", "[notice] ", "× python setup.py ", "hint: See above", "╰─> See above", "× Encountered error while", "To fix this you could try", "1. loosen the range", "2. remove package versions", "hint: See below"}},
	{class: Failure, opens: true, joins: true, start: words{"error: ", "ERROR: No matching", "ERROR: ResolutionImpossible"}},
	{class: Failure, opens: true, start: words{"ERROR: "}},
	{class: Folded, start: words{"WARNING: Running pip as the 'root' user"}},
	{class: Folded, inset: words{"[notice] "}},
	{class: Warn, key: "retry", inset: words{"WARNING: Retrying ("}},
	{class: Folded, start: words{"Looking in links: ", "Looking in indexes: "}},
	{class: Warn, key: sameInset, inset: words{"WARNING: ", "DEPRECATION: ", "warning: "}},
	{class: Keep, start: words{"Successfully installed ", "Successfully built ", "Successfully uninstalled ", "  Successfully uninstalled ", "Would install ", "Would uninstall ", "No broken requirements found", "Saved ", "Successfully downloaded "}},
	{class: Keep, key: "satisfied", inset: words{"Requirement already satisfied: ", "Requirement already up-to-date: "}},
	{class: Good, test: pipProgress},
	// uv and poetry
	{class: Keep, start: words{"Resolved ", "Installed ", "Uninstalled ", "Audited ", "Package operations: ", "No dependencies to install", "Installing the current project", "Creating virtual"}},
	{class: Good, start: words{"Prepared ", "Using CPython ", "Using Python ", "Using version ", "Installing dependencies from lock", "Updating dependencies", "Resolving dependencies", "Writing lock file", "Building "}},
	{class: Good, inset: words{"Building ", "Built ", "Updating https", "Updated https", "Preparing packages"}},
	{class: Failure, opens: true, inset: words{"× "}},
	{class: Failure, opens: true, joins: true, start: words{"Because ", "So, because ", "And because "}},
	{class: Keep, start: words{" + ", " - ", " ~ "}},
	{class: Failure, opens: true, end: words{"Failed"}, inset: poetrySteps},
	{class: Good, inset: poetrySteps},
}

var poetrySteps = words{"- Installing ", "• Installing ", "- Updating ", "• Updating ", "- Removing ", "• Removing ", "- Downgrading ", "• Downgrading "}

// pipRetry is a warning that a connection broke without the counters of the
// library and the object that it prints: "(Retry(total=4, …))", "<… at 0x7f>: ".
func pipRetry(s string) string {
	before, rest, ok := strings.Cut(s, " (Retry(")
	if _, after, ended := strings.Cut(rest, "))"); ok && ended {
		s = before + after
	}
	before, rest, ok = strings.Cut(s, "'<")
	if _, after, ended := strings.Cut(rest, ">: "); ok && ended {
		s = before + "'…" + after
	}
	return s
}

// pipProgress reports whether a line tells only how far pip is.
func pipProgress(s string) bool {
	t := strings.TrimLeft(s, " ")
	if hasPrefix(t, "━", "╸", "|█", "Preparing metadata", "Installing build dependencies", "Getting requirements to build", "Building wheel for ", "Building editable for ", "Running setup.py ", "Running command ", "Checking if build backend", "Installing backend dependencies") {
		return !strings.Contains(s, "error")
	}
	return hasPrefix(t, "Collecting ", "Downloading ", "Using cached ", "Obtaining ", "Processing ", "Looking in ", "Created wheel for ", "Stored in directory: ", "Building wheels for ", "Installing collected packages: ",
		"Attempting uninstall: ", "Found existing installation: ", "Uninstalling ", "Successfully uninstalled ", "Not uninstalling ", "Can't uninstall ", "INFO: pip is looking at ", "INFO: This is taking longer", "Downloaded ", "Discarding ", "Link requires a different Python", "Ignoring ", "Added ", "Resolved https")
}

// fetch reads cargo's, go's, Bundler's, gem's, Composer's and Homebrew's own
// lines while they bring packages.
type fetch struct {
	rows     int // packages a lock file got
	composer composer
	needed   bool // Homebrew installs what was not asked for
}

const fetchRows = 15

func (p *fetch) line(s string) (mark, bool) {
	if strings.HasPrefix(s, "go: ") {
		return p.gomod(s[len("go: "):]), true
	}
	if m, ok := p.composer.line(s); ok {
		return m, true
	}
	if bundlerNoise(s) || p.brewed(s) {
		return mark{class: Good}, true
	}
	m, known := fetchForms.mark(s)
	switch {
	case m.key == "template":
		m.key = lines.Template(s)
	case m.key == "abandoned":
		m.site = word(s[len("Package "):])
	case m.key == "row":
		p.rows++
		m.class, m.key = Keep.unless(p.rows > fetchRows, Good), ""
	}
	return m, known
}

var fetchForms = forms{
	{class: Failure, opens: true, start: words{"error: ", "error[", "Error: ", "ERROR: ", "Could not find ", "Bundler could not ", "Bundler found ", "Gem::", "An error occurred while ", "Your requirements could not be resolved", "Could not ", "There was an error ", "Your bundle only supports", "Your Ruby version is"}},
	{class: Failure, opens: true, start: words{"In "}, has: words{" line "}},
	{class: Failure, opens: true, joins: true, inset: words{"Caused by:", "SECURITY ERROR"}},
	{class: Failure, opens: true, joins: true, start: words{"verifying "}},
	{class: Warn, key: "network", start: words{"warning: spurious network error"}},
	{class: Warn, key: "template", opens: true, start: words{"warning: ", "Warning: ", "WARNING: "}},
	{class: Warn, key: "abandoned", start: words{"Package "}, has: words{" is abandoned"}},
	{class: Keep, inset: words{"Locking ", "Added ", "Removed ", "Bundle complete", "Bundle updated", "Successfully installed", "Lock file operations", "Package operations", "Nothing to install", "No security vulnerability", "Found ", "🍺"}},
	{class: Keep, counts: words{"gem installed", "gems installed"}},
	{class: Keep, key: "row", start: words{"  "}, inset: words{"Adding ", "Updating ", "Removing ", "Upgrading ", "Downgrading "}, test: func(s string) bool { return hasAny(strings.TrimLeft(s, " "), " v", " -> ", "=>") }},
	{class: Good, inset: words{"Updating ", "Downloading ", "Downloaded ", "Blocking waiting", "Fetching ", "Installing ", "Using ", "Resolving dependencies", "Features:", "Building native extensions", "Parsing documentation", "Done installing documentation", "Use `bundle ", "Use the `composer", "Loading composer", "Generating ", "Writing lock file", "- Installing ", "- Locking ", "- Downloading ", "- Upgrading ", "- Syncing ",
		"# get ", "==> Downloading", "==> Pouring", "==> Fetching", "==> Installing", "Already downloaded", "Pouring ", "note: pass `--verbose`", "Extracting archive", "Rewriting ", "Vendoring ", "Compiling ", "Verifying "}},
	{class: Good, end: words{"looking for funding."}},
	{class: Good, test: func(s string) bool { return strings.Trim(s, "#=-> 0123456789.%") == "" }},
}

// brewed reports whether a line of Homebrew is advice, or the end of an
// install that nobody asked for.
func (p *fetch) brewed(s string) bool {
	switch {
	case strings.HasPrefix(s, "==> Installing "):
		p.needed = strings.Contains(s, " dependency: ")
	case strings.HasPrefix(s, "🍺"):
		return p.needed
	}
	return hasPrefix(s, "==> Auto-updat", "==> Running `brew cleanup", "==> Summary", "Disable this behaviour by setting HOMEBREW", "Hide these hints with HOMEBREW", "Adjust how often this is run with", "Updated ", "==> Updated Formulae", "==> `brew cleanup`")
}

// gomod reads a line of the go command without its "go: ".
func (p *fetch) gomod(s string) mark {
	m, known := gomodForms.mark(s)
	if !known {
		return mark{class: Failure, opens: true}
	}
	if m.class == Keep {
		p.rows++
		m.class = Keep.unless(p.rows > fetchRows && strings.HasPrefix(s, "found "), Good)
	}
	return m
}

var gomodForms = forms{
	{class: Good, start: words{"downloading ", "finding ", "extracting "}},
	{class: Keep, start: words{"found ", "added ", "upgraded ", "downgraded ", "removed ", "creating new go.mod", "updates to go.mod", "to add module"}},
	{class: Warn, key: sameLine, start: words{"warning: "}},
}

// composer reads Composer's own lines: what was decided and why not. It tells
// each change twice, for the lock file and for the packages.
type composer struct {
	listed bool // the lock file's changes were listed
	again  bool // in the list of the packages
	causes bool // in the advice that ends a conflict
	rows   int
}

func (p *composer) line(s string) (mark, bool) {
	t := strings.TrimLeft(s, " ")
	if p.causes = p.causes && (hasPrefix(t, "- ", "see <") || t == ""); p.causes {
		return mark{class: Good}, true
	}
	switch {
	case hasPrefix(s, "Potential causes:"):
		p.causes = true
		return mark{class: Good}, true
	case hasPrefix(s, "Lock file operations"):
		p.listed = true
		return mark{class: Keep}, true
	case hasPrefix(s, "Package operations"):
		p.again = p.listed
		return mark{class: Keep}, true
	case hasPrefix(t, "- Upgrading ", "- Downgrading ", "- Removing ") && !p.again:
		p.rows++
		return mark{class: Good.unless(p.rows <= fetchRows, Keep)}, true
	case hasPrefix(s, "Class ") && strings.HasSuffix(s, "Skipping."):
		return mark{class: Warn, key: "autoload"}, true
	case hasPrefix(s, "Composer is operating ", "No composer.lock file present", "Read <https://getcomposer.org/", "> "), hasPrefix(t, "- Upgrading ", "- Downgrading ", "- Removing "),
		counted(s, "package suggestions were", "package suggestion was", "packages you are using"), composerUsage(s), composerBar(t):
		return mark{class: Good}, true
	}
	return mark{}, false
}

// composerUsage reports whether s repeats a command's flags after an error:
// "install [--dev] [--dry-run] …".
func composerUsage(s string) bool {
	name, rest, ok := strings.Cut(s, " [--")
	return ok && !strings.Contains(name, " ") && strings.Contains(rest, "] [--")
}

// composerBar reports whether t is how far it is: "12/16 [====>---]  75%".
func composerBar(t string) bool {
	_, bar, ok := strings.Cut(t, " [")
	return ok && t != "" && isDigit(t[0]) && strings.Trim(bar, "-=>] 0123456789%[/") == ""
}

// bundlerNoise reports whether a line of Bundler or gem tells nothing of the
// result: its advice, and the frames of its own backtrace, which it wraps.
func bundlerNoise(s string) bool {
	t := strings.TrimLeft(s, " ")
	switch {
	case hasPrefix(s, "Don't run Bundler as root", "installing your bundle as root", "users on this machine.", "Bundled gems are installed into", "Post-install message from ", "Gem files will remain installed in", "Results logged to", "To see why this extension failed to compile"):
		return true
	case strings.HasPrefix(t, "/") && strings.Contains(t, ".rb:"):
		return hasAny(t, rubyForeign...) || strings.HasPrefix(t, "/usr/lib/ruby/")
	case strings.HasPrefix(t, "/") && !strings.Contains(t, " ") && hasAny(t, "/gem_make.out", "/mkmf.log"):
		return true
	}
	frame := strings.HasSuffix(t, "'") && strings.Count(t, "'") == 1 // the end of a frame that was wrapped
	return frame && (strings.HasPrefix(t, "`") || !strings.ContainsAny(t, "` \""))
}

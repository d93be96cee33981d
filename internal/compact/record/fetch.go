package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// fetch reads cargo's, go's, Bundler's, gem's, Composer's and Homebrew's own
// lines while they bring packages.
type fetch struct {
	rows     int // packages a lock file got
	composer composer
	needed   bool // Homebrew installs what was not asked for
}

const fetchRows = 15

func newFetch() *install { return &install{read: (&fetch{}).line} }

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

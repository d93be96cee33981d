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
	t := strings.TrimLeft(s, " ")
	switch {
	case hasPrefix(s, "error: ", "error[", "Error: ", "ERROR: ", "Could not find ", "Bundler could not ", "Bundler found ", "Gem::", "An error occurred while ", "Your requirements could not be resolved", "Could not ", "There was an error ", "Your bundle only supports", "Your Ruby version is"), strings.HasPrefix(s, "In ") && strings.Contains(s, " line "):
		return mark{class: Failure, opens: true}, true
	case hasPrefix(t, "Caused by:", "SECURITY ERROR"), strings.HasPrefix(s, "verifying "):
		return mark{class: Failure, opens: true, joins: true}, true
	case hasPrefix(s, "warning: spurious network error"):
		return mark{class: Warn, key: "network"}, true
	case hasPrefix(s, "warning: ", "Warning: ", "WARNING: "):
		return mark{class: Warn, key: lines.Template(s), opens: true}, true
	case strings.HasPrefix(s, "Package ") && strings.Contains(s, " is abandoned"):
		return mark{class: Warn, key: "abandoned", site: word(s[len("Package "):])}, true
	case hasPrefix(t, "Locking ", "Added ", "Removed ", "Bundle complete", "Bundle updated", "Successfully installed", "Lock file operations", "Package operations", "Nothing to install", "No security vulnerability", "Found ", "🍺"), counted(s, "gem installed", "gems installed"):
		return mark{class: Keep}, true
	case strings.HasPrefix(s, "  ") && hasPrefix(t, "Adding ", "Updating ", "Removing ", "Upgrading ", "Downgrading ") && hasAny(t, " v", " -> ", "=>"):
		p.rows++
		return mark{class: Keep.unless(p.rows > fetchRows, Good)}, true
	case hasPrefix(t, "Updating ", "Downloading ", "Downloaded ", "Blocking waiting", "Fetching ", "Installing ", "Using ", "Resolving dependencies", "Features:", "Building native extensions", "Parsing documentation", "Done installing documentation", "Use `bundle ", "Use the `composer", "Loading composer", "Generating ", "Writing lock file", "- Installing ", "- Locking ", "- Downloading ", "- Upgrading ", "- Syncing ",
		"# get ", "==> Downloading", "==> Pouring", "==> Fetching", "==> Installing", "Already downloaded", "Pouring ", "note: pass `--verbose`", "Extracting archive", "Rewriting ", "Vendoring ", "Compiling ", "Verifying "), strings.HasSuffix(s, "looking for funding."), strings.Trim(s, "#=-> 0123456789.%") == "":
		return mark{class: Good}, true
	}
	return mark{}, false
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
	switch {
	case hasPrefix(s, "downloading ", "finding ", "extracting "):
		return mark{class: Good}
	case hasPrefix(s, "found ", "added ", "upgraded ", "downgraded ", "removed ", "creating new go.mod", "updates to go.mod", "to add module"):
		p.rows++
		return mark{class: Keep.unless(p.rows > fetchRows && strings.HasPrefix(s, "found "), Good)}
	case hasPrefix(s, "warning: "):
		return mark{class: Warn, key: s}
	}
	return mark{class: Failure, opens: true}
}

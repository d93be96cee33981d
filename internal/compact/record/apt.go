package record

import "strings"

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

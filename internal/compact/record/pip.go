package record

import "strings"

// pip reads what pip, uv and poetry print while they install.
type pip struct {
	output bool // in the output of a build that failed
	rows   int  // packages uv listed
}

const uvRows = 15 // packages shown of what uv installed

func newPip() *install { return &install{read: (&pip{}).line} }

func (p *pip) line(s string) (mark, bool) {
	t := strings.TrimLeft(s, " ")
	switch {
	case strings.HasPrefix(t, "error: subprocess-exited-with-error"):
		p.output = true
		return mark{class: Failure, opens: true}, true
	case p.output && t == "[end of output]":
		p.output = false
		return mark{class: Good}, true
	case p.output:
		return mark{class: Good}, hasPrefix(t, "copying ", "creating ", "running ", "adding ", "writing ", "reading ", "removing ", "installing to ", "Traceback (most recent")
	case hasPrefix(t, "note: This ", "hint: See above", "╰─> See above", "× Encountered error while", "To fix this you could try", "1. loosen the range", "2. remove package versions", "hint: See below"):
		return mark{class: Good}, true
	case hasPrefix(s, "ERROR: "), hasPrefix(s, "error: "):
		return mark{class: Failure, opens: true, joins: strings.HasPrefix(s, "error: ") || strings.HasPrefix(s, "ERROR: No matching") || strings.HasPrefix(s, "ERROR: ResolutionImpossible")}, true
	case strings.HasPrefix(s, "WARNING: Running pip as the 'root' user"), strings.HasPrefix(t, "[notice] "):
		return mark{class: Folded}, true
	case hasPrefix(t, "WARNING: Retrying ("):
		return mark{class: Warn, key: "retry"}, true
	case hasPrefix(t, "WARNING: ", "DEPRECATION: ", "warning: "):
		return mark{class: Warn, key: t}, true
	case hasPrefix(s, "Successfully installed ", "Successfully built ", "Successfully uninstalled ", "  Successfully uninstalled ", "Would install ", "Would uninstall ", "No broken requirements found", "Saved ", "Successfully downloaded "):
		return mark{class: Keep}, true
	case strings.HasPrefix(t, "Requirement already satisfied: "), strings.HasPrefix(t, "Requirement already up-to-date: "):
		return mark{class: Keep, key: "satisfied"}, true
	case pipProgress(s, t):
		return mark{class: Good}, true
	}
	return p.uv(s, t)
}

// pipProgress reports whether a line tells only how far pip is.
func pipProgress(s, t string) bool {
	if hasPrefix(t, "━", "╸", "|█", "Preparing metadata", "Installing build dependencies", "Getting requirements to build", "Building wheel for ", "Building editable for ", "Running setup.py ", "Running command ", "Checking if build backend", "Installing backend dependencies") {
		return !strings.Contains(s, "error")
	}
	return hasPrefix(t, "Collecting ", "Downloading ", "Using cached ", "Obtaining ", "Processing ", "Looking in ", "Created wheel for ", "Stored in directory: ", "Building wheels for ", "Installing collected packages: ",
		"Attempting uninstall: ", "Found existing installation: ", "Uninstalling ", "Successfully uninstalled ", "Not uninstalling ", "Can't uninstall ", "INFO: pip is looking at ", "INFO: This is taking longer", "Downloaded ", "Discarding ", "Link requires a different Python", "Ignoring ", "Added ", "Resolved https")
}

// uv reads uv and poetry.
func (p *pip) uv(s, t string) (mark, bool) {
	switch {
	case hasPrefix(s, "Resolved ", "Installed ", "Uninstalled ", "Audited ", "Package operations: ", "No dependencies to install", "Installing the current project", "Creating virtual"):
		return mark{class: Keep}, true
	case hasPrefix(s, "Prepared ", "Using CPython ", "Using Python ", "Using version ", "Installing dependencies from lock", "Updating dependencies", "Resolving dependencies", "Writing lock file", "Building "), hasPrefix(t, "Building ", "Built ", "Updating https", "Updated https", "Preparing packages"):
		return mark{class: Good}, true
	case hasPrefix(t, "× No solution found", "× Failed to ", "× "):
		return mark{class: Failure, opens: true}, true
	case hasPrefix(s, "Because ", "So, because ", "And because "):
		return mark{class: Failure, opens: true, joins: true}, true
	case hasPrefix(s, " + ", " - ", " ~ "):
		p.rows++
		return mark{class: Keep.unless(p.rows > uvRows, Good)}, true
	case hasPrefix(t, "- Installing ", "• Installing ", "- Updating ", "• Updating ", "- Removing ", "• Removing ", "- Downgrading ", "• Downgrading "):
		if strings.HasSuffix(s, "Failed") {
			return mark{class: Failure, opens: true}, true
		}
		return mark{class: Good}, true
	}
	return mark{}, false
}

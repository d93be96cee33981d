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
	}
	m, known := pipForms.mark(s)
	if known && hasPrefix(s, " + ", " - ", " ~ ") {
		p.rows++
		m.class = Keep.unless(p.rows > uvRows, Good)
	}
	return m, known
}

var pipForms = forms{
	{class: Good, inset: words{"note: This ", "hint: See above", "╰─> See above", "× Encountered error while", "To fix this you could try", "1. loosen the range", "2. remove package versions", "hint: See below"}},
	{class: Failure, opens: true, joins: true, start: words{"error: ", "ERROR: No matching", "ERROR: ResolutionImpossible"}},
	{class: Failure, opens: true, start: words{"ERROR: "}},
	{class: Folded, start: words{"WARNING: Running pip as the 'root' user"}},
	{class: Folded, inset: words{"[notice] "}},
	{class: Warn, key: "retry", inset: words{"WARNING: Retrying ("}},
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

// pipProgress reports whether a line tells only how far pip is.
func pipProgress(s string) bool {
	t := strings.TrimLeft(s, " ")
	if hasPrefix(t, "━", "╸", "|█", "Preparing metadata", "Installing build dependencies", "Getting requirements to build", "Building wheel for ", "Building editable for ", "Running setup.py ", "Running command ", "Checking if build backend", "Installing backend dependencies") {
		return !strings.Contains(s, "error")
	}
	return hasPrefix(t, "Collecting ", "Downloading ", "Using cached ", "Obtaining ", "Processing ", "Looking in ", "Created wheel for ", "Stored in directory: ", "Building wheels for ", "Installing collected packages: ",
		"Attempting uninstall: ", "Found existing installation: ", "Uninstalling ", "Successfully uninstalled ", "Not uninstalling ", "Can't uninstall ", "INFO: pip is looking at ", "INFO: This is taking longer", "Downloaded ", "Discarding ", "Link requires a different Python", "Ignoring ", "Added ", "Resolved https")
}

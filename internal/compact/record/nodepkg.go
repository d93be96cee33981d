package record

import "strings"

// nodePackages reads what pnpm, yarn 1, yarn 2 and later, and bun print while
// they install.
type nodePackages struct {
	section string // "dependencies:" of pnpm, "info Direct dependencies" of yarn
	rows    int    // packages listed in it
	box     bool   // in a box of pnpm's
	notice  bool   // which only tells of a new version
	changed int    // lines of yarn's lock file that an immutable install would change
	frozen  bool   // what the lock file says is installed: the list is no news
}

const (
	listed    = 4 // packages shown of a list of what was installed
	lockLines = 8 // lines shown of a diff of a lock file
)

func (p *nodePackages) line(s string) (mark, bool) {
	t := strings.TrimLeft(s, " ")
	if strings.HasPrefix(s, "➤ YN") {
		return p.yarnBerry(s), true
	}
	if strings.HasPrefix(t, "╭") || p.box {
		return p.boxed(t), true
	}
	p.frozen = p.frozen || strings.HasPrefix(s, "Lockfile is up to date, ")
	switch {
	case hasPrefix(s, "Progress: resolved "), strings.Trim(s, "+-") == "", hasPrefix(s, "Lockfile is up to date, ", "Resolving dependencies", "Resolved, downloaded", "Downloading "):
		return mark{class: Good}, true
	case hasPrefix(s, "Packages: ", "Already up to date", "Done in ", "Scope: ", "success ", "Saved lockfile", "Checked ", "Blocked "), counted(s, "package installed", "packages installed", "package removed", "packages removed"):
		p.section = ""
		return mark{class: Keep}, true
	case hasPrefix(s, "dependencies:", "devDependencies:", "optionalDependencies:", "peerDependencies:", "info Direct dependencies", "info All dependencies"):
		p.section, p.rows = s, 0
		if strings.HasPrefix(s, "info All") {
			p.rows = listed
			return mark{class: Good}, true
		}
		return mark{class: Keep.unless(p.frozen, Good)}, true
	case hasPrefix(s, "+ ", "- ", "├─ ", "└─ ") && (p.section != "" || strings.ContainsAny(s, "@.")):
		p.rows++
		return mark{class: Keep.unless(p.rows > listed || p.frozen, Good)}, true
	case hasPrefix(t, "ERR_PNPM_", "ELIFECYCLE "):
		return mark{class: Failure, opens: true}, true
	case hasPrefix(t, "WARN  ", "WARN\u2009"):
		return nodeWarning(strings.TrimSpace(t[4:])), true
	case hasAny(s, "install$ ", "prepare$ ", "install: Done", "prepare: Done"):
		return mark{class: Good}, true
	case hasAny(s, "install: Failed", "prepare: Failed"):
		return mark{class: Failure}, true
	}
	return yarnClassic(s)
}

// boxed reads a line of a box: a warning, or news of the tool itself.
func (p *nodePackages) boxed(t string) mark {
	was := p.box
	p.box = !strings.HasPrefix(t, "╰")
	text := strings.Trim(t, "╭╮╰╯│─ ")
	if !was {
		p.notice = false
	}
	p.notice = p.notice || strings.Contains(text, "Update available")
	switch {
	case text == "" || text == "Warning":
		return mark{class: Folded}
	case p.notice:
		return mark{class: Good}
	}
	return mark{class: Warn, joins: true}
}

// nodeWarning reads a warning without its label.
func nodeWarning(s string) mark {
	if strings.HasSuffix(s, ": No license field") {
		return mark{class: Good}
	}
	if rest, ok := strings.CutPrefix(s, "deprecated "); ok {
		name, _, _ := strings.Cut(rest, ": ")
		return mark{class: Warn, key: "deprecated", site: name}
	}
	if i := strings.Index(s, ": "); i > 0 && strings.Contains(s, " > ") { // yarn: the path of the package
		path := strings.Trim(s[:i], `"`)
		return mark{class: Warn, key: "deprecated", site: path[strings.LastIndexByte(path, ' ')+1:]}
	}
	if i := strings.Index(s, " has unmet peer dependency "); i > 0 {
		return mark{class: Warn, key: "unmet peer", site: strings.Trim(s[i+len(" has unmet peer dependency "):], `". `)}
	}
	return mark{class: Warn, key: s, opens: strings.HasSuffix(s, ":") || strings.HasPrefix(s, "Issues with peer")}
}

// yarnClassic reads yarn 1, and bun, whose messages look the same.
func yarnClassic(s string) (mark, bool) {
	switch {
	case hasPrefix(s, "yarn install v", "yarn add v", "yarn remove v", "yarn upgrade v", "bun install v", "bun add v", "bun remove v", "info Visit ", "info No lockfile found", "info If you think this is a bug"),
		len(s) > 5 && s[0] == '[' && s[2] == '/' && s[4] == ']':
		return mark{class: Good}, true
	case strings.HasPrefix(s, "warning "):
		return nodeWarning(s[len("warning "):]), true
	case hasPrefix(s, "warn: "):
		return mark{class: Warn, key: s}, true
	case hasPrefix(s, "info There appears to be trouble"):
		return mark{class: Warn, key: "network"}, true
	case hasPrefix(s, "error ", "error: "):
		return mark{class: Failure, opens: true}, true
	}
	return mark{}, false
}

// yarnBerry reads "➤ YN0002: │ text" of yarn 2 and later. The codes are those
// of its documentation of error codes.
func (p *nodePackages) yarnBerry(s string) mark {
	code, text, _ := strings.Cut(strings.TrimPrefix(s, "➤ "), ": ")
	text = strings.TrimLeft(text, "│ ")
	switch code {
	case "YN0000":
		switch {
		case hasAny(text, "Done", "Failed"):
			return mark{class: Keep}
		case hasPrefix(text, "┌", "└", "Completed", "::", "· Yarn ", "@@ -"), p.changed > 0, text == "":
			p.changed += strings.Count(text, "@@ -") // the diff of the lock file, up to its last line
			return mark{class: Good}
		}
		return mark{class: Keep, key: text}
	case "YN0007", "YN0008", "YN0013", "YN0019", "YN0085", "YN0088":
		return mark{class: Good}
	case "YN0028":
		if hasPrefix(text, "+", "-") {
			depth := leading(text[1:])
			if p.changed++; p.changed > lockLines || depth == 2 { // its version, resolution and checksum
				return mark{class: Good}
			}
			return mark{class: Failure, joins: true}
		}
		p.changed = 0
		return mark{class: Failure, key: s}
	case "YN0001", "YN0009", "YN0010", "YN0015", "YN0016", "YN0018", "YN0020", "YN0022", "YN0027", "YN0035", "YN0041", "YN0062", "YN0071", "YN0078", "YN0080", "YN0082":
		return mark{class: Failure, key: s}
	}
	return mark{class: Warn, key: code, site: word(text)}
}

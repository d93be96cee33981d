package record

import "strings"

// npm reads what npm install, ci, audit, ls and their like print: lines under
// the label of a level ("npm error", "npm ERR!" before npm 10), and the
// result. pnpm, yarn and bun are in nodepkg.go; npm's scripts print among them.
type npm struct {
	usage   bool // the help that npm prints below a usage error
	report  bool // the path of a report follows
	locks   int  // entries of the lock file that do not fit
	missing bool // a 404 said what was not found
	warning string
	audit   bool // in the report of npm audit
	other   nodePackages
	script  scriptLines
}

const (
	npmLocks  = 5  // entries of the lock file shown whole
	npmDirect = 80 // packages shown of a tree
)

func newNpm() *install { return &install{read: (&npm{}).line} }

func (p *npm) line(s string) (mark, bool) {
	level, rest, ok := npmLabel(s)
	if ok {
		return p.labelled(level, rest), true
	}
	p.usage, p.report, p.warning = false, false, ""
	switch {
	case hasPrefix(s, "added ", "removed ", "changed ", "up to date", "audited ", "found "), counted(s, "vulnerabilit", "package are", "packages are"):
		if strings.Contains(s, "looking for funding") {
			return mark{class: Folded}, true
		}
		p.audit = false
		return mark{class: Keep}, true
	case hasPrefix(s, "  run `npm ", "  npm audit fix", "To address ", "Some issues need review", "Run `npm audit`", "a different dependency."):
		return mark{class: Folded}, true
	case s == "# npm audit report":
		p.audit = true
		return mark{class: Good}, true
	case p.audit:
		return mark{class: Keep.unless(indented(s) || hasPrefix(s, "node_modules/", "Depends on vulnerable"), Good)}, true
	}
	if m, ok := p.other.line(s); ok {
		return m, true
	}
	class, ok := p.script.class(s)
	return mark{class: class}, ok
}

// labelled reads a line under a label.
func (p *npm) labelled(level, rest string) mark {
	if level != "warn" {
		p.warning = ""
	}
	switch level {
	case "error", "ERR!":
		return p.fault(rest)
	case "warn", "WARN":
		return p.warn(rest)
	}
	return mark{class: Good}
}

// fault reads a line of an error.
func (p *npm) fault(s string) mark {
	t := strings.TrimSpace(s)
	code, text, _ := strings.Cut(t, " ")
	if code != "404" && code != "code" {
		text = t
	}
	switch {
	case strings.TrimSpace(text) == "" || t == "404",
		t == "ERESOLVE unable to resolve dependency tree",          // as the code says
		hasPrefix(t, "node_modules/") && !strings.Contains(t, " "), // of the package named above
		p.missing && hasAny(t, "could not be found or you do not have permission", " is not in this registry"):
		return mark{class: Folded}
	case p.usage, hasPrefix(t, "gyp info ", "gyp verb ", "gyp http "):
		return mark{class: Good}
	case hasPrefix(t, "A complete log of this run"), p.report, // what npm says of every error
		hasPrefix(text, "Note that you can also install from a", "tarball, folder, http url, or git url."),
		hasPrefix(t, "Fix the upstream dependency conflict, or retry", "this command with --force", "to accept an incorrect (and potentially broken)"),
		hasPrefix(t, "notarget In most cases you or one of your dependencies", "notarget a package version that doesn't exist", "To see a list of scripts, run:"), t == "npm run":
		p.report = false
		return mark{class: Folded}
	case t == "Usage:":
		p.usage = true
		return mark{class: Good}
	case hasPrefix(t, "For a full report see:", "A debug log of this run", "Log files were not written"):
		p.report = strings.HasSuffix(t, ":")
		return mark{class: Folded}
	case hasPrefix(t, "Missing: ", "Invalid: ") && strings.Contains(t, "lock file"):
		if p.locks++; p.locks > npmLocks {
			return mark{class: Keep, key: code, site: word(text[len(code):])}
		}
	}
	p.missing = p.missing || strings.HasPrefix(t, "404 Not Found - ")
	return mark{class: Failure, joins: true}
}

// warn reads a line of a warning; those that follow without a code of their
// own belong to it.
func (p *npm) warn(s string) mark {
	code := word(s)
	switch {
	case strings.TrimSpace(s) == code && code != "deprecated": // no text: a blank line
		return mark{class: Folded}
	case hasPrefix(s, "EBADENGINE Unsupported engine", "EBADENGINE }"): // the lines between say which
		p.warning = ""
		return mark{class: Folded}
	case strings.HasPrefix(s, "install-scripts Run `npm"):
		return mark{class: Good}
	case code == "deprecated":
		p.warning = ""
		text := strings.TrimPrefix(s, "deprecated ")
		name, _, _ := strings.Cut(text, ": ")
		return mark{class: Warn, key: "deprecated", site: name}
	}
	first := !strings.HasPrefix(s, code+" ") && strings.HasPrefix(s, " ")
	sub := strings.HasPrefix(strings.TrimPrefix(s, code), "  ") || strings.TrimPrefix(s, code) == " }"
	if p.warning != "" && (first || code == p.warning && sub || p.warning == "ERESOLVE" && code != "ERESOLVE") {
		return mark{class: Warn, joins: true}
	}
	same := p.warning == code
	p.warning = code
	if same && code == "install-scripts" {
		return mark{class: Warn, joins: true}
	}
	_, pkg, _ := strings.Cut(s, " package: ")
	return mark{class: Warn, key: npmWarnKey(s), site: strings.Trim(pkg, "',")}
}

// npmWarnKey makes warnings of one kind equal.
func npmWarnKey(s string) string {
	if code := word(s); oneOf(code, "EBADENGINE", "ERESOLVE", "tar", "cleanup", "skipping") {
		return code
	}
	return s
}

// npmLabel splits off "npm error ", "npm WARN " and the like.
func npmLabel(s string) (level, rest string, ok bool) {
	t, ok := strings.CutPrefix(s, "npm ")
	if !ok {
		return "", "", false
	}
	level, rest, _ = strings.Cut(t, " ")
	return level, rest, oneOf(level, "error", "ERR!", "warn", "WARN", "http", "info", "verb", "verbose", "sill", "silly", "timing", "notice")
}

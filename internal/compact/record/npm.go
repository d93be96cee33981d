package record

import "strings"

// npm reads what npm install, ci, audit, ls and their like print: lines under
// the label of a level ("npm error", "npm ERR!" before npm 10), and the
// result. pnpm, yarn and bun are nodePackages; npm's scripts print among them.
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
	npmLocks = 2 // entries of the lock file shown whole
	npmNamed = 8 // and named
)

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
		hasPrefix(t, "node_modules/") && !strings.Contains(t, " "), // of the package named above
		oneOf(t, "Clean install a project", "Install a package", "command failed", "Please make sure you have the correct access rights", "and the repository exists."),
		hasPrefix(t, "errno ", "syscall "), strings.HasSuffix(t, "This is related to npm not being able to find a file."), strings.HasPrefix(t, "enoent") && t == code,
		p.missing && hasAny(t, "could not be found or you do not have permission", " is not in this registry"):
		return mark{class: Folded}
	case p.usage:
		return mark{class: Folded}
	case hasPrefix(t, "gyp info ", "gyp verb ", "gyp http "):
		return mark{class: Good}
	case hasPrefix(t, "A complete log of this run"), p.report, // what npm says of every error
		hasPrefix(text, "Note that you can also install from a", "tarball, folder, http url, or git url."),
		hasPrefix(t, "Fix the upstream dependency conflict, or retry", "this command with --force", "to accept an incorrect (and potentially broken)"),
		hasPrefix(t, "notarget In most cases you or one of your dependencies", "notarget a package version that doesn't exist", "To see a list of scripts, run:"), t == "npm run":
		p.report = false
		return mark{class: Folded}
	case t == "Usage:":
		p.usage = true
		return mark{class: Folded}
	case hasPrefix(t, "For a full report see:", "A debug log of this run", "Log files were not written"):
		p.report = strings.HasSuffix(t, ":")
		return mark{class: Folded}
	case hasPrefix(t, "Missing: ", "Invalid: ") && strings.Contains(t, "lock file"):
		switch p.locks++; {
		case p.locks > npmNamed+1:
			return mark{class: Keep, key: "lock"}
		case p.locks > npmNamed:
			return mark{class: Keep, key: "lock", site: "others"}
		case p.locks > npmLocks:
			_, entry, _ := strings.Cut(t, ": ")
			return mark{class: Keep, key: "lock", site: word(strings.TrimPrefix(entry, "lock file's "))}
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
	case strings.HasPrefix(s, "EBADENGINE Unsupported engine"): // the lines below say which
		p.warning = ""
		return mark{class: Folded}
	case strings.HasPrefix(s, "EBADENGINE }"), p.warning == "ERESOLVE" && (s == "Could not resolve dependency:" || strings.HasPrefix(s, "node_modules/") || counted(strings.TrimLeft(s, " "), "more (")):
		return mark{class: Folded}
	case hasPrefix(s, "EBADENGINE   required:", "EBADENGINE   current:"):
		return mark{class: Warn, joins: true, glue: strings.TrimPrefix(s, "EBADENGINE  ")}
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
	m := mark{class: Warn, key: s, site: strings.Trim(pkg, "',")}
	if oneOf(code, "EBADENGINE", "ERESOLVE", "tar", "cleanup", "skipping") {
		m.key = code // of one kind
	}
	return m
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
	}
	if _, advice := nodeAdvice.mark(s); advice {
		return mark{class: Folded}, true
	}
	m, known := nodeForms.mark(s)
	switch m.key {
	case "WARN":
		m = nodeWarning(strings.TrimSpace(t[len("WARN"):]))
	case "warning":
		m = nodeWarning(s[len("warning "):])
	}
	return m, known
}

// nodeAdvice is what pnpm and yarn say below every fault of a kind.
var nodeAdvice = forms{
	{start: words{"This error happened while installing a direct dependency of ", "Note that in CI environments this setting is true by default.", "If you need the full list of all "}},
	{end: words{" is not in the npm registry, or you have no permission to fetch it."}},
}

// nodeForms are messages of pnpm, of yarn 1 and of bun, whose look the same.
var nodeForms = forms{
	{class: Failure, opens: true, inset: words{"ERR_PNPM_", "ELIFECYCLE "}},
	{key: "WARN", inset: words{"WARN  ", "WARN\u2009"}},
	{class: Good, has: words{"install$ ", "prepare$ ", "install: Done", "prepare: Done"}},
	{class: Failure, has: words{"install: Failed", "prepare: Failed"}},
	{class: Good, start: words{"yarn install v", "yarn add v", "yarn remove v", "yarn upgrade v", "bun install v", "bun add v", "bun remove v", "info Visit ", "info No lockfile found", "info If you think this is a bug"}},
	{class: Good, test: func(s string) bool { return len(s) > 5 && s[0] == '[' && s[2] == '/' && s[4] == ']' }},
	{key: "warning", start: words{"warning "}},
	{class: Warn, key: sameLine, start: words{"warn: "}},
	{class: Warn, key: "network", start: words{"info There appears to be trouble"}},
	{class: Failure, opens: true, start: words{"error ", "error: "}},
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

// packageTree is the parser for trees of packages: npm ls, pnpm ls, yarn
// list, cargo tree. Those the project itself names stay, and those that are
// missing or do not fit; what they need is counted.
type packageTree struct{}

func (p *packageTree) Line(l Line, emit Emit) {
	s := l.Text
	class := Keep
	switch deep := hasPrefix(s, "│", "|", "  "); {
	case strings.TrimSpace(s) == "":
		class = Folded
	case hasPrefix(s, "npm ") || hasAny(s, "UNMET DEP", "UNMET PEER", " invalid", " extraneous", "missing: ", "error: "):
		class = Keep
	case deep && hasAny(s, "├", "└", "|--", "`--", "+--"), strings.Contains(s, "UNMET OPTIONAL"):
		class = Good
	case hasPrefix(s, "├", "└", "+--", "`--", "|--"):
		emit.row(l)
		return
	}
	emit.line(class, l)
}

func (p *packageTree) Close(Emit) {}

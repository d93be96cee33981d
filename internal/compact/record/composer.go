package record

import "strings"

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

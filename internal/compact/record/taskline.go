package record

import "strings"

// turboName reports whether s is "@scope/name:task" or "name:task", and not a
// place in a file.
func turboName(s string) bool {
	name, scoped := strings.CutPrefix(s, "@")
	pkg, what, ok := strings.Cut(name, ":")
	if !ok || pkg == "" || what == "" || what[0]|0x20 < 'a' || what[0]|0x20 > 'z' {
		return false
	}
	slashes := strings.Count(pkg, "/")
	plain := strings.Trim(strings.ToLower(strings.Replace(pkg, "/", "", 1)), "abcdefghijklmnopqrstuvwxyz0123456789._-") == "" &&
		strings.Trim(strings.ToLower(what), "abcdefghijklmnopqrstuvwxyz0123456789._-:") == ""
	return plain && (pkg == "//" || slashes == 0 || scoped && slashes == 1)
}

// heading reads the line above a task's output: of nx "> nx run web:test", of
// turbo in groups "::group::web:test".
func heading(t string) (name string, ok bool) {
	name, ok = strings.CutPrefix(t, "> nx run ")
	if !ok {
		name, ok = strings.CutPrefix(t, "::group::")
	}
	project, _, _ := strings.Cut(name, ":")
	return project, ok
}

// sectionEnds reports whether a line after a heading is the runner's again.
func sectionEnds(t string) bool {
	_, head := heading(t)
	return head || t == "::endgroup::" || hasPrefix(t, "NX   ", "✔  nx run", "✖  nx run")
}

// taskLine knows what the runner says of a task behind its name.
func taskLine(rest string) (Class, bool) {
	switch {
	case hasPrefix(rest, "cache miss, executing", "cache bypass, force executing", "cache hit, replaying logs", "cache hit, suppressing logs"), rest == "Done":
		return Good, true
	case hasPrefix(rest, "ERROR: command finished with error"), rest == "Failed":
		return Keep, true
	}
	return Body, false
}

// runnerLine knows what the runner says of all of them.
func (p *Tasks) runnerLine(s, t string) (Class, bool) {
	p.naming = strings.HasPrefix(t, "NX   Running target") || p.naming && (t == "" || strings.HasPrefix(s, "- "))
	switch {
	case hasPrefix(t, "Tasks: ", "Failed: ", "NX   Successfully ran", "NX   Ran target", "lerna success "):
		p.listing = false
		return Keep, true
	case hasPrefix(t, "NX   ") && strings.Contains(t, "failed"), t == "Failed tasks:", hasPrefix(t, "ERROR  run failed", "lerna ERR!", "✖  nx run", "✖    ", "ERR_PNPM_RECURSIVE_"):
		p.listing = true
		return Keep, true
	case p.listing && strings.HasPrefix(s, "- "):
		return Keep, true
	case p.naming && strings.HasPrefix(s, "- ") && len(t) > 2:
		p.names[t[2:]] = true
		return Good, true
	case hasPrefix(t, "• ", "Cached: ", "Time: ", "NX   Running target", "✔  ", "Run duration: ", "Cache: ", "Critical path: ", "Recoverable time: ", "Output of ", "::endgroup::", "Scope: ", "lerna notice ", "lerna info ", "Hint: run the command with --verbose", "Nx read the output from the cache", "turbo "), strings.Trim(t, "—-─") == "" && t != "":
		return Good, true
	case strings.Contains(t, "$ ") && strings.Count(t[:strings.Index(t, "$ ")], " ") == 1: // pnpm: "packages/db build$ tsc"
		p.names[t[:strings.Index(t, "$ ")]] = true
		return Good, true
	case strings.HasSuffix(t, ")") && strings.Contains(t, ":  ERROR  command ("), strings.Contains(t, ":  WARNING  command finished with error"):
		return Good, true // the end names them as failed
	}
	return Body, false
}

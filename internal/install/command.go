package install

import (
	"slices"
	"strings"

	"cairn/internal/host"
)

// hookCommand is the command line of a hook, for a POSIX shell. On Windows
// hosts use the shell of Git, which wants slashes.
func hookCommand(binary, hostName string) string {
	quoted := strings.NewReplacer(`\`, `\\`, `$`, `\$`, "`", "\\`", `"`, `\"`).Replace(slashed(binary))
	return `"` + quoted + `" hook ` + hostName
}

// slashed is a path of Windows with slashes. In any other a backslash is part
// of a name.
func slashed(path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return strings.ReplaceAll(path, `\`, "/")
}

// binaryOf is the inverse: the binary that a hook's command line names, or ""
// when it is not a cairn hook for this host.
func binaryOf(command, hostName string) string {
	words, ok := strings.CutSuffix(strings.TrimSpace(command), " hook "+hostName)
	if !ok {
		return ""
	}
	words = strings.TrimSpace(words)
	if n := len(words); n > 1 && (words[0] == '"' || words[0] == '\'') && words[n-1] == words[0] {
		words = words[1 : n-1]
	}
	binary := strings.NewReplacer(`\\`, `\`, `\$`, `$`, "\\`", "`", `\"`, `"`).Replace(words)
	base := strings.ReplaceAll(binary, `\`, "/")
	base = strings.TrimSuffix(base[strings.LastIndex(base, "/")+1:], ".exe")
	if base != "cairn" {
		return ""
	}
	return binary
}

// commandOf returns the test of whether a command is ours: one that install
// wrote, or any that names a cairn binary and this host.
func commandOf(h host.Host, rec *Record) func(string) bool {
	return func(command string) bool {
		return rec != nil && slices.Contains(rec.Commands, command) || binaryOf(command, h.Name) != ""
	}
}

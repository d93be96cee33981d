package benchmark

import (
	"path/filepath"
	"strings"

	"cairn/internal/compact/shell"
	"cairn/internal/redact"
	"cairn/internal/transcript"
)

// A cluster is calls of one tool and one kind of command.
type cluster struct{ tool, pattern string }

// String is the cluster for a reader: "go test", "Read *.lock".
func (k cluster) String() string {
	if k.tool == bash && k.pattern != "" {
		return k.pattern
	}
	return strings.TrimSpace(k.tool + " " + k.pattern)
}

const bash = "Bash"

func clusterOf(c *transcript.Call) cluster {
	k := cluster{tool: c.Tool}
	switch {
	case c.Command != "":
		k.pattern = commandPattern(c.Command)
	case c.File != "":
		name := c.File[strings.LastIndexAny(c.File, `/\`)+1:]
		if k.pattern = name; filepath.Ext(name) != "" {
			k.pattern = "*" + filepath.Ext(name)
		}
	}
	return k
}

// operands are commands whose next word is what they work on, not what they do.
const operands = " cat head tail ls grep rg ag find tree wc du df sed awk jq echo printf sort which diff file stat seq python node ruby perl bash sh zsh php cp mv rm cd test sleep ps env curl wget open xxd tee "

// commandPattern is the command that decides what an output is, by its name
// and what it was told to do: "git diff", "npm run build", "pytest". It is
// shown and names files, so no secret may be in it.
func commandPattern(cmd string) string {
	call, ok := shell.Parse(redact.Text(cmd)).Last()
	if !ok {
		return "(silent)"
	}
	words := call.Words()
	pattern := words[0]
	if pattern == "" {
		return "(shell)"
	}
	if strings.Contains(operands, " "+pattern+" ") {
		return pattern
	}
	for i := 1; i < len(words) && isVerb(words[i]); i++ {
		pattern += " " + words[i]
		if words[i] != "run" && words[i] != "exec" {
			break
		}
	}
	return pattern
}

// isVerb reports whether a word looks like a subcommand and not like a file,
// a number or a text.
func isVerb(word string) bool {
	if len(word) > 24 || word[0] < 'a' || word[0] > 'z' {
		return false
	}
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-_:") == ""
}

// slug is the cluster as part of a file's name.
func (k cluster) slug() string {
	var b strings.Builder
	for _, r := range strings.ToLower(k.String()) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
		if b.Len() >= 40 {
			break
		}
	}
	return strings.Trim(b.String(), "_")
}

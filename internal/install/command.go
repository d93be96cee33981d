package install

import (
	"slices"
	"strconv"
	"strings"

	"cairn/internal/host"
	"cairn/internal/install/render"
)

// A caller is how the hooks in one target call us.
type caller struct {
	host   host.Host
	binary string      // its path, or homeBinary
	only   []host.Part // what the host takes of these is what is called for
}

// homeBinary is where the binary is on every machine of a team.
const homeBinary = "$HOME/.cairn/bin/cairn"

// caller returns how hooks of some parts call us from t.
func (m Machine) caller(t Target, parts []host.Part) caller {
	called := slices.DeleteFunc(slices.Clone(parts), func(p host.Part) bool { return p == host.Telemetry })
	c := caller{t.Host, m.Binary(), called}
	if t.Local() {
		c.binary = homeBinary
	}
	return c
}

// words are what follows the binary: the host, and the part when it is one of
// two.
func (c caller) words() []string {
	words := []string{c.host.Name}
	if len(c.only) == 1 {
		words = append(words, "--only", string(c.only[0]))
	}
	return words
}

// command is the command line of a hook, for a POSIX shell. On Windows hosts
// use the shell of Git, which wants slashes.
func (c caller) command() string {
	binary := c.binary
	if binary != homeBinary {
		binary = strings.NewReplacer(`\`, `\\`, `$`, `\$`, "`", "\\`", `"`, `\"`).Replace(slashed(binary))
	}
	return `"` + binary + `" hook ` + strings.Join(c.words(), " ")
}

// fill replaces the placeholders of a row's text, see host.Host.Own.
func (c caller) fill(text string) string {
	command, binary := c.command(), render.Quoted(slashed(c.binary))
	if c.binary == homeBinary {
		binary = `(process.env.HOME || process.env.USERPROFILE) + "` + strings.TrimPrefix(homeBinary, "$HOME") + `"`
	}
	var words []string
	for _, w := range c.words() {
		words = append(words, render.Quoted(w))
	}
	return strings.NewReplacer(
		`"@host@"`, strings.Join(words, ", "), `"@binary@"`, binary,
		`"@command@"`, render.Quoted(command), `"@powershell@"`, render.Quoted("& "+command),
		`"@timeout@"`, strconv.FormatInt(c.host.Timeout.Milliseconds(), 10),
	).Replace(text)
}

// headers is the command line that prints the headers of telemetry.
func (c caller) headers(server string) string {
	line, _, _ := strings.Cut(c.command(), " hook ")
	return line + " sync otlp-headers " + server
}

// slashed is a path of Windows with slashes. In any other a backslash is part
// of a name.
func slashed(path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return strings.ReplaceAll(path, `\`, "/")
}

// binaryOf is the inverse of command: the binary that a hook's command line
// names, or "" when it is not a cairn hook for this host, with whatever words.
func binaryOf(command, hostName string) string {
	at := strings.LastIndex(command, " hook "+hostName)
	if at < 0 {
		return ""
	}
	if rest := command[at+len(" hook "+hostName):]; rest != "" && rest[0] != ' ' || strings.ContainsAny(rest, "|&;<>()$`") {
		return ""
	}
	words := strings.TrimSpace(command[:at])
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

// wordsOf is what follows the binary and "hook" in a command of ours.
func wordsOf(command string) string {
	return strings.TrimSpace(command[strings.LastIndex(command, " hook ")+1:])
}

// commandOf returns the test of whether a command is ours: one that install
// wrote, or any that names a cairn binary and this host.
func commandOf(h host.Host, rec *Record) func(string) bool {
	return func(command string) bool {
		return rec != nil && slices.Contains(rec.Commands, command) || binaryOf(command, h.Name) != ""
	}
}

package wire

import "fmt"

// What holds a token says in print only what it is: a log line or an error that
// somebody adds one day must not give it away. JSON has it.

// Format implements [fmt.Formatter].
func (s Session) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "session of %s", s.User.Email) }

// Format implements [fmt.Formatter].
func (t Token) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "token %s…", t.Prefix) }

// Format implements [fmt.Formatter].
func (n NewOwner) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "claim of %s", n.Email) }

// Format implements [fmt.Formatter].
func (g GitHubToken) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "workflow's token for %q", g.Team) }

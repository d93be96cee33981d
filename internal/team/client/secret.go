package client

import "fmt"

// What holds a token says in print only what it is: see wire.

// Format implements [fmt.Formatter].
func (s Session) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "session of %s", s.Email) }

// Format implements [fmt.Formatter].
func (c CI) Format(f fmt.State, _ rune) {
	if c.Given() {
		fmt.Fprint(f, "credentials for CI")
		return
	}
	fmt.Fprint(f, "no credentials for CI")
}

// Format implements [fmt.Formatter].
func (c *Client) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "client of %s", c.base) }

// Format implements [fmt.Formatter].
func (ch Challenge) Format(f fmt.State, _ rune) { fmt.Fprint(f, "challenge") }

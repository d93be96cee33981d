// Package upcmd declares `cairn up` and `cairn down`: the team server of this
// machine is started, the repository gets a team on it, and what it knows is
// collected; and all of that is undone.
//
// Only package cli imports it. What runs, and whether it answers, package local
// says; the server itself is servecmd's.
package upcmd

import (
	"fmt"
	"os"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/local"
	"cairn/internal/team/server"
	"cairn/internal/term"
)

// Commands lists both.
func Commands() []*command.Command { return []*command.Command{upCommand(), downCommand()} }

// A machine is where the server of cairn up is.
type machine struct {
	*command.Call
	home  home.Home
	place server.Place
}

func machineOf(c *command.Call) machine {
	h := home.Find(c.Getenv)
	return machine{c, h, server.Place{Dir: h.Server()}}
}

// ownKey is the public key of the server whose data this machine has, "" where
// there are none or they cannot be read.
func (m machine) ownKey() string {
	st, err := server.Join(m, m.place)
	if err != nil {
		return ""
	}
	defer st.Close()
	keys, err := server.Keys(m, st.DB, nil, "")
	if err != nil {
		return ""
	}
	key, _ := keys.Public(db.Anon)
	return key
}

// busy is the error of a server that has the data and does not answer.
func (m machine) busy(state local.State) error {
	return term.Hint(fmt.Errorf("a process has %s, probably %d, and does not answer at %s", m.place.Dir, state.PID, term.Line(state.URL)),
		"nothing was done to it; where ps calls it cairn serve, end it and run this again")
}

// forget removes the session with an address of the server.
func (m machine) forget(url string) error {
	c, err := client.Open(client.Options{URL: url, Home: m.home})
	if err != nil {
		return err
	}
	return c.Forget(m)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

//go:build unix

package child

import (
	"os"

	"golang.org/x/sys/unix"
)

// proc is a process; the same pid with the same start is the same process.
type proc struct {
	pid   int
	start string
}

// treeOf lists what belongs to a tool: the descendants of the
// process root (0: it has ended), those of known that still run with their
// descendants, and orphans that write to output. Who has left our session
// is a daemon and meant to live.
func treeOf(root int, known []proc, output os.FileInfo) []proc {
	member := map[int]bool{root: root != 0}
	was := map[proc]bool{}
	for _, p := range known {
		was[p] = true
	}
	all := processes()
	session, _ := unix.Getsid(0)
	for p := range all {
		if s, err := unix.Getsid(p.pid); err != nil || s != session || p.pid == os.Getpid() {
			delete(all, p)
		}
	}
	var tree []proc
	join := func(p proc) {
		if !member[p.pid] {
			member[p.pid] = true
			tree = append(tree, p)
		}
	}
	for p := range all {
		if was[p] || writesTo(p.pid, output) && p.pid != root {
			join(p)
		}
	}
	for grown := true; grown; {
		before := len(tree)
		for p, parent := range all {
			if member[parent] {
				join(p)
			}
		}
		grown = len(tree) > before
	}
	return tree
}

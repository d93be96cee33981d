package pgtest

import (
	"errors"
	"path/filepath"
)

// errOthers says that a cluster is not this process's alone.
var errOthers = errors.New("only a cluster that Start made can be stopped or restarted")

// Down stops the cluster as a crash does; its files stay, and Restart starts it again.
func (c *Cluster) Down() error {
	if c.dir == "" {
		return errOthers
	}
	c.flush()
	return c.run("pg_ctl", "-D", filepath.Join(c.dir, "data"), "-w", "-m", "immediate", "stop")
}

// flush puts the log on the disk: a cluster of tests answers before that, and
// what it answered must outlive its crash. One that is down has nothing to put.
func (c *Cluster) flush() {
	_, _ = c.admin.Exec("checkpoint")
}

// Restart ends every connection and starts the cluster again.
func (c *Cluster) Restart() error {
	if c.dir == "" {
		return errOthers
	}
	c.flush()
	return c.run("pg_ctl", "-D", filepath.Join(c.dir, "data"), "-l", filepath.Join(c.dir, "log"), "-w", "-m", "immediate", "restart")
}

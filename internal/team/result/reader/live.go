package reader

import (
	"cairn/internal/team/live"
	"cairn/internal/team/result"
)

// readLive reads what a runner wrote for cairn eval watch. Its unit is the
// line, in the order in which tests began.
func readLive(data []byte, c *collector) (*result.Run, error) {
	run, warnings, err := live.Read(data)
	for _, w := range warnings {
		c.warn("%s", w)
	}
	return run, err
}

package reader

import "cairn/internal/team/result"

const v1Name = "cairn v1"

// readV1 reads the format of our own. Its unit is the file, its order kept.
func readV1(data []byte, c *collector) (*result.Run, error) {
	run, warnings, err := result.Decode(data)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		c.warn("%s", w)
	}
	return run, nil
}

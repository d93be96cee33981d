package cli

import (
	"os"

	"cairn/internal/child"
)

// detach starts this program with other arguments, in a session of its own and
// without a terminal. CAIRN_SYNC_BACKGROUND=0 says that nothing may be left
// running.
func detach(args ...string) error {
	if os.Getenv("CAIRN_SYNC_BACKGROUND") == "0" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return child.Detach(self, args...)
}

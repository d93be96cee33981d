package install

import (
	"fmt"
	"os"
	"strings"
	"time"
)

const (
	logLines = 5
	logAge   = 7 * 24 * time.Hour
)

// CheckLog shows the last lines of the log that hooks write when something
// went wrong and they let the original output pass.
func (m Machine) CheckLog() []Check {
	name := m.Home.HookLog()
	fi, err := os.Stat(name)
	if err != nil || time.Since(fi.ModTime()) > logAge {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return []Check{{Name: "log", Status: Warn, Detail: err.Error()}}
	}
	all := strings.Split(strings.TrimSpace(string(data)), "\n")
	if all[0] == "" {
		return nil
	}
	return []Check{{Name: "log", Status: Warn, Detail: fmt.Sprintf("%s has errors of the last days", name),
		Lines: all[max(0, len(all)-logLines):]}}
}

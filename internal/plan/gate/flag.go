package gate

import (
	"fmt"
	"strings"
)

// Flag reads a setting that turns a gate off, such as
// workflow.context_coverage_gate: absent is on, and so, with a warning, is
// what is neither true nor false.
func Flag(key string, value any) (on bool, warning string) {
	switch v := value.(type) {
	case nil:
		return true, ""
	case bool:
		return v, ""
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true":
			return true, ""
		case "false":
			return false, ""
		}
	}
	return true, fmt.Sprintf("%s is %v, want true or false; the gate is on", key, value)
}

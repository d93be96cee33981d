package wire

// Process answers [Own]: what the process that serves is.
type Process struct {
	PID     int    `json:"pid"`
	Version string `json:"version"`
	AnonKey string `json:"anon_key"`
}

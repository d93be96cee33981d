package server

import "time"

// forget has the next request look again.
func (r *readiness) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = time.Time{}
}

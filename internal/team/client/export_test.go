package client

import "time"

// Patient makes a drain wait so long for each delivery, however slow the machine is.
func (d *Drain) Patient(patience time.Duration) *Drain {
	d.patience = patience
	return d
}

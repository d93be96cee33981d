// Package account keeps users, their sessions and what proves them.
package account

import "cairn/internal/team/db"

// Accounts of a database.
type Accounts struct {
	db *db.DB
}

// New returns the accounts of a database.
func New(d *db.DB) *Accounts { return &Accounts{db: d} }

package db

import (
	"crypto/sha256"
	"encoding/hex"
)

// Hashed is what a token is kept as: its SHA-256 in hex.
func Hashed(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Command release writes the page that `cairn update` reads, release.json, out
// of a release's checksums. goreleaser runs it and uploads what it writes:
//
//	go run ./scripts/release VERSION CHECKSUMS PAGE
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"cairn/internal/update"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: release VERSION CHECKSUMS PAGE")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func write(version, checksums, page string) error {
	f, err := os.Open(checksums)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	r, err := update.PageOf(version, f)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(page, append(data, '\n'), 0o644)
}

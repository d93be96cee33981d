// The command seed makes a data directory of `cairn serve` with five made-up
// teams and two years of their work:
//
//	go run ./scripts/seed DIR
//	cairn serve --data DIR
//	cairn serve user link ada@example.com --data DIR
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/server"
	"cairn/test/seed"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: seed DIR")
		os.Exit(2)
	}
	if err := fill(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "seed:", err)
		os.Exit(1)
	}
	fmt.Printf("cairn serve --data %s\ncairn serve user link %s --data %s\n", os.Args[1], seed.Owner, os.Args[1])
}

func fill(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	ctx := context.Background()
	d, err := db.Open(ctx, server.Place{Dir: dir}.Embedded(), db.Options{})
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := d.Migrate(ctx, false); err != nil {
		return err
	}
	_, err = seed.Fill(ctx, d, time.Now())
	return err
}

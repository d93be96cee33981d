// Cairn keeps what a team of people and coding agents loses each day: the
// agent's context, the plan, and what was learnt. This package is only the
// entry point; everything lives in internal (see ARCHITECTURE.md).
package main

import (
	"os"

	"cairn/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args)) }

module cairn

go 1.26.0

require (
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // JSON of strangers: no double names, unknown members kept, a path in every error; no release has a tag
	github.com/goccy/go-yaml v1.19.2 // eval cases, with line and column in errors; in tests, that our frontmatter reader and a YAML parser agree
	github.com/gofrs/flock v0.13.1 // the kernel lock of a planning directory, on every system
	github.com/klauspost/compress v1.20.3 // Zstandard, with which current versions of Inspect AI pack their logs
	github.com/pelletier/go-toml/v2 v2.4.3 // config.toml, with line numbers in its errors
	github.com/rogpeppe/go-internal v1.16.0 // unified diffs of --dry-run; in tests testscript, what a user sees, one file per story
	github.com/spf13/cobra v1.10.2 // commands, help and completion; flags anywhere on the line
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // reads settings.json with comments and trailing commas, byte positions kept
	golang.org/x/sys v0.49.0 // signals, process groups, Windows
	golang.org/x/term v0.47.0 // is this a terminal, and how wide
	mvdan.cc/sh/v3 v3.14.1 // parses the shell command that produced an output
)

// Tests only.
require (
	github.com/chromedp/cdproto v0.159.0 // what chromedp and Chromium say to each other
	github.com/chromedp/chromedp v0.22.1 // pages in a headless Chromium
	github.com/creack/pty v1.1.24 // a real terminal for `cairn run`
	github.com/google/jsonschema-go v0.4.3 // that rules and their JSON Schema agree
)

require github.com/spf13/pflag v1.0.9

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	golang.org/x/tools v0.38.0 // indirect
)

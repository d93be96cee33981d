module cairn

go 1.26.0

require (
	github.com/VictoriaMetrics/easyproto v1.2.0 // protobuf, read and written without descriptors: those of google.golang.org/protobuf are registered when a process starts
	github.com/boombuler/barcode v1.1.0 // the QR code of a second factor
	github.com/coreos/go-oidc/v3 v3.21.0 // ID tokens of providers and of CI, and their keys
	github.com/cpuguy83/go-md2man/v2 v2.0.7 // man pages
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // JSON of strangers: no double names, unknown members kept, a path in every error; no release has a tag
	github.com/goccy/go-yaml v1.19.2 // eval cases, with line and column in errors; in tests, that our frontmatter reader and a YAML parser agree
	github.com/gofrs/flock v0.13.1 // the kernel lock of a planning directory, on every system
	github.com/golang-jwt/jwt/v5 v5.3.1 // access tokens, with the algorithm pinned
	github.com/google/jsonschema-go v0.4.3 // JSON Schema of eval cases, with the drafts and references of it; the MCP SDK has it in the binary already
	github.com/google/uuid v1.6.0 // UUIDs, also those made of a name (version 5)
	github.com/jackc/pgx/v5 v5.12.0 // PostgreSQL
	github.com/klauspost/compress v1.20.3 // Zstandard, with which current versions of Inspect AI pack their logs
	github.com/modelcontextprotocol/go-sdk v1.8.0 // the official SDK of the Model Context Protocol: versions, sessions, cancelling
	github.com/pelletier/go-toml/v2 v2.4.3 // config.toml, with line numbers in its errors
	github.com/pquerna/otp v1.5.0 // one-time passwords of a second factor (RFC 4226, 6238)
	github.com/rivo/uniseg v0.4.7 // how wide a terminal draws a text: letters of East Asia, emoji, accents
	github.com/rogpeppe/go-internal v1.16.0 // unified diffs of --dry-run; in tests testscript, what a user sees, one file per story
	github.com/spf13/cobra v1.10.2 // commands, help and completion; flags anywhere on the line
	github.com/spf13/pflag v1.0.9 // flags of a declared command
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // reads settings.json with comments and trailing commas, byte positions kept
	github.com/wneessen/go-mail v0.8.1 // mail by SMTP with STARTTLS: net/smtp is frozen
	golang.org/x/crypto v0.58.0 // bcrypt for passwords, certificates from Let's Encrypt (autocert)
	golang.org/x/oauth2 v0.37.0 // sign-in with GitHub, Google and other providers
	golang.org/x/sync v0.24.0 // several writes to a disk at a time, and the first error of them
	golang.org/x/sys v0.49.0 // signals, process groups, Windows
	golang.org/x/term v0.47.0 // is this a terminal, and how wide
	golang.org/x/text v0.43.0 // letters without their accents, in slugs
	golang.org/x/time v0.16.0 // rate limits
	modernc.org/sqlite v1.61.1 // the embedded database, in pure Go: one static binary for every system
	mvdan.cc/sh/v3 v3.14.1 // parses the shell command that produced an output
)

// Tests only.
require (
	github.com/chromedp/cdproto v0.159.0 // what chromedp and Chromium say to each other
	github.com/chromedp/chromedp v0.22.1 // pages in a headless Chromium
	github.com/creack/pty v1.1.24 // a real terminal for `cairn run`
	go.opentelemetry.io/proto/otlp v1.11.1 // the official messages of OpenTelemetry, which ours are to agree with
	google.golang.org/protobuf v1.36.12 // writes those messages, as protobuf and as JSON
)

require (
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/go-jose/go-jose/v4 v4.1.4 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/russross/blackfriday/v2 v2.1.0 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/net v0.61.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	modernc.org/libc v1.79.0 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

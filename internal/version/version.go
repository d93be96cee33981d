// Package version says which cairn this binary is.
//
// It is a leaf: every package may import it and it imports none of ours.
package version

import (
	"cmp"
	"runtime/debug"
)

// Stamped is the release. A build for release sets it by
// -ldflags "-X cairn/internal/version.Stamped=1.2.3".
var Stamped string

// Release is the version of this binary, as a release page has it; "" in a
// build from source.
func Release() string { return This().Version }

// A Build is what `go build` or `go install` stamped into a binary.
type Build struct {
	Version  string `json:"version"` // a release, or ""
	Commit   string `json:"commit"`  // its first 12 digits, or ""
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
}

// This is the build that runs.
func This() Build {
	b := Build{Version: Stamped}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version, b.Go = cmp.Or(Stamped, info.Main.Version), info.GoVersion
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			b.Commit = s.Value[:12]
		case s.Key == "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// Full is the release with the rest of This.
func Full() string {
	b := This()
	text := cmp.Or(b.Version, "(devel)")
	if b.Commit != "" {
		text += " " + b.Commit
	}
	if b.Modified {
		text += "+dirty"
	}
	return text + " " + b.Go
}

// Package version says which cairn this binary is.
//
// It is a leaf: every package may import it and it imports none of ours.
package version

import "runtime/debug"

// Stamped is the release. A build for release sets it by
// -ldflags "-X cairn/internal/version.Stamped=1.2.3".
var Stamped string

// Release is the version of this binary, as a release page has it; "" in a
// build from source.
func Release() string {
	if Stamped != "" {
		return Stamped
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return info.Main.Version
}

// Full is the release with what `go build` or `go install` stamped into the
// binary.
func Full() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v, dirty := Release(), ""
	if v == "" {
		v = "(devel)"
	}
	commit := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			commit = " " + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	return v + commit + dirty + " " + info.GoVersion
}

package update

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"cairn/internal/update/known"
)

// Systems are those that releases are built for, as GOOS/GOARCH.
var Systems = [...]string{
	"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64",
}

// FileName is what the binary for one system is called beside a release page.
func FileName(version, goos, goarch string) string {
	name := "cairn_" + version + "_" + goos + "_" + goarch
	if goos == "windows" {
		name += ".exe"
	}
	return name
}

// PageOf makes the page of a release out of its file of checksums: lines of a
// SHA-256 in hex, two spaces and a name. URLs are relative to the page. It is
// an error when the binary for one of Systems is not among them.
func PageOf(version string, checksums io.Reader) (Release, error) {
	r := Release{Version: version}
	if !known.IsVersion(version) {
		return r, fmt.Errorf("%w: %q is not a version", ErrPage, version)
	}
	sums := map[string]string{}
	lines := bufio.NewScanner(checksums)
	for lines.Scan() {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok || len(sum) != 64 {
			return r, fmt.Errorf("%w: %q is no checksum and name", ErrPage, lines.Text())
		}
		sums[name] = sum
	}
	for _, system := range Systems {
		goos, goarch, _ := strings.Cut(system, "/")
		name := FileName(version, goos, goarch)
		if sums[name] == "" {
			return r, fmt.Errorf("%w: %s is not among the checksums", ErrNoAsset, name)
		}
		r.Assets = append(r.Assets, Asset{OS: goos, Arch: goarch, URL: name, SHA256: sums[name]})
	}
	return r, lines.Err()
}

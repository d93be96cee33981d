// Package known is what is known of the newest release without asking for it: where
// releases are announced, and what was found when that was last looked at.
package known

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/atomicfile"
)

// Page is where releases are announced. A build for release sets it by
// -ldflags "-X …"; a build from source has none and never looks.
var Page string

// A Look is what was found when the page was last read, ~/.cairn/update.json.
type Look struct {
	Checked   time.Time `json:"checked"`          // or tried
	Latest    string    `json:"latest,omitempty"` // version; "": none was ever found
	Installed string    `json:"installed,omitempty"`
	Available bool      `json:"update_available"`
	Error     string    `json:"error,omitempty"` // why it found nothing this time
}

// lookSize is more than such a file has, in bytes.
const lookSize = 16 << 10

// Read reads the file; the zero Look when there is none.
func Read(name string) (l Look) {
	data, err := atomicfile.ReadRegular(name, lookSize)
	if err != nil || json.Unmarshal(data, &l) != nil {
		return Look{}
	}
	return l
}

// Last is the version that was found last, or "".
func Last(name string) string { return Read(name).Latest }

// every is how long a look is good for.
const every = 24 * time.Hour

// IsDue reports whether it is time to look again. A look from the future is no
// reason to wait for it.
func (l Look) IsDue(now time.Time) bool {
	age := now.Sub(l.Checked)
	return age >= every || age < 0
}

// Newer returns latest if it is a later version than installed, else "". What
// is no version is neither: a build from source is not told to update.
func Newer(latest, installed string) string {
	a, ok := numbers(latest)
	b, known := numbers(installed)
	if !ok || !known || slices.Compare(a[:], b[:]) <= 0 {
		return ""
	}
	return latest
}

// IsVersion reports whether a text is a version as a release has it.
func IsVersion(text string) bool {
	_, ok := numbers(text)
	return ok
}

// numbers reads v1.2.3; what follows a dash or a plus does not count.
func numbers(version string) (n [3]int, ok bool) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "+")
	version, _, _ = strings.Cut(version, "-")
	parts := strings.Split(version, ".")
	if len(parts) != len(n) {
		return n, false
	}
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 || p[0] == '+' {
			return n, false
		}
		n[i] = v
	}
	return n, true
}

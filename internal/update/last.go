package update

import (
	"encoding/json"
	"time"

	"cairn/internal/atomicfile"
)

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

// ReadLook reads the file; the zero Look when there is none.
func ReadLook(name string) (l Look) {
	data, err := atomicfile.ReadRegular(name, lookSize)
	if err != nil || json.Unmarshal(data, &l) != nil {
		return Look{}
	}
	return l
}

// Last is the version that was found last, or "".
func Last(name string) string { return ReadLook(name).Latest }

// every is how long a look is good for.
const every = 24 * time.Hour

// IsDue reports whether it is time to look again. A look from the future is no
// reason to wait for it.
func (l Look) IsDue(now time.Time) bool {
	age := now.Sub(l.Checked)
	return age >= every || age < 0
}

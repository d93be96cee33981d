package cache

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrName says that a suite or key cannot be one.
var ErrName = errors.New("cannot be used")

const maxName = 100 // bytes

// checkName refuses a suite or key that is no plain file name on every system.
// what says which of the two it is.
func checkName(what, name string) error {
	wrong := ""
	switch {
	case name == "":
		wrong = "it is empty"
	case len(name) > maxName:
		wrong = fmt.Sprintf("it is longer than %d bytes", maxName)
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-"):
		wrong = "it begins with " + name[:1]
	case strings.HasSuffix(name, "."):
		wrong = "it ends with a dot"
	case deviceOfWindows(name):
		wrong = "Windows keeps that name for a device"
	default:
		for _, r := range name {
			if r == utf8.RuneError || !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Nd) && !strings.ContainsRune("._-", r) {
				wrong = "letters, digits and . _ - are allowed"
				break
			}
		}
	}
	if wrong == "" {
		return nil
	}
	return fmt.Errorf("%s %s %w: %s", what, quoted(name), ErrName, wrong)
}

// deviceOfWindows reports whether Windows takes a file of this name, with any
// extension, for a device.
func deviceOfWindows(name string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch base {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(base) == 4 && (base[:3] == "COM" || base[:3] == "LPT") && base[3] >= '0' && base[3] <= '9'
}

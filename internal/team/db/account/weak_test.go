package account

import (
	"errors"
	"testing"
)

func TestStrong(t *testing.T) {
	t.Parallel()
	about := []string{"ada.lovelace@acme-corp.test", "Acme & Sons"}
	for _, weak := range []string{
		"password", "Password1", "password!", "P@ssw0rd", "passw0rd2026", "12345678", "123456789", "87654321", "aaaaaaaa", "AAAAAAAAAAAA", "abcabcabc", "abababab",
		"qwertyui", "qwerty123", "1qaz2wsx", "asdfghjkl", "abcd1234", "iloveyou", "sunshine", "Summer2026", "Summer2026!", "baseball1", "elephant", "jennifer99",
		"letmein1", "passwordpassword", "1234567890", "11111111", "00000000", "12121212", "zxcvbnm,", "trustno1", "adalovelace", "Lovelace1", "lovelace2026", "acmeacme",
		"ada.lovelace@acme-corp.test", "Acme2026!", "acme-corp1", "sonsofacme", "\u03c0\u03c0\u03c0\u03c0\u03c0\u03c0",
	} {
		if err := Strong(weak, about...); !errors.Is(err, ErrEasy) {
			t.Errorf("%q: %v", weak, err)
		}
	}
	for _, strong := range []string{
		"correct-horse", "another-horse", "wrong-horse", "a long enough password", "longenough1", "correct-horse-battery", "kT9#vbQ2", "x7Gp-2mQ", "blau trinkt dach", "tr0ub4dor&3xkcd",
		"mein-hund-heisst-anders", "8f14e45fceea167a", "attackers-own",
	} {
		if err := Strong(strong, about...); err != nil {
			t.Errorf("%q: %v", strong, err)
		}
	}
	if err := Strong("kT9#vbQ"); !errors.Is(err, ErrWeak) {
		t.Error(err)
	}
}

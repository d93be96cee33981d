package account

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed" // common.txt.gz
	"errors"
	"io"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/crypto/bcrypt"
)

// MinPassword and MaxPassword are bytes. bcrypt reads no more than 72.
const (
	MinPassword = 8
	MaxPassword = 72
)

// Strong is ErrWeak, ErrEasy or ErrTooLong for a password that a user may not
// choose. about are words that others would guess: the address, a team's name.
func Strong(password string, about ...string) error {
	switch {
	case len(password) < MinPassword:
		return ErrWeak
	case len(password) > MaxPassword:
		return ErrTooLong
	case easy(password, about):
		return ErrEasy
	}
	return nil
}

// Hash returns a password's bcrypt hash, or ErrTooLong. It takes long: never
// call it in a transaction.
func (a *Accounts) Hash(password string) (string, error) {
	if len(password) > MaxPassword {
		return "", ErrTooLong
	}
	h, err := bcrypt.GenerateFromPassword([]byte(password), a.cost)
	return string(h), err
}

// unknown is the hash of a password that no user has, so that an unknown
// address takes as long as a wrong password.
func (a *Accounts) unknown() []byte {
	h, err := bcrypt.GenerateFromPassword(random(32), a.cost)
	if err != nil {
		panic(err) // the length is right, and so is the cost of everyone's
	}
	return h
}

// SignIn returns the user of an address and password. Whatever is wrong with
// either is ErrPassword after the same work; only who knows the password is told
// ErrUnconfirmed or ErrBanned.
func (a *Accounts) SignIn(ctx context.Context, email, password string) (User, error) {
	other := a.nobody() // made before anything is known, so that the first sign-in tells nothing either
	u, err := a.UserByEmail(ctx, email)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return User{}, err
	}
	known := err == nil && u.PasswordHash != "" && !u.Bot && len(password) <= MaxPassword
	hash := []byte(u.PasswordHash)
	if !known {
		hash = other
	}
	short := []byte(password)
	if len(short) > MaxPassword {
		short = short[:MaxPassword]
	}
	matches := a.compare(hash, short) == nil
	switch {
	case !known || !matches:
		return User{}, ErrPassword
	case u.Confirmed.IsZero():
		return User{}, ErrUnconfirmed
	case u.Banned(a.now()):
		return User{}, ErrBanned
	}
	return u, nil
}

// IsHash says whether a text is a bcrypt hash.
func IsHash(s string) bool {
	_, err := bcrypt.Cost([]byte(s))
	return err == nil
}

// commonZip are the commonest passwords, English words and first names, each in
// a line: the lists of zxcvbn (see NOTICE). It is unpacked when the first
// password is chosen, never at start.
//
//go:embed common.txt.gz
var commonZip []byte

var common = sync.OnceValue(func() string {
	r, err := gzip.NewReader(bytes.NewReader(commonZip))
	if err != nil {
		panic(err) // it is embedded
	}
	data, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return string(data)
})

func isCommon(word string) bool {
	return word != "" && strings.Contains(common(), "\n"+word+"\n")
}

// fewest letters that a password must have beside what anybody would guess.
const fewest = 5

// easy says whether a password is among the first that anybody would try: a
// common one, a word with some digits, one thing repeated, a row of keys, or
// what the user is called. about are the user's address, a team's name and the like.
func easy(password string, about []string) bool {
	plain := strings.ToLower(password)
	for _, form := range []string{plain, unmasked.Replace(plain)} {
		unit := repeated(form)
		core := strings.TrimFunc(unit, notLetter)
		switch {
		case isCommon(form), isCommon(unit), isCommon(strings.TrimRightFunc(form, notLetter)), isCommon(strings.TrimLeftFunc(form, notLetter)):
			return true
		case len(unit) < fewest, isRow(form), isCommon(core) && len(unit)-len(core) < fewest:
			return true
		case isWordTwice(core) && len(unit)-len(core) < fewest:
			return true
		}
		for _, known := range about {
			known = known[:min(len(known), 300)] // a stranger chose it
			for part := range strings.FieldsFuncSeq(strings.ToLower(known), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				if len(part) >= 3 {
					form = strings.ReplaceAll(form, part, "")
				}
			}
		}
		if left := strings.TrimFunc(form, notLetter); len(about) > 0 && (len(form) < fewest || len(left) < 2 || isCommon(left)) && form != plain && form != unmasked.Replace(plain) {
			return true
		}
	}
	return false
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// unmasked undoes what people write for letters.
var unmasked = strings.NewReplacer("0", "o", "1", "l", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i", "|", "l", "+", "t")

// repeated is the shortest text that a text consists of, written again and again.
func repeated(s string) string {
	for n := 1; n <= len(s)/2; n++ {
		if len(s)%n == 0 && strings.Repeat(s[:n], len(s)/n) == s {
			return s[:n]
		}
	}
	return s
}

// isWordTwice says whether a text is one word, and again without its end: abcabca.
func isWordTwice(s string) bool {
	for n := 3; n <= len(s)/2; n++ {
		if strings.HasPrefix(strings.Repeat(s[:n], len(s)/n+1), s) {
			return true
		}
	}
	return false
}

// rows are keys and letters side by side.
var rows = [...]string{"abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop", "1qaz2wsx3edc4rfv5tgb6yhn", "!@#$%^&*()"}

// isRow says whether a text is made of pieces of rows, none of them short:
// 12345678, qwerty123, abcd1234.
func isRow(s string) bool {
	for s != "" {
		n := 1
		for _, row := range rows {
			n = max(n, along(s, row), along(s, reversed(row)))
		}
		if n < 3 {
			return false
		}
		s = s[n:]
	}
	return true
}

// along is how long a text runs along a row.
func along(s, row string) int {
	i := strings.IndexByte(row, s[0])
	n := 0
	for i >= 0 && n < len(s) && i+n < len(row) && row[i+n] == s[n] {
		n++
	}
	return n
}

func reversed(s string) string {
	b := []byte(s)
	for i := range len(b) / 2 {
		b[i], b[len(b)-1-i] = b[len(b)-1-i], b[i]
	}
	return string(b)
}

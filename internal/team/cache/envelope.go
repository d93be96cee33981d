package cache

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Version is that of the envelope. An entry of another version is a miss.
const Version = 1

// An Entry is one file of the cache:
//
//	{"_cache_version":1,"_cached_at":"2026-03-15T10:30:00Z","_suite":"s","_key":"k","_case_name":"c","data":…}
//
// An entry without _key counts as having that of its file's name: caches that
// others wrote have none. Unknown members are ignored.
type Entry struct {
	Version  int
	CachedAt time.Time
	Suite    string
	Key      string
	Case     string
	Data     []byte // the JSON value as it was given
	Raw      []byte // the whole envelope
}

var errVersion = errors.New("another version")

// decoder takes what data may be. That is kept, not understood, so names that
// stand twice and halves of surrogate pairs, which runners that cut texts do
// write, are its owner's business.
func decoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func checkData(data []byte) error {
	if len(data) == 0 {
		return errors.New("it is empty; it must be JSON")
	}
	if !utf8.Valid(data) {
		return errors.New("it is not UTF-8")
	}
	dec := decoder(data)
	if err := dec.SkipValue(); err != nil {
		return plain(err)
	}
	return atEnd(dec)
}

func atEnd(dec *jsontext.Decoder) error {
	at := dec.InputOffset()
	if _, err := dec.ReadToken(); err != io.EOF {
		return fmt.Errorf("something follows the JSON value, which ends at byte %d", at)
	}
	return nil
}

// plain says what is wrong with JSON, and at which byte.
func plain(err error) error {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntactic):
		return fmt.Errorf("it is no JSON: %w at byte %d", syntactic.Err, syntactic.ByteOffset)
	case err == io.EOF:
		return errors.New("it is empty")
	}
	return fmt.Errorf("it is no JSON: %w", err)
}

func encode(e Entry) []byte {
	return fmt.Appendf(make([]byte, 0, len(e.Data)+512), `{"_cache_version":%d,"_cached_at":"%s","_suite":%s,"_key":%s,"_case_name":%s,"data":%s}`+"\n",
		Version, e.CachedAt.UTC().Format(time.RFC3339Nano), quote(e.Suite), quote(e.Key), quote(e.Case), e.Data)
}

func quote(s string) []byte {
	b, _ := jsontext.AppendQuote(nil, s) // its only error is invalid UTF-8, replaced
	return b
}

// decode reads an envelope in one pass; Data is a part of raw.
func decode(raw []byte) (Entry, error) {
	e := Entry{Version: -1, Raw: raw}
	dec := decoder(raw)
	if tok, err := dec.ReadToken(); err != nil {
		return e, plain(err)
	} else if tok.Kind() != '{' {
		return e, errors.New("it is not an object")
	}
	for {
		tok, err := dec.ReadToken()
		if err != nil {
			return e, plain(err)
		}
		if tok.Kind() == '}' {
			break
		}
		name := tok.String()
		value, err := dec.ReadValue()
		if err != nil {
			return e, plain(err)
		}
		if err := e.set(name, value, raw[dec.InputOffset()-int64(len(value)):dec.InputOffset()]); err != nil {
			return e, err
		}
		if e.Version >= 0 && e.Version != Version {
			return e, errVersion // what else it holds is not known
		}
	}
	switch {
	case e.Version < 0:
		return e, errors.New("it has no _cache_version")
	case e.Data == nil:
		return e, errors.New("it has no data")
	case e.Suite == "":
		return e, errors.New("it has no _suite")
	}
	return e, atEnd(dec)
}

// set takes one member; place is its value where it stands in Raw.
func (e *Entry) set(name string, value jsontext.Value, place []byte) (err error) {
	text := func() string {
		var b []byte
		if b, err = jsontext.AppendUnquote(nil, value); err != nil {
			err = fmt.Errorf("its %s is not a string", name)
		}
		return string(b)
	}
	switch name {
	case "_cache_version":
		if e.Version, err = strconv.Atoi(string(value)); err != nil || e.Version < 0 {
			err = errors.New("its _cache_version is not a whole number")
		}
	case "_cached_at":
		if at := text(); err == nil {
			if e.CachedAt, err = time.Parse(time.RFC3339, at); err != nil {
				err = errors.New("its _cached_at is no time")
			}
		}
	case "_suite":
		e.Suite = text()
	case "_key":
		e.Key = text()
	case "_case_name":
		if value.Kind() != 'n' {
			e.Case = text()
		}
	case "data":
		e.Data = place
	}
	return err
}

package spool

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// version is that of the envelope. A record of a later one is left alone: a
// later cairn put it and will deliver it.
const version = 1

// A Record is one file of the queue:
//
//	{"v":1,"id":ULID,"kind":"eval_run","ingest_key":"…","url":"","team":"","queued_at":RFC 3339,
//	 "attempts":0,"not_before":RFC 3339,"last_error":"","body":…}
type Record struct {
	ID        string
	Kind      string // what the body is: eval_run, …
	IngestKey string // what makes two records the same one
	URL       string // the server it is for; "" when that is not said
	Team      string // slug of the team there, likewise
	QueuedAt  time.Time
	Attempts  int       // how often its delivery failed
	NotBefore time.Time // when to try again; zero for at once
	LastError string
	Body      []byte // one JSON value
}

// errLater says that a record is of a later version.
var errLater = errors.New("of a later version")

func checkBody(body []byte) error {
	if !utf8.Valid(body) {
		return errors.New("it is not UTF-8")
	}
	dec := decoder(bytes.NewBuffer(body))
	if err := dec.SkipValue(); err != nil {
		return noJSON(err)
	}
	return atEnd(dec)
}

// decoder takes what a body may be: its content is the server's business.
func decoder(r io.Reader) *jsontext.Decoder {
	return jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func atEnd(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != io.EOF {
		return errors.New("something follows the JSON value")
	}
	return nil
}

// encode writes the members that a claim looks at before the body.
func encode(r Record) []byte {
	b := make([]byte, 0, len(r.Body)+512)
	b = append(b, `{"v":`...)
	b = strconv.AppendInt(b, version, 10)
	text := func(name, value string) {
		b = append(b, `,"`+name+`":`...)
		b, _ = jsontext.AppendQuote(b, value) // its only error is invalid UTF-8, replaced
	}
	text("id", r.ID)
	text("kind", r.Kind)
	text("ingest_key", r.IngestKey)
	text("url", r.URL)
	text("team", r.Team)
	text("queued_at", r.QueuedAt.UTC().Format(time.RFC3339Nano))
	b = append(b, `,"attempts":`...)
	b = strconv.AppendInt(b, int64(r.Attempts), 10)
	if !r.NotBefore.IsZero() {
		text("not_before", r.NotBefore.UTC().Format(time.RFC3339Nano))
	}
	text("last_error", r.LastError)
	b = append(b, `,"body":`...)
	b = append(b, r.Body...)
	return append(b, "}\n"...)
}

// decode reads a record; its body is a part of data.
func decode(data []byte) (Record, error) {
	r, dec, err := decodeHead(bytes.NewBuffer(data))
	if err != nil {
		return r, err
	}
	value, err := dec.ReadValue()
	if err != nil {
		return r, noJSON(err)
	}
	end := dec.InputOffset()
	r.Body = data[end-int64(len(value)) : end]
	if tok, err := dec.ReadToken(); err != nil {
		return r, noJSON(err)
	} else if tok.Kind() != '}' {
		return r, fmt.Errorf("%.40q follows its body", tok.String())
	}
	return r, atEnd(dec)
}

// decodeHead reads up to the body, and leaves that to the decoder.
func decodeHead(in io.Reader) (r Record, dec *jsontext.Decoder, err error) {
	dec = decoder(in)
	if tok, err := dec.ReadToken(); err != nil {
		return r, dec, noJSON(err)
	} else if tok.Kind() != '{' {
		return r, dec, errors.New("it is not an object")
	}
	v := 0
	for {
		tok, err := dec.ReadToken()
		if err != nil {
			return r, dec, noJSON(err)
		}
		name := tok.String()
		switch {
		case tok.Kind() == '}':
			return r, dec, errors.New("it has no body")
		case name == "body" && v == 0:
			return r, dec, errors.New("it has no version")
		case name == "body":
			return r, dec, nil
		}
		value, err := dec.ReadValue()
		if err != nil {
			return r, dec, noJSON(err)
		}
		if name == "v" {
			if v, err = strconv.Atoi(string(value)); err != nil || v < 1 {
				return r, dec, errors.New("its version is not a whole number")
			}
			if v > version {
				return r, dec, errLater
			}
		} else if err := r.set(name, value); err != nil {
			return r, dec, err
		}
	}
}

func noJSON(err error) error { return fmt.Errorf("it is no JSON: %w", err) }

// set takes one member of the head. Those that it does not know are ignored.
func (r *Record) set(name string, value jsontext.Value) (err error) {
	if name == "attempts" {
		if r.Attempts, err = strconv.Atoi(string(value)); err != nil || r.Attempts < 0 {
			err = errors.New("its attempts are not a whole number")
		}
		return err
	}
	var text *string
	var at *time.Time
	switch name {
	case "id":
		text = &r.ID
	case "kind":
		text = &r.Kind
	case "ingest_key":
		text = &r.IngestKey
	case "url":
		text = &r.URL
	case "team":
		text = &r.Team
	case "last_error":
		text = &r.LastError
	case "queued_at":
		at = &r.QueuedAt
	case "not_before":
		at = &r.NotBefore
	default:
		return nil
	}
	b, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return fmt.Errorf("its %s is not a string", name)
	}
	if text != nil {
		*text = string(b)
	} else if *at, err = time.Parse(time.RFC3339, string(b)); err != nil {
		return fmt.Errorf("its %s is no time", name)
	}
	return nil
}

// digits are Crockford's base 32, which leaves out letters that look like
// figures; their order is that of the values.
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const idLength = 26

// newID makes a ULID (github.com/ulid/spec): 48 bits of milliseconds since 1970
// and 80 random bits, as 26 letters that sort by time. folder is two hex digits
// of its last byte.
func newID(now time.Time) (id, folder string) {
	var b [16]byte
	ms := uint64(max(0, now.UnixMilli()))
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	rand.Read(b[6:]) // never fails
	var text [idLength]byte
	for i := range text {
		text[i] = digits[fiveBits(b, 5*i-2)]
	}
	return string(text[:]), hex.EncodeToString(b[15:])
}

// fiveBits are those from bit at on, the first bit being 0; bits before it are 0.
func fiveBits(b [16]byte, at int) (v byte) {
	for i := at; i < at+5; i++ {
		v <<= 1
		if i >= 0 {
			v |= b[i/8] >> (7 - i%8) & 1
		}
	}
	return v
}

// idTime is when an id was made.
func idTime(id string) (at time.Time, ok bool) {
	if len(id) != idLength {
		return at, false
	}
	ms := int64(0)
	for i := range idLength {
		v := value(id[i])
		if v < 0 || i == 0 && v > 7 {
			return at, false
		}
		if i < 10 {
			ms = ms<<5 | int64(v)
		}
	}
	return time.UnixMilli(ms), true
}

func value(c byte) int {
	return strings.IndexByte(digits, c)
}

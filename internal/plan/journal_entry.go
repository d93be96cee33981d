package plan

import (
	"encoding/json"
	"time"
	"unicode/utf8"
)

// entry is a line of the journal.
type entry struct {
	ID      int       `json:"id"`
	Time    time.Time `json:"time,omitzero"`
	Command string    `json:"command,omitempty"`
	By      string    `json:"by,omitempty"` // whoever asked for it
	Undoes  int       `json:"undoes,omitempty"`
	Redoes  int       `json:"redoes,omitempty"` // the undo that it takes back
	Ops     []op      `json:"ops,omitempty"`    // of an undo: the files that it replaces, for redo
	At      int       `json:"at,omitempty"`     // on lines of their own: so many ops are done,
	Left    int       `json:"left,omitempty"`   // and while they are taken back: so many are left
	Done    bool      `json:"done,omitempty"`   // on a line of its own
	Void    bool      `json:"void,omitempty"`   // with Done: it failed and was taken back
}

const (
	opWrite = "write"
	opMove  = "move"
	opMkdir = "mkdir"
)

// op is one step on the disk. Before is kept as text when it is UTF-8.
type op struct {
	Op     string `json:"op"`
	Path   string `json:"path"`
	From   string `json:"from,omitempty"`  // of a move
	New    bool   `json:"new,omitempty"`   // a write where no file was
	After  string `json:"after,omitempty"` // SHA-256 of what is written
	Kept   string `json:"kept,omitempty"`  // the file that has what was before; see keep
	Was    string `json:"was,omitempty"`   // SHA-256 of that
	Before []byte `json:"-"`
	at     string // of a write: where the file is before the entry is done
}

func (o op) MarshalJSON() ([]byte, error) {
	type plain op
	if o.Kept != "" {
		return json.Marshal(plain(o))
	}
	if utf8.Valid(o.Before) {
		return json.Marshal(struct {
			plain
			Text string `json:"before,omitempty"`
		}{plain(o), string(o.Before)})
	}
	return json.Marshal(struct {
		plain
		Bytes []byte `json:"before64"`
	}{plain(o), o.Before})
}

func (o *op) UnmarshalJSON(b []byte) error {
	type plain op
	var v struct {
		plain
		Text  string `json:"before"`
		Bytes []byte `json:"before64"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*o = op(v.plain)
	if o.Op == opWrite && !o.New {
		o.Before = append(v.Bytes, v.Text...)
	}
	return nil
}

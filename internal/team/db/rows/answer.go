package rows

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/table"
)

// ErrTooLarge is the error of an answer that does not fit into its budget.
var ErrTooLarge = errors.New("the answer is larger than its budget")

// Most is how many bytes an answer may have: a page of a thousand rows with a few
// KB each has room, and a dozen of them fit into the memory of a small machine.
const Most = 16 << 20

// An Answer takes the rows that a request gets, as JSON objects, while they are
// read. It is never larger than its budget: what a connection to the database
// waits for is not how fast a client reads, and what is wrong with the last row
// can still be said by a status.
type Answer struct {
	Rows     int   // that it has
	Total    int64 // rows that the filters leave, without limit and offset; -1 where that was not asked, or is over MostCounted
	Affected int64 // rows that a write changed
	budget   int
	size     int
	chunks   [][]byte
}

// NewAnswer returns an empty one for so many bytes.
func NewAnswer(budget int) *Answer { return &Answer{Total: -1, budget: budget} }

// between is what stands between two rows.
var between = []byte(",\n ")

// chunk is how much of an answer is in one piece.
const chunk = 64 << 10

// free are chunks that an answer is through with: large answers one after the
// other need the memory of one.
var free = sync.Pool{New: func() any { return new([chunk]byte) }}

// add adds a row, whose bytes the caller may use again.
func (a *Answer) add(row []byte) error {
	if a.size+len(between)+len(row) > a.budget {
		return ErrTooLarge
	}
	if a.Rows > 0 {
		a.write(between)
	}
	a.Rows++
	a.write(row)
	return nil
}

func (a *Answer) write(text []byte) {
	for len(text) > 0 {
		last := len(a.chunks) - 1
		if last < 0 || len(a.chunks[last]) == cap(a.chunks[last]) {
			piece := make([]byte, 0, 1024) // most answers are short
			if last >= 0 || len(text) > cap(piece) {
				piece = free.Get().(*[chunk]byte)[:0]
			}
			a.chunks = append(a.chunks, piece)
			last++
		}
		c := a.chunks[last]
		n := min(len(text), cap(c)-len(c))
		a.chunks[last] = append(c, text[:n]...)
		text = text[n:]
		a.size += n
	}
}

// Free ends an answer: it is empty after it.
func (a *Answer) Free() {
	for _, c := range a.chunks {
		giveBack(c)
	}
	*a = Answer{Total: -1, budget: a.budget}
}

func giveBack(c []byte) {
	if cap(c) == chunk {
		free.Put((*[chunk]byte)(c[:chunk]))
	}
}

// Size is how many bytes WriteTo writes.
func (a *Answer) Size() int { return a.size }

// WriteTo writes the rows, with commas between them, and frees what is written: whoever
// keeps it until it is read has it alone.
func (a *Answer) WriteTo(w io.Writer) (n int64, err error) {
	for i, c := range a.chunks {
		m, err := w.Write(c)
		a.chunks[i] = nil
		giveBack(c)
		if n += int64(m); err != nil {
			return n, err
		}
	}
	return n, nil
}

// show appends what SQLite keeps of a kind as JSON, as PostgREST prints it.
func (k kind) show(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case int64:
		switch k.Type {
		case table.Bool:
			return strconv.AppendBool(b, v != 0), nil
		case table.Timestamp:
			return jsontext.AppendQuote(b, showMoment(v))
		case table.Numeric:
			return append(b, scaled(v, k.scale)...), nil
		}
		return strconv.AppendInt(b, v, 10), nil
	case float64:
		if math.IsInf(v, 0) {
			return jsontext.AppendQuote(b, strings.TrimPrefix(strconv.FormatFloat(v, 'f', -1, 32), "+")+"inity")
		}
		if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e6) {
			return strconv.AppendFloat(b, v, 'e', -1, 32), nil
		}
		return strconv.AppendFloat(b, v, 'f', -1, 32), nil
	case string:
		if k.Type == table.JSON || k.Type == table.TextArray {
			return append(b, v...), nil
		}
		return jsontext.AppendQuote(b, v)
	case []byte:
		if id, err := uuid.FromBytes(v); err == nil && k.Type == table.UUID {
			return jsontext.AppendQuote(b, id.String())
		}
		if len(v) == 0 { // see guarded
			return nil, ErrTooLarge
		}
	}
	return nil, fmt.Errorf("a column of type %s has a %T", k, v)
}

// showMoment prints microseconds since 1970 as PostgREST does.
func showMoment(micros int64) string {
	return time.UnixMicro(micros).UTC().Format("2006-01-02T15:04:05.999999-07:00")
}

// scaled prints a whole number of the last digit: 1500000 with six is 1.500000.
func scaled(n int64, scale int) string {
	if scale == 0 {
		return strconv.FormatInt(n, 10)
	}
	sign, u := "", uint64(n)
	if n < 0 {
		sign, u = "-", -u
	}
	digits := strconv.FormatUint(u, 10)
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

// Show prints what SQLite keeps in a column as JSON, as an answer has it.
func Show(c *table.Column, v any) (jsontext.Value, error) { return kindOf(c).show(nil, v) }

package postgrest

import (
	"fmt"
	"net/http"
	"strings"
)

// SetRange narrows a query down to the rows of a Range header: 0-24, or 10-.
// A header in another unit or form is passed over.
func (q *Query) SetRange(unit, header string) *Error {
	if header == "" || unit != "" && unit != "items" {
		return nil
	}
	low, high, ok := strings.Cut(strings.TrimPrefix(header, "items="), "-")
	from, ok1 := number(low)
	if !ok || !ok1 || from < 0 {
		return nil
	}
	limit := -1
	if high != "" {
		to, ok := number(high)
		if !ok {
			return nil
		}
		if to < from {
			return badRange("The lower boundary must be lower than or equal to the upper boundary in the Range header.")
		}
		limit = to - from + 1
	}
	// Of limit= and offset= too, what is in both remains.
	end := q.Offset + q.Limit
	if q.Limit < 0 || limit >= 0 && from+limit < end {
		end = from + limit
	}
	unlimited := q.Limit < 0 && limit < 0
	q.Offset = max(q.Offset, from)
	if !unlimited {
		q.Limit = max(end-q.Offset, 0)
	}
	return nil
}

// ContentRange is the header that says which rows an answer has, and of how
// many: total is -1 where that was not asked.
func ContentRange(offset, rows int, total int64) string {
	span, all := "*", "*"
	if rows > 0 {
		span = fmt.Sprintf("%d-%d", offset, offset+rows-1)
	}
	if total >= 0 {
		all = fmt.Sprint(total)
	}
	return span + "/" + all
}

// RangeStatus is the status of an answer with some of the rows: 200, 206, or an
// error where the offset is behind the last one.
func RangeStatus(offset, rows int, total int64) (int, *Error) {
	switch {
	case total < 0:
		return http.StatusOK, nil
	case int64(offset) > total:
		return 0, BeyondRange(offset, total)
	case int64(rows) < total:
		return http.StatusPartialContent, nil
	}
	return http.StatusOK, nil
}

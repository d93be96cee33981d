package postgrest

import (
	"fmt"
	"math"
	"net/http"
	"strings"
)

// SetRange narrows a query down to the rows of a Range header: 0-24, or 10-. One
// in another unit than items is passed over, as HTTP has it.
func (q *Query) SetRange(unit, header string) *Error {
	if header == "" || unit != "" && unit != "items" {
		return nil
	}
	if kind, rest, ok := strings.Cut(header, "="); ok {
		if kind != "items" {
			return nil
		}
		header = rest
	}
	low, high, _ := strings.Cut(header, "-")
	from, err := number(param{"the lower boundary", low}, -1)
	to := math.MaxInt - 1
	if err == nil && high != "" {
		to, err = number(param{"the upper boundary", high}, math.MaxInt32)
	}
	switch {
	case err != nil || !strings.Contains(header, "-"):
		return badRange("A Range header is two numbers, as in 0-24, or one, as in 10-.")
	case to < from:
		return badRange("The lower boundary must be lower than or equal to the upper boundary in the Range header.")
	}
	// Of limit= and offset= too, what is in both remains.
	end := to + 1
	if q.Limit >= 0 {
		end = min(end, q.Offset+q.Limit)
	}
	q.Offset = max(q.Offset, from)
	if q.Limit >= 0 || high != "" {
		q.Limit = max(end-q.Offset, 0)
	}
	return nil
}

// Showing is how many rows an answer has where there are total, and most are given at once.
func (q *Query) Showing(total int64, most int) int {
	if q.Limit >= 0 {
		most = min(most, q.Limit)
	}
	return int(max(0, min(int64(most), total-int64(q.Offset))))
}

// ContentRange is the header that says which rows an answer has, and of how
// many: total is -1 where that was not asked, or is more than is counted.
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
		return 0, badRange("An offset of %d was requested, but there are only %d rows.", offset, total)
	case int64(rows) < total:
		return http.StatusPartialContent, nil
	}
	return http.StatusOK, nil
}

package cache

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Policy says what of a cache may be used. The zero value: everything.
type Policy struct {
	Off   bool      // reads miss, writes do nothing
	Fresh bool      // reads miss; writes replace what is there
	Since time.Time // older entries miss
}

// ParsePolicy reads the values of two variables, EVAL_CACHE or a like one that
// turns a cache off, and EVAL_CACHE_CLEAR. "" is not set. What does not parse
// is said and counts as not set.
//
// anew is for "compute everything anew in this run", which many processes take
// part in that know nothing of each other. So a read never removes
// anything: with 1 every read misses and what is then written takes the old
// entry's place, whatever the order of the workers. With the time at which the
// run began, in seconds since 1970 or as RFC 3339, entries that the run wrote
// itself are hits.
func ParsePolicy(on, anew string) (p Policy, err error) {
	if on != "" {
		use, perr := parseBool(on)
		if perr != nil {
			err = fmt.Errorf("%s is neither 0 nor 1; the cache is used", quoted(on))
		}
		p.Off = perr == nil && !use
	}
	if anew == "" {
		return p, err
	}
	if fresh, perr := parseBool(anew); perr == nil {
		p.Fresh = fresh
	} else if seconds, perr := strconv.ParseFloat(anew, 64); perr == nil && seconds > 1e9 && seconds < 1e11 {
		p.Since = time.UnixMilli(int64(seconds * 1000))
	} else if at, perr := time.Parse(time.RFC3339, anew); perr == nil {
		p.Since = at
	} else {
		err = fmt.Errorf("%s is neither 0, 1 nor a time; the cache is used as it is", quoted(anew))
	}
	return p, err
}

func parseBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "on", "yes":
		return true, nil
	case "off", "no":
		return false, nil
	}
	return strconv.ParseBool(s)
}

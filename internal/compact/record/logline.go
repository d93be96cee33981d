package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// logLevel reads the level of a log line: Failure, Warn, or Body for the
// others and for lines without one. Known are a word of its own ("ERROR",
// "[error]", "error:"), key=value, JSON with a level by name or by number
// (pino, bunyan), and the first letter of klog.
func logLevel(s string) Class {
	if strings.HasPrefix(s, "{") {
		return levelClass(jsonLevel(s))
	}
	if len(s) > 5 && digitsOnly(s[1:5]) && s[5] == ' ' { // klog: E1120 20:48:40.107
		return Body.unless(s[0] == 'W', Warn).unless(s[0] == 'E' || s[0] == 'F', Failure)
	}
	head := s[:min(len(s), 160)]
	for words := 0; words < 10; words++ {
		var w string
		if w, head, _ = strings.Cut(strings.TrimLeft(head, " \t"), " "); w == "" {
			break
		}
		if !mayBeLevel(w[0]) {
			continue
		}
		for _, key := range [...]string{"level=", "lvl=", "severity="} {
			if v, ok := strings.CutPrefix(w, key); ok {
				return levelClass(strings.ToUpper(strings.Trim(v, `"`)))
			}
		}
		t := strings.TrimLeft(w, "[(<|")
		bracketed := len(t) < len(w)
		n := 0
		for n < len(t) && (t[n] >= 'A' && t[n] <= 'Z' || t[n] >= 'a' && t[n] <= 'z') {
			n++
		}
		level, rest := t[:n], t[n:]
		upper := strings.ToUpper(level)
		if level != upper && !bracketed && !strings.HasPrefix(rest, ":") || rest != "" && !strings.ContainsAny(rest[:1], ":])>|,") || !isLevel(upper) {
			continue
		}
		return levelClass(upper)
	}
	return Body
}

// mayBeLevel reports whether a level, or its key, can begin with c.
func mayBeLevel(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '[' || c == '(' || c == '<' || c == '|'
}

// levels by what they mean; other words are none.
func levelClass(word string) Class {
	switch word {
	case "ERROR", "ERR", "EROR", "FATAL", "PANIC", "CRITICAL", "CRIT", "SEVERE", "ALERT", "EMERG", "EMERGENCY":
		return Failure
	case "WARN", "WARNING":
		return Warn
	}
	return Body
}

func isLevel(word string) bool {
	switch word {
	case "INFO", "DEBUG", "TRACE", "NOTICE", "LOG", "VERBOSE", "FINE", "FINER", "FINEST", "CONFIG", "STATEMENT", "DETAIL", "HINT", "CONTEXT":
		return true
	}
	return levelClass(word) != Body
}

// jsonLevel finds the level of a log line in JSON, in capitals.
func jsonLevel(s string) string {
	if _, v, ok := strings.Cut(s, `"PRIORITY":"`); ok { // journalctl -o json
		return levelName(v != "" && v[0] <= '3', v != "" && v[0] == '4')
	}
	for _, key := range [...]string{`"level":`, `"severity":`, `"lvl":`, `"log.level":`, `"levelname":`} {
		i := strings.Index(s, key)
		if i < 0 {
			continue
		}
		v := strings.TrimLeft(s[i+len(key):], " ")
		if v, ok := strings.CutPrefix(v, `"`); ok {
			name, _, _ := strings.Cut(v, `"`)
			return strings.ToUpper(name)
		}
		return levelName(hasPrefix(v, "5", "6"), strings.HasPrefix(v, "4")) // pino and bunyan
	}
	return ""
}

// levelName names a level that is given as a number.
func levelName(fails, warns bool) string {
	switch {
	case fails:
		return "ERROR"
	case warns:
		return "WARN"
	}
	return "INFO"
}

// jsonLogLine reports whether s is a log line in JSON: an object with a level
// and a time or a message.
func jsonLogLine(s string) bool {
	return strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") && jsonLevel(s) != "" && hasAny(s, `"msg"`, `"message"`, `"MESSAGE"`, `"ts"`, `"time"`, `"timestamp"`, `"event"`)
}

// startsEntry reports whether s begins an entry of a log: it has a time, a
// level or is a request.
func startsEntry(s string) bool {
	return !indented(s) && !lines.Blank(s) && (stamped(s) || request(s) || jsonLogLine(s) || klogOrLeveled(s))
}

// klogOrLeveled reports whether s, without a time, begins with a level.
func klogOrLeveled(s string) bool {
	w, _, _ := strings.Cut(s, " ")
	w, _, _ = strings.Cut(w, ":")
	w = strings.Trim(w, "[]<>|")
	return isLevel(w) || hasAny(s[:min(len(s), 60)], "level=", "lvl=") || len(s) > 5 && digitsOnly(s[1:5]) && s[5] == ' '
}

// elaborates reports whether a line with a time belongs to the fault above,
// as those of PostgreSQL do.
func elaborates(s string) bool {
	return hasAny(s[:min(len(s), 160)], " DETAIL: ", " HINT: ", " CONTEXT: ", " STATEMENT: ", " QUERY: ", " LOCATION: ")
}

// cutService cuts the name that docker compose and kubectl put before each line
// of several containers: "web-1  | text", "[pod/web-1/app] text".
func cutService(s string) (name, text string) {
	if strings.HasPrefix(s, "[pod/") {
		if name, text, ok := strings.Cut(s, "] "); ok {
			return name, text
		}
	}
	name, text, ok := strings.Cut(s, "| ")
	if n := strings.TrimRight(name, " "); ok && n != name && len(n) < 60 && !strings.ContainsAny(n, " \t") {
		return n, text
	}
	return "", s
}

// journalFields returns of an entry of journalctl -o json the fields that
// people read; any other line as it is.
func journalFields(s string) string {
	if !strings.HasPrefix(s, "{") || !strings.Contains(s, `"__REALTIME_TIMESTAMP":"`) {
		return s
	}
	var b strings.Builder
	for _, key := range [...]string{`"__REALTIME_TIMESTAMP":`, `"PRIORITY":`, `"SYSLOG_IDENTIFIER":`, `"MESSAGE":`} {
		if i := strings.Index(s, key+`"`); i >= 0 {
			value := s[i+len(key):]
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(key + value[:stringEnd(value)])
		}
	}
	return b.String()
}

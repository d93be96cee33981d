package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// explain says what a decoder found wrong, and where.
func explain(data []byte, err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		key := whole(data, line, first.Key())
		text := fmt.Sprintf("%s is not known", dotted(key))
		if near := near(key); near != "" {
			text += fmt.Sprintf("; did you mean %s", near)
		} else {
			text += "; known are " + strings.Join(known(key), ", ")
		}
		return at(line, text)
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, _ := decode.Position()
		text := shown(strings.TrimPrefix(decode.Error(), "toml: "))
		if key := decode.Key(); len(key) > 0 && !strings.Contains(text, key[len(key)-1]) {
			text = dotted(key) + ": " + text
		}
		return at(line, text)
	}
	return errors.New(shown(strings.TrimPrefix(err.Error(), "toml: ")))
}

// whole is a key with all that it is under: of one in an inline table a decoder
// says less.
func whole(data []byte, line int, key []string) []string {
	if len(key) == 0 {
		return key
	}
	for name, at := range lines(data) {
		parts := strings.Split(name, "\x00")
		if at == line && len(parts) > len(key) && parts[len(parts)-1] == key[len(key)-1] {
			key = parts
		}
	}
	return key
}

// known lists what may stand where the last part of a key does.
func known(key []string) []string {
	suite := []string{"min_pass_rate", "min_pass_rate_lower", "no_regression", "max_lost", "max_gone", "min_cases", "max_error_rate", "must_pass", "quarantine", "criteria"}
	spending := []string{"max_cost_usd", "max_cost_increase_pct", "max_duration_increase_pct"}
	switch {
	case len(key) == 1:
		return []string{"gate", "suite"}
	case key[0] == "gate":
		return append([]string{"baseline", "alpha", "on_no_baseline"}, spending...)
	case len(key) == 3:
		return append(suite, spending...)
	case len(key) > 3:
		return []string{"min", "no_regression"}
	}
	return nil
}

// near is the known key that the last part of a key was probably meant to be.
func near(key []string) string {
	if len(key) == 0 {
		return ""
	}
	best, least := "", 4
	for _, name := range known(key) {
		if d := distance(key[len(key)-1], name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance counts the letters to put in, take out or change to make b of a.
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		previous := slices.Clone(row)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(previous[j]+cost, previous[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

package gate

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cairn/internal/text"
)

// explain says what a decoder found wrong, and where.
func explain(data []byte, err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		key := whole(data, line, first.Key())
		said := fmt.Sprintf("%s is not known", dotted(key))
		if near := text.Nearest(last(key), known(key)); near != "" {
			said += fmt.Sprintf("; did you mean %s", near)
		} else {
			said += "; known are " + strings.Join(known(key), ", ")
		}
		return at(line, said)
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, _ := decode.Position()
		said := shown(strings.TrimPrefix(decode.Error(), "toml: "))
		if key := decode.Key(); len(key) > 0 && !strings.Contains(said, last(key)) {
			said = dotted(key) + ": " + said
		}
		return at(line, said)
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

// last is the part of a key that names it.
func last(key []string) string { return strings.Join(key[max(0, len(key)-1):], "") }

// known lists what may stand where the last part of a key does.
func known(key []string) []string {
	switch {
	case len(key) == 1:
		return keysOf(reflect.TypeFor[file]())
	case key[0] == "gate":
		return keysOf(reflect.TypeOf(file{}.Gate))
	case len(key) == 3 && key[0] == "variant":
		return keysOf(reflect.TypeFor[Rates]())
	case len(key) == 3:
		return keysOf(reflect.TypeFor[Rules]())
	case len(key) > 3:
		return keysOf(reflect.TypeFor[Criterion]())
	}
	return nil
}

// keysOf are the keys of a struct, in their order.
func keysOf(t reflect.Type) (keys []string) {
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			keys = append(keys, keysOf(f.Type)...)
		} else {
			keys = append(keys, f.Tag.Get("toml"))
		}
	}
	return keys
}

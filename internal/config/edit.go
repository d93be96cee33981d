package config

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/project"
)

// Errors of Set.
var (
	ErrValue  = errors.New("not a value for this setting")
	ErrByUser = error(&mistake{"a project may not set this", "leave out --project to set it for yourself"})
	ErrFile   = error(&mistake{"cannot be edited", "change the file in an editor"})
)

// SetUser writes key = text into the user's file, which is created with mode
// 0600 if need be. All else in it, comments too, stays as it is.
func SetUser(h home.Home, key, text string) (file string, err error) {
	file = h.Config()
	v, err := value(key, text, false)
	if err != nil {
		return file, err
	}
	data, err := atomicfile.ReadRegular(file, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if data, err = edit(data, key, v); err != nil {
		return file, fmt.Errorf("%s: %w", file, err)
	}
	return file, atomicfile.WriteDeep(file, data, home.PrivateDir, home.PrivateFile)
}

// SetProject is like SetUser for the repository's committed file. What is
// written is trusted, unless the rest of the file was not.
func SetProject(d *project.Dir, key, text string) (file string, err error) {
	file = d.Path(project.Config)
	v, err := value(key, text, true)
	if err != nil {
		return file, err
	}
	was, err := d.ReadTrusted(project.Config)
	untrusted := errors.Is(err, project.ErrUntrusted)
	if err != nil && !untrusted && !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	data, err := edit(was, key, v)
	if err != nil {
		return file, fmt.Errorf("%s: %w", file, err)
	}
	if untrusted {
		return file, d.Write(project.Config, data, home.SharedDir, home.SharedFile)
	}
	return file, d.WriteTrusted(project.Config, data, home.SharedFile)
}

// value reads a value for key.
func value(key, text string, project bool) (any, error) {
	s, err := Find(key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	if project && s.ByUser {
		return nil, fmt.Errorf("%s: %w", key, ErrByUser)
	}
	v, err := s.parse(text)
	if err != nil {
		err = fmt.Errorf("%s: %w: %w", key, ErrValue, err)
	}
	return v, err
}

// edit returns data with key set to v. The result is parsed before it is
// returned: what line edits cannot do is an error, never a broken file.
func edit(data []byte, key string, v any) ([]byte, error) {
	if err := toml.Unmarshal(data, &map[string]any{}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, withLine(err))
	}
	written, err := toml.Marshal(map[string]any{"v": v})
	if err != nil {
		return nil, err
	}
	value := strings.TrimSpace(strings.TrimPrefix(string(written), "v = "))
	out := []byte(insert(data, key, value))
	tree, leaves := map[string]any{}, map[string]any{}
	if err := toml.Unmarshal(out, &tree); err != nil {
		return nil, fmt.Errorf("%w: %s is set in a way that only a person can change", ErrFile, key)
	}
	flatten("", tree, leaves)
	s, _ := Find(key)
	if got, err := s.check(leaves[key]); err != nil || !reflect.DeepEqual(got, v) {
		return nil, fmt.Errorf("%w: %s is set in a way that only a person can change", ErrFile, key)
	}
	return out, nil
}

// insert puts value where key stands, else beside its neighbors, else into a
// table at the end.
func insert(data []byte, key, value string) string {
	text := string(data)
	eol := "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += eol
	}
	lines := strings.SplitAfter(text, "\n")
	places := scan([]byte(text))
	for _, p := range places {
		if p.key == key && !p.header {
			lines[p.first-1] = replaceValue(lines[p.first-1:p.last], value, eol)
			return strings.Join(slices.Delete(lines, p.first, p.last), "")
		}
	}
	parent, leaf := "", key
	if dot := strings.LastIndexByte(key, '.'); dot >= 0 {
		parent, leaf = key[:dot], key[dot+1:]
	}
	after := func(p place, key string) string {
		return strings.Join(slices.Insert(lines, p.last, key+" = "+value+eol), "")
	}
	for _, p := range slices.Backward(places) {
		if parent != "" && p.table == parent {
			return after(p, leaf)
		}
	}
	for _, p := range slices.Backward(places) { // tee.on_exit within [compact]
		within := p.table == "" || strings.HasPrefix(parent, p.table+".")
		if parent != "" && !p.header && within && strings.HasPrefix(p.key, parent+".") {
			return after(p, strings.TrimPrefix(key, p.table+"."))
		}
	}
	if parent == "" { // before the first table
		at := 0
		for _, p := range places {
			if p.header {
				break
			}
			at = p.last
		}
		return strings.Join(slices.Insert(lines, at, leaf+" = "+value+eol), "")
	}
	if text != "" {
		text += eol
	}
	return text + "[" + parent + "]" + eol + leaf + " = " + value + eol
}

// replaceValue keeps what stands before the value and the comment behind it.
func replaceValue(old []string, value, eol string) string {
	left, right, _ := strings.Cut(old[0], "=")
	if len(old) > 1 {
		return left + "= " + value + eol
	}
	var v valueScan
	if v.line(right); v.comment >= 0 {
		blanks := right[len(strings.TrimRight(right[:v.comment], " \t")):]
		return left + "= " + value + strings.TrimRight(blanks, "\r\n") + eol
	}
	return left + "= " + value + eol
}

// withLine puts the line into an error of the TOML parser.
func withLine(err error) error {
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return err
	}
	line, _ := at.Position()
	return fmt.Errorf("line %d: %s", line, strings.TrimPrefix(at.Error(), "toml: "))
}

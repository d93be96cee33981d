package merge

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"cairn/internal/jsonc"
)

// mergeJSON merges settings key by key, in the bytes of ours. ok is false where one
// of the versions is no object.
func mergeJSON(base, ours, theirs []byte) (Result, bool) {
	if len(bytes.TrimSpace(base)) == 0 {
		base = []byte("{}")
	}
	var d [3]*jsonc.Doc
	for i, b := range [][]byte{base, ours, theirs} {
		var err error
		if d[i], err = jsonc.Parse(b); err != nil || d[i].Kind(nil) != '{' {
			return Result{}, false
		}
	}
	j := &keys{base: d[0], theirs: d[2], out: d[1]}
	if j.object(nil) != nil {
		return Result{}, false
	}
	if len(j.both) == 0 {
		return Result{j.out.Bytes(), 0}, true
	}
	return j.marked()
}

type keys struct {
	base, theirs, out *jsonc.Doc
	both              []jsonc.Path // what two people set to two values
}

func (j *keys) object(at jsonc.Path) error {
	var err error
	for _, name := range union(j.out.Names(at), j.theirs.Names(at)) {
		p := at.At(name)
		was, ours, theirs := value(j.base, p), value(j.out, p), value(j.theirs, p)
		switch {
		case ours == theirs || theirs == was:
		case j.out.Kind(p) == '{' && j.theirs.Kind(p) == '{':
			if err := j.object(p); err != nil {
				return err
			}
		case ours == was && theirs == "":
			j.out, err = j.out.Remove(p)
		case ours == was && ours != "":
			j.out, err = j.out.ReplaceText(p, j.theirs.Text(p))
		case ours == "":
			v, _ := j.theirs.Value(p)
			j.out, err = j.out.Set(at, name, v)
		case theirs == "": // removed there, changed here
		default:
			j.both = append(j.both, p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// marked puts both values of what is in conflict between markers, line by line.
func (j *keys) marked() (Result, bool) {
	rival := j.out
	for _, p := range j.both {
		var err error
		if rival, err = rival.ReplaceText(p, j.theirs.Text(p)); err != nil {
			return Result{}, false
		}
	}
	o, t := strings.Split(string(j.out.Bytes()), "\n"), strings.Split(string(rival.Bytes()), "\n")
	if len(o) != len(t) {
		return Result{}, false
	}
	var out []string
	conflicts := 0
	for i := 0; i < len(o); i++ {
		end := i
		for end < len(o) && o[end] != t[end] {
			end++
		}
		if end > i {
			conflicts++
			out = slices.Concat(out, []string{oursMark}, o[i:end], []string{middleMark}, t[i:end], []string{theirsMark})
			i = end
		}
		if i < len(o) {
			out = append(out, o[i])
		}
	}
	return Result{[]byte(strings.Join(out, "\n")), conflicts}, true
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// value is a value as it can be compared, "" where there is none.
func value(d *jsonc.Doc, p jsonc.Path) string {
	v, ok := d.Value(p)
	if !ok {
		return ""
	}
	b, err := json.Marshal(v)
	if err != nil {
		return d.Text(p)
	}
	return string(b)
}

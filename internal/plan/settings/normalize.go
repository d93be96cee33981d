package settings

import (
	"errors"
	"io/fs"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
)

// A Renaming is a key that got its newer name in a file.
type Renaming struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Normalize gives the keys of one config.json their newer names, and their
// values what those names mean. A key that has both keeps the newer one's
// value, which is the one that counted. A file that is not there has none.
func Normalize(tx *plan.Tx, rel string) []Renaming {
	if _, err := tx.ReadBytes(rel); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	d := open(tx, rel)
	var done []Renaming
	for _, r := range Rows() {
		for _, old := range r.Names {
			v, ok := d.Value(pathOf(old))
			if !ok {
				continue
			}
			d = must.Get(rename(rel, d, old, r.Key, v))
			done = append(done, Renaming{old, r.Key})
		}
	}
	const repos = "planning.sub_repos"
	if v, ok := d.Value(pathOf(multiRepo)); ok {
		if v == true && d.Kind(pathOf(repos)) == 0 {
			d = must.Get(assign(rel, d, repos, Load(tx).SubRepos()))
		}
		d = must.Get(drop(d, multiRepo))
		done = append(done, Renaming{multiRepo, repos})
	}
	if len(done) == 0 {
		return nil
	}
	tx.Write(rel, d.Bytes())
	return done
}

// rename moves a value from one key to another: in its place when both are of
// one object. A value the newer key has already stays.
func rename(rel string, d *jsonc.Doc, from, to string, v any) (*jsonc.Doc, error) {
	if d.Kind(pathOf(to)) != 0 {
		return drop(d, from)
	}
	if above := strings.TrimSuffix(to, leaf(to)); above+leaf(from) == from {
		d, err := d.Rename(pathOf(from), leaf(to))
		if now := modern(from, v); err == nil && literal(now) != literal(v) {
			d, err = d.Replace(pathOf(to), now)
		}
		return d, err
	}
	d, err := assign(rel, d, to, modern(from, v))
	if err != nil {
		return nil, err
	}
	return drop(d, from)
}

// drop removes a key, and the object around it when nothing is left in it.
func drop(d *jsonc.Doc, key string) (*jsonc.Doc, error) {
	d, err := d.Remove(pathOf(key))
	if err != nil {
		return nil, err
	}
	if at := strings.LastIndexByte(key, '.'); at > 0 && strings.TrimSpace(d.Inner(pathOf(key[:at]))) == "" {
		return drop(d, key[:at])
	}
	return d, nil
}

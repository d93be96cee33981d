package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
)

// Fresh returns the settings of a new project: the rows that stand in one,
// the user's own defaults over them, and the choices over those. Search
// services whose key is at hand are on.
func Fresh(choices jsonc.Object, getenv func(string) string) jsonc.Object {
	var tree jsonc.Object
	for _, r := range Rows() {
		if r.Fresh {
			tree = put(tree, r.Key, r.fallback())
		}
	}
	tree = put(tree, "agent_skills", jsonc.Object{})
	tree = SearchAtHand(tree, getenv)
	home, _ := os.UserHomeDir()
	if b, err := plan.ReadFile(filepath.Join(home, ".gsd", "defaults.json")); err == nil {
		if l := parse(UserFile, "", b, nil); l.err == nil {
			tree = merge(tree, modernTree(l.tree))
		}
	}
	return merge(tree, modernTree(choices))
}

// Ours returns what a project that we begin has instead of the older tool's defaults, which
// the rows keep for the projects that rest on them.
func Ours() jsonc.Object {
	tree := put(nil, "git.phase_branch_template", "phase/{phase}-{slug}")
	return put(tree, "git.milestone_branch_template", "milestone/{milestone}-{slug}")
}

// modernTree returns tree with the older names of keys replaced, as Normalize
// does in a file.
func modernTree(tree jsonc.Object) jsonc.Object {
	for _, r := range Rows() {
		for _, old := range r.Names {
			v, ok := at(tree, old)
			if !ok {
				continue
			}
			tree = without(tree, old)
			if _, ok := at(tree, r.Key); !ok {
				tree = put(tree, r.Key, modern(old, v))
			}
		}
	}
	return tree
}

// without returns tree without the value at a dotted path.
func without(tree jsonc.Object, key string) jsonc.Object {
	name, rest, deeper := strings.Cut(key, ".")
	if !deeper {
		return slices.DeleteFunc(slices.Clone(tree), func(m jsonc.Member) bool { return m.Name == name })
	}
	below, _ := tree.Get(name)
	if sub := without(below.(jsonc.Object), rest); len(sub) > 0 { // at found the key in it
		return tree.With(name, sub)
	}
	return without(tree, name)
}

// SearchServices are the settings of services that look things up on the web.
func SearchServices() []string { return []string{"brave_search", "firecrawl", "exa_search"} }

// SearchAtHand returns tree with the search services on whose key is at hand.
func SearchAtHand(tree jsonc.Object, getenv func(string) string) jsonc.Object {
	for _, key := range SearchServices() {
		if SearchAvailable(key, getenv) {
			tree = tree.With(key, true)
		}
	}
	return tree
}

// SearchAvailable reports whether the key of a search service is at hand: in
// the environment, or in a file of the old tool's.
func SearchAvailable(key string, getenv func(string) string) bool {
	home, _ := os.UserHomeDir()
	name := strings.TrimSuffix(key, "_search") + "_api_key"
	if getenv(strings.ToUpper(name)) != "" {
		return true
	}
	_, err := os.Stat(filepath.Join(home, ".gsd", name))
	return err == nil
}

// Create writes the config.json of a new project; created is false when the
// workspace has one already, which then stays as it is.
func Create(tx *plan.Tx, tree jsonc.Object) (rel string, created bool) {
	rel = tx.Path(FileName)
	if _, err := tx.ReadBytes(rel); !errors.Is(err, fs.ErrNotExist) {
		must.OK(err)
		return rel, false
	}
	b, err := json.MarshalIndent(tree, "", "  ")
	if err != nil {
		must.Fail(fmt.Errorf("%s: %w", rel, err))
	}
	tx.Write(rel, append(b, '\n'))
	return rel, true
}

// put returns tree with the value at a dotted path.
func put(tree jsonc.Object, key string, v any) jsonc.Object {
	name, rest, deeper := strings.Cut(key, ".")
	if !deeper {
		return tree.With(name, v)
	}
	below, _ := tree.Get(name)
	sub, _ := below.(jsonc.Object)
	return tree.With(name, put(sub, rest, v))
}

package query

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
)

// intelFiles are the indexes of the code, under .planning/intel/.
var intelFiles = []string{"file-roles.json", "api-map.json", "dependency-graph.json", "arch-decisions.json", "stack.json"}

const (
	intelMaxAge   = 24 * time.Hour
	intelBaseline = ".last-refresh.json"
)

// codeIndex is one of the files that there can be.
type codeIndex struct {
	name string
	raw  []byte     // nil when it is not there
	tree *jsonc.Doc // nil, too, when it is broken
}

// intel reads the indexes.
func (c *call) intel() (all []codeIndex) {
	c.look(func(tx *plan.Tx) {
		for _, name := range intelFiles {
			in := codeIndex{name: name}
			b, err := tx.ReadBytes(c.Shared("intel", name))
			if !errors.Is(err, fs.ErrNotExist) {
				in.raw = must.Get(b, err)
				in.tree, _ = jsonc.Parse(b)
			}
			all = append(all, in)
		}
	})
	return all
}

// updatedAt is when an index says it was made.
func (in codeIndex) updatedAt() (time.Time, string) {
	if in.tree == nil {
		return time.Time{}, ""
	}
	text := in.tree.String(jsonc.Path{"_meta", "updated_at"})
	t, _ := time.Parse(time.RFC3339, text)
	return t, text
}

func intelStatus(c *call) result {
	files, stale := object{}, false
	for _, in := range c.intel() {
		at, text := in.updatedAt()
		old := in.raw == nil || time.Since(at) > intelMaxAge
		stale = stale || old
		files = files.with(in.name, object{{"exists", in.raw != nil}, {"updated_at", orNull(text)}, {"stale", old}})
	}
	return data(object{{"files", files}, {"overall_stale", stale}})
}

// intelQuery lists the entries of every index that hold a word.
func intelQuery(c *call) result {
	term := c.arg(0)
	require(term != "", "usage", "Usage: intel query <term>")
	matches, total := []object{}, 0
	for _, in := range c.intel() {
		var v any
		if in.tree != nil {
			v, _ = in.tree.Value(jsonc.Path{"entries"})
		}
		entries, _ := v.(jsonc.Object)
		found := only(entries, func(m jsonc.Member) bool {
			return strings.Contains(strings.ToLower(m.Name+" "+string(must.Get(marshal(m.Value, "")))), strings.ToLower(term))
		})
		if len(found) > 0 {
			matches = append(matches, object{{"source", in.name}, {"entries", each(found, func(m jsonc.Member) object {
				return object{{"key", m.Name}, {"value", m.Value}}
			})}})
			total += len(found)
		}
	}
	return data(object{{"matches", matches}, {"term", term}, {"total", total}})
}

// hashes maps each index that is there to what identifies its content.
func (c *call) hashes() map[string]string {
	out := map[string]string{}
	for _, in := range c.intel() {
		if in.raw != nil {
			out[in.name] = sum(in.raw)
		}
	}
	return out
}

func intelSnapshot(c *call) result {
	hashes, now := c.hashes(), time.Now().UTC().Format(time.RFC3339)
	b := must.Get(marshal(object{{"hashes", hashes}, {"timestamp", now}, {"version", 1}}, "  "))
	c.change(func(tx *plan.Tx) { tx.Write(c.Shared("intel", intelBaseline), append(b, '\n')) })
	return data(object{{"saved", true}, {"timestamp", now}, {"files", len(hashes)}})
}

func intelDiff(c *call) result {
	now := c.hashes()
	var before struct {
		Hashes map[string]string `json:"hashes"`
	}
	if must.Catch(func() {
		c.look(func(tx *plan.Tx) {
			must.OK(json.Unmarshal(must.Get(tx.ReadBytes(c.Shared("intel", intelBaseline))), &before))
		})
	}) != nil {
		return data(object{{"no_baseline", true}})
	}
	changed, added, removed := []string{}, []string{}, []string{}
	for _, name := range intelFiles {
		was, had := before.Hashes[name]
		is, has := now[name]
		switch {
		case had && has && was != is:
			changed = append(changed, name)
		case has && !had:
			added = append(added, name)
		case had && !has:
			removed = append(removed, name)
		}
	}
	return data(object{{"changed", changed}, {"added", added}, {"removed", removed}})
}

// intelPatchMeta dates an index anew after an agent has written it.
func intelPatchMeta(c *call) result {
	rel := c.Rel(c.at(c.arg(0)))
	require(slices.Contains(intelFiles, path.Base(rel)) && path.Dir(rel) == c.Shared("intel"),
		"usage", "Usage: intel patch-meta <file of .planning/intel>")
	now := time.Now().UTC().Format(time.RFC3339)
	err := must.Catch(func() {
		c.change(func(tx *plan.Tx) {
			d, err := jsonc.Parse(must.Get(tx.ReadBytes(rel)))
			if err != nil {
				must.OK(&plan.InputError{Path: rel, What: "is not JSON: " + err.Error()})
			}
			meta := jsonc.Path{"_meta"}
			switch {
			case d.Kind(meta) != '{':
				d, err = d.Set(nil, "_meta", jsonc.Object{{Name: "updated_at", Value: now}, {Name: "version", Value: 1}})
			case d.Kind(meta.At("updated_at")) != 0:
				d, err = d.Replace(meta.At("updated_at"), now)
			default:
				d, err = d.Set(meta, "updated_at", now)
			}
			tx.Write(rel, must.Get(d, err).Bytes())
		})
	})
	if err != nil {
		return data(object{{"patched", false}, {"error", err.Error()}})
	}
	return data(object{{"patched", true}, {"file", rel}, {"timestamp", now}})
}

func intelValidate(c *call) result {
	errs, warnings := []string{}, []string{}
	for _, in := range c.intel() {
		at, _ := in.updatedAt()
		switch {
		case in.raw == nil:
			errs = append(errs, in.name+": missing")
		case in.tree == nil:
			errs = append(errs, in.name+": not valid JSON")
		case at.IsZero():
			warnings = append(warnings, in.name+": _meta.updated_at is missing")
		case time.Since(at) > intelMaxAge:
			warnings = append(warnings, in.name+": older than 24 hours")
		}
	}
	return data(object{{"valid", len(errs) == 0}, {"errors", errs}, {"warnings", warnings}})
}

// intelExports lists the names that a JavaScript or TypeScript file exports.
func intelExports(c *call) result {
	name := c.arg(0)
	names, method := []string{}, "none"
	if b, err := plan.ReadFile(c.at(name)); name != "" && err == nil {
		names, method = exportsOf(string(b))
	}
	return data(object{{"file", filepath.ToSlash(name)}, {"exports", names}, {"method", method}})
}

func intelUpdate(*call) result {
	return data(object{{"action", "spawn_agent"}, {"message", "the agent gsd-intel-updater writes the indexes anew"}})
}

// graphPath is where graphify's graph of the code is kept.
func (c *call) graphPath() string { return c.Shared("graphs", "graph.json") }

func graphStatus(c *call) result {
	fi, err := os.Stat(c.Abs(c.graphPath()))
	if err != nil {
		return data(object{{"exists", false}, {"message", "no graph at " + c.graphPath() + ": graphify builds one"}})
	}
	built := fi.ModTime().UTC()
	return data(object{
		{"exists", true}, {"last_build", built.Format(time.RFC3339)}, {"stale", time.Since(built) > intelMaxAge},
		{"age_hours", int(time.Since(built).Hours())},
	})
}

// graphMissing stands for what only the graphify program itself can do.
func graphMissing(c *call) result {
	if _, err := os.Stat(c.Abs(c.graphPath())); err != nil {
		return refuse("graphify_no_graph", "No graph at %s", c.graphPath())
	}
	return refuse("unknown", "cairn does not run graphify: call graphify itself on %s", c.graphPath())
}

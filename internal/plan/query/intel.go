package query

import (
	"crypto/sha256"
	"encoding/hex"
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
	"cairn/internal/plan"
)

var intelCommands = []command{
	{name: "intel status", run: whenOn("intel", intelStatus)},
	{name: "intel query", run: whenOn("intel", intelQuery)},
	{name: "intel diff", run: whenOn("intel", intelDiff)},
	{name: "intel snapshot", run: whenOn("intel", intelSnapshot)},
	{name: "intel patch-meta", run: whenOn("intel", intelPatchMeta)},
	{name: "intel validate", run: whenOn("intel", intelValidate)},
	{name: "intel extract-exports", run: whenOn("intel", intelExports)},
	{name: "intel update", run: whenOn("intel", intelUpdate)},
	{name: "graphify status", run: whenOn("graphify", graphStatus)},
	{name: "graphify query", run: whenOn("graphify", graphMissing)},
	{name: "graphify diff", run: whenOn("graphify", graphMissing)},
	{name: "graphify build|graphify build snapshot", run: whenOn("graphify", graphMissing)},
}

// intelFiles are the indexes of the code, under .planning/intel/.
var intelFiles = []string{"file-roles.json", "api-map.json", "dependency-graph.json", "arch-decisions.json", "stack.json"}

const (
	intelMaxAge   = 24 * time.Hour
	intelBaseline = ".last-refresh.json"
)

// whenOn answers with why when the settings do not have a part on.
func whenOn(part string, run func(*call) (result, error)) func(*call) (result, error) {
	return func(c *call) (result, error) {
		s, err := c.settings()
		if err != nil {
			return result{}, err
		}
		if !s.Bool(part + ".enabled") {
			return data(object{{"disabled", true}, {"message", part + " is off: config-set " + part + ".enabled true turns it on"}}), nil
		}
		return run(c)
	}
}

// intel reads the indexes that are there; a broken one has a nil tree.
func (c *call) intel() (trees map[string]*jsonc.Doc, raw map[string][]byte, err error) {
	trees, raw = map[string]*jsonc.Doc{}, map[string][]byte{}
	return trees, raw, c.View(func(tx *plan.Tx) error {
		for _, name := range intelFiles {
			b, err := tx.ReadBytes(c.Shared("intel", name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			raw[name] = b
			trees[name], _ = jsonc.Parse(b)
		}
		return nil
	})
}

// updatedAt is when an index says it was made.
func updatedAt(d *jsonc.Doc) (time.Time, string) {
	if d == nil {
		return time.Time{}, ""
	}
	text := d.String(jsonc.Path{"_meta", "updated_at"})
	t, _ := time.Parse(time.RFC3339, text)
	return t, text
}

func intelStatus(c *call) (result, error) {
	trees, raw, err := c.intel()
	if err != nil {
		return result{}, err
	}
	files, stale := object{}, false
	for _, name := range intelFiles {
		at, text := updatedAt(trees[name])
		old := raw[name] == nil || time.Since(at) > intelMaxAge
		stale = stale || old
		files = files.with(name, object{{"exists", raw[name] != nil}, {"updated_at", orNull(text)}, {"stale", old}})
	}
	return data(object{{"files", files}, {"overall_stale", stale}}), nil
}

// intelQuery lists the entries of every index that hold a word.
func intelQuery(c *call) (result, error) {
	term := c.arg(0)
	if term == "" {
		return result{}, fail("usage", "Usage: intel query <term>")
	}
	trees, _, err := c.intel()
	if err != nil {
		return result{}, err
	}
	matches, total := []object{}, 0
	for _, name := range intelFiles {
		if trees[name] == nil {
			continue
		}
		v, _ := trees[name].Value(jsonc.Path{"entries"})
		entries, _ := v.(jsonc.Object)
		found := []object{}
		for _, m := range entries {
			b, err := marshal(m.Value, "")
			if err != nil {
				return result{}, err
			}
			if strings.Contains(strings.ToLower(m.Name+" "+string(b)), strings.ToLower(term)) {
				found = append(found, object{{"key", m.Name}, {"value", m.Value}})
			}
		}
		if len(found) > 0 {
			matches = append(matches, object{{"source", name}, {"entries", found}})
			total += len(found)
		}
	}
	return data(object{{"matches", matches}, {"term", term}, {"total", total}}), nil
}

// hashes maps each index to what identifies its content.
func hashes(raw map[string][]byte) map[string]string {
	out := map[string]string{}
	for name, b := range raw {
		sum := sha256.Sum256(b)
		out[name] = hex.EncodeToString(sum[:])
	}
	return out
}

func intelSnapshot(c *call) (result, error) {
	_, raw, err := c.intel()
	if err != nil {
		return result{}, err
	}
	now := time.Now().UTC().Format(time.RFC3339)
	b, err := marshal(object{{"hashes", hashes(raw)}, {"timestamp", now}, {"version", 1}}, "  ")
	if err != nil {
		return result{}, err
	}
	_, err = c.change(func(tx *plan.Tx) error {
		return tx.Write(c.Shared("intel", intelBaseline), append(b, '\n'))
	})
	return data(object{{"saved", true}, {"timestamp", now}, {"files", len(raw)}}), err
}

func intelDiff(c *call) (result, error) {
	_, raw, err := c.intel()
	if err != nil {
		return result{}, err
	}
	var before struct {
		Hashes map[string]string `json:"hashes"`
	}
	if err := c.View(func(tx *plan.Tx) error {
		b, err := tx.ReadBytes(c.Shared("intel", intelBaseline))
		if err != nil {
			return err
		}
		return json.Unmarshal(b, &before)
	}); err != nil {
		return data(object{{"no_baseline", true}}), nil
	}
	changed, added, removed := []string{}, []string{}, []string{}
	now := hashes(raw)
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
	return data(object{{"changed", changed}, {"added", added}, {"removed", removed}}), nil
}

// intelPatchMeta dates an index anew after an agent has written it.
func intelPatchMeta(c *call) (result, error) {
	name := c.arg(0)
	rel := c.Rel(c.fromHere(name))
	if !slices.Contains(intelFiles, path.Base(rel)) || path.Dir(rel) != c.Shared("intel") {
		return result{}, fail("usage", "Usage: intel patch-meta <file of .planning/intel>")
	}
	now := time.Now().UTC().Format(time.RFC3339)
	_, err := c.change(func(tx *plan.Tx) error {
		b, err := tx.ReadBytes(rel)
		if err != nil {
			return err
		}
		d, err := jsonc.Parse(b)
		if err != nil {
			return &plan.InputError{Path: rel, What: "is not JSON: " + err.Error()}
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
		if err != nil {
			return err
		}
		return tx.Write(rel, d.Bytes())
	})
	if err != nil {
		return data(object{{"patched", false}, {"error", err.Error()}}), nil
	}
	return data(object{{"patched", true}, {"file", rel}, {"timestamp", now}}), nil
}

func intelValidate(c *call) (result, error) {
	trees, raw, err := c.intel()
	if err != nil {
		return result{}, err
	}
	errs, warnings := []string{}, []string{}
	for _, name := range intelFiles {
		at, _ := updatedAt(trees[name])
		switch {
		case raw[name] == nil:
			errs = append(errs, name+": missing")
		case trees[name] == nil:
			errs = append(errs, name+": not valid JSON")
		case at.IsZero():
			warnings = append(warnings, name+": _meta.updated_at is missing")
		case time.Since(at) > intelMaxAge:
			warnings = append(warnings, name+": older than 24 hours")
		}
	}
	return data(object{{"valid", len(errs) == 0}, {"errors", errs}, {"warnings", warnings}}), nil
}

// intelExports lists the names that a JavaScript or TypeScript file exports.
func intelExports(c *call) (result, error) {
	name := c.arg(0)
	b, err := plan.ReadFile(c.fromHere(name))
	if name == "" || err != nil {
		return data(object{{"file", filepath.ToSlash(name)}, {"exports", []string{}}, {"method", "none"}}), nil
	}
	exports, method := exportsOf(string(b))
	return data(object{{"file", filepath.ToSlash(name)}, {"exports", exports}, {"method", method}}), nil
}

func intelUpdate(*call) (result, error) {
	return data(object{{"action", "spawn_agent"}, {"message", "the agent gsd-intel-updater writes the indexes anew"}}), nil
}

// graphPath is where graphify's graph of the code is kept.
func (c *call) graphPath() string { return c.Shared("graphs", "graph.json") }

func graphStatus(c *call) (result, error) {
	fi, err := os.Stat(c.Abs(c.graphPath()))
	if err != nil {
		return data(object{{"exists", false}, {"message", "no graph at " + c.graphPath() + ": graphify builds one"}}), nil
	}
	built := fi.ModTime().UTC()
	return data(object{
		{"exists", true}, {"last_build", built.Format(time.RFC3339)}, {"stale", time.Since(built) > intelMaxAge},
		{"age_hours", int(time.Since(built).Hours())},
	}), nil
}

// graphMissing stands for what only the graphify program itself can do.
func graphMissing(c *call) (result, error) {
	if _, err := os.Stat(c.Abs(c.graphPath())); err != nil {
		return result{}, fail("graphify_no_graph", "No graph at %s", c.graphPath())
	}
	return result{}, fail("unknown", "cairn does not run graphify: call graphify itself on %s", c.graphPath())
}

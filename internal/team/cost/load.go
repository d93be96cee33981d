package cost

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // the prices
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"cairn/internal/atomicfile"
)

//go:embed prices.toml
var builtin []byte

// row is a price as a file writes it.
type row struct {
	ID         string         `toml:"id"`
	Vendor     string         `toml:"vendor"`
	Tier       string         `toml:"tier"`
	Aliases    []string       `toml:"aliases"`
	Input      *float64       `toml:"input"`
	Output     *float64       `toml:"output"`
	CacheRead  *float64       `toml:"cache_read"`
	CacheWrite *float64       `toml:"cache_write"`
	AsOf       toml.LocalDate `toml:"as_of"`
	Source     string         `toml:"source"`
	Note       string         `toml:"note"`
	Long       *struct {
		Over   int64   `toml:"over"`
		Input  float64 `toml:"input"`
		Output float64 `toml:"output"`
	} `toml:"long"`
	Changes []struct {
		From   toml.LocalDate `toml:"from"`
		Factor float64        `toml:"factor"`
	} `toml:"changes"`
}

const maxFile = 4 << 20

// Load returns the built-in table with the rows of files before it, a later
// file before an earlier one. An error names the file, and the line where it
// has one.
func Load(files ...string) (Table, error) {
	t := Table{byName: map[string]int{}}
	if err := t.add("prices.toml", builtin); err != nil {
		return Table{}, err
	}
	for _, name := range files {
		data, err := atomicfile.ReadFile(name, maxFile)
		if err != nil {
			return Table{}, err
		}
		if err := t.add(name, data); err != nil {
			return Table{}, err
		}
	}
	return t, nil
}

// Fingerprint changes when a price may have.
func (t Table) Fingerprint() string { return hex.EncodeToString(t.sum[:12]) }

// add puts the rows of a file before those that are there.
func (t *Table) add(name string, data []byte) error {
	t.sum = sha256.Sum256(append(t.sum[:], data...))
	var file struct {
		Model []row `toml:"model"`
	}
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		return inFile(name, err)
	}
	lines := rowLines(data)
	own := map[string]int{} // which row of this file has a name
	for i := range file.Model {
		r := &file.Model[i]
		if err := t.put(name, r, own, i); err != nil {
			if i < len(lines) {
				return fmt.Errorf("%s:%d: %w", name, lines[i], err)
			}
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (t *Table) put(file string, r *row, own map[string]int, n int) error {
	switch {
	case strings.TrimSpace(r.ID) == "":
		return errors.New("a model without an id")
	case r.Input == nil || r.Output == nil:
		return fmt.Errorf("%q needs both input and output, in US dollars for a million tokens", r.ID)
	case r.Tier != "" && r.Tier != Fast && r.Tier != Standard && r.Tier != Full:
		return fmt.Errorf("%q: tier must be fast, standard or full, not %q", r.ID, r.Tier)
	case r.Tier != "" && r.Vendor == "":
		return fmt.Errorf("%q has a tier and no vendor", r.ID)
	}
	p := Price{ID: r.ID, Vendor: r.Vendor, Tier: r.Tier, Input: *r.Input, Output: *r.Output, CacheRead: *r.Input, CacheWrite: *r.Input, Source: r.Source, Note: r.Note}
	if r.CacheRead != nil {
		p.CacheRead = *r.CacheRead
	}
	if r.CacheWrite != nil {
		p.CacheWrite = *r.CacheWrite
	}
	if p.Source == "" {
		p.Source = file
	}
	if r.AsOf != (toml.LocalDate{}) {
		p.AsOf = r.AsOf.String()
	}
	for _, v := range []float64{p.Input, p.Output, p.CacheRead, p.CacheWrite} {
		if !(v >= 0 && v <= 1e6) || math.IsNaN(v) {
			return fmt.Errorf("%q: %v is no price for a million tokens", r.ID, v)
		}
	}
	if l := r.Long; l != nil {
		if l.Over < 1 || l.Input <= 0 || l.Output <= 0 {
			return fmt.Errorf("%q: long needs over, input and output, all above 0", r.ID)
		}
		p.long = long{l.Over, l.Input, l.Output}
	}
	for _, c := range r.Changes {
		if c.From == (toml.LocalDate{}) || c.Factor <= 0 {
			return fmt.Errorf("%q: a change needs from, a date, and a factor above 0", r.ID)
		}
		p.changes = append(p.changes, change{c.From.AsTime(time.UTC), c.Factor})
	}
	at, replaces := t.byName[fold(r.ID)]
	if replaces = replaces && fold(t.prices[at].ID) == fold(r.ID); replaces { // a row with a discount need say no more than that
		p.Vendor, p.Tier = cmp.Or(p.Vendor, t.prices[at].Vendor), cmp.Or(p.Tier, t.prices[at].Tier)
	}
	if p.Tier != "" { // a vendor has one model for a tier: the last one named
		for i := range t.prices {
			if q := &t.prices[i]; q.Vendor == p.Vendor && q.Tier == p.Tier {
				q.Tier = ""
			}
		}
	}
	if replaces {
		t.prices[at] = p
	} else {
		at = len(t.prices)
		t.prices = append(t.prices, p)
	}
	for _, name := range append([]string{r.ID}, r.Aliases...) {
		name = fold(name)
		if other, ok := own[name]; ok && other != n {
			return fmt.Errorf("%q was already in this file", r.ID)
		}
		own[name] = n
		t.byName[name] = at
	}
	return nil
}

// inFile puts file and line into an error of the TOML parser.
func inFile(name string, err error) error {
	var missing *toml.StrictMissingError
	var at *toml.DecodeError
	switch {
	case errors.As(err, &missing) && len(missing.Errors) > 0:
		line, _ := missing.Errors[0].Position()
		return fmt.Errorf("%s:%d: %s is not known here", name, line, strings.Join(missing.Errors[0].Key(), "."))
	case errors.As(err, &at):
		line, _ := at.Position()
		return fmt.Errorf("%s:%d: %s", name, line, strings.TrimPrefix(at.Error(), "toml: "))
	}
	return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "toml: "))
}

// rowLines are the lines where the rows of a file begin.
func rowLines(data []byte) (lines []int) {
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.ArrayTable {
			for key := e.Key(); key.Next(); {
				lines = append(lines, p.Shape(key.Node().Raw).Start.Line)
				break
			}
		}
	}
	return lines
}

package cache

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// A Case is what a key needs of an eval's case, in YAML or JSON.
type Case struct {
	Sources []string // prompt_source_files
	input   [sha256.Size]byte
}

// MaxCase is how many bytes a case may have.
const MaxCase = 4 << 20

const maxNest = 200

// ErrCase says that a case cannot be read.
var ErrCase = errors.New("no case")

// notInput are the members of a case that its runner's output does not depend
// on: a change of what is expected is checked against the output that is there.
var notInput = []string{"description", "category", "tags", "expectations", "prompt_source_files"}

// ParseCase reads one case. Comments, layout, the order of members and how a
// text is quoted do not count; every value does, and what kind of value it is.
func ParseCase(text []byte) (Case, error) {
	if len(text) > MaxCase {
		return Case{}, fmt.Errorf("%w: it is larger than %d MB", ErrCase, MaxCase>>20)
	}
	if !utf8.Valid(text) {
		return Case{}, fmt.Errorf("%w: it is not UTF-8", ErrCase)
	}
	if nested(text) {
		return Case{}, fmt.Errorf("%w: it is nested deeper than %d levels", ErrCase, maxNest)
	}
	f, err := parser.ParseBytes(text, 0)
	var syntax yaml.Error
	switch {
	case errors.As(err, &syntax):
		return Case{}, fmt.Errorf("%w: line %d: %s", ErrCase, syntax.GetToken().Position.Line, syntax.GetMessage())
	case err != nil:
		return Case{}, fmt.Errorf("%w: %w", ErrCase, err)
	}
	docs := slices.DeleteFunc(f.Docs, func(d *ast.DocumentNode) bool { return d.Body == nil })
	if len(docs) != 1 {
		return Case{}, fmt.Errorf("%w: it must hold one document, not %d", ErrCase, len(docs))
	}
	top, ok := docs[0].Body.(*ast.MappingNode)
	if !ok {
		return Case{}, fmt.Errorf("%w: line %d: it is not a mapping", ErrCase, line(docs[0].Body))
	}
	r := reader{map[string][sha256.Size]byte{}, map[string]ast.Node{}}
	c, err := r.top(top)
	if err != nil {
		return Case{}, fmt.Errorf("%w: %w", ErrCase, err)
	}
	return c, nil
}

// reader makes one hash of a tree from those of its parts. An anchor's is made
// once, so aliases of aliases cost nothing.
type reader struct {
	anchors map[string][sha256.Size]byte
	nodes   map[string]ast.Node
}

func (r reader) top(n *ast.MappingNode) (c Case, err error) {
	var input []string
	for _, m := range n.Values {
		name := scalar(m.Key)
		pair, err := r.pair(m)
		if err != nil {
			return c, err
		}
		if name == "prompt_source_files" {
			if c.Sources, err = r.files(m.Value); err != nil {
				return c, err
			}
		}
		if !slices.Contains(notInput, name) {
			input = append(input, pair)
		}
	}
	slices.Sort(input)
	c.input = sum("map", input...)
	return c, nil
}

// files are the values of prompt_source_files.
func (r reader) files(n ast.Node) (files []string, err error) {
	n = r.value(n)
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		return nil, fmt.Errorf("line %d: prompt_source_files is not a list of files", line(n))
	}
	for _, v := range list.Values {
		s, ok := r.value(v).(*ast.StringNode)
		if !ok || s.Value == "" || strings.ContainsRune(s.Value, 0) {
			return nil, fmt.Errorf("line %d: a file of prompt_source_files is not a name", line(v))
		}
		files = append(files, s.Value)
	}
	return files, nil
}

// value looks through anchors and aliases.
func (r reader) value(n ast.Node) ast.Node {
	for range maxNest {
		switch v := n.(type) {
		case *ast.AnchorNode:
			n = v.Value
		case *ast.AliasNode:
			n = r.nodes[scalar(v.Value)]
		default:
			return n
		}
	}
	return n
}

func (r reader) pair(m *ast.MappingValueNode) (string, error) {
	key, err := r.hash(m.Key)
	if err != nil {
		return "", err
	}
	value, err := r.hash(m.Value)
	return string(key[:]) + string(value[:]), err
}

func (r reader) hash(n ast.Node) (h [sha256.Size]byte, err error) {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return sum("null"), nil
	case *ast.StringNode:
		return sum("text", n.Value), nil
	case *ast.LiteralNode:
		return sum("text", n.Value.Value), nil
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return sum(n.Type().String(), scalar(n)), nil
	case *ast.MergeKeyNode:
		return sum("merge"), nil
	case *ast.MappingKeyNode:
		return r.hash(n.Value)
	case *ast.MappingValueNode:
		pair, err := r.pair(n)
		return sum("map", pair), err
	case *ast.MappingNode:
		var pairs []string
		for _, m := range n.Values {
			pair, err := r.pair(m)
			if err != nil {
				return h, err
			}
			pairs = append(pairs, pair)
		}
		slices.Sort(pairs)
		return sum("map", pairs...), nil
	case *ast.SequenceNode:
		var items []string
		for _, v := range n.Values {
			item, err := r.hash(v)
			if err != nil {
				return h, err
			}
			items = append(items, string(item[:]))
		}
		return sum("list", items...), nil
	case *ast.TagNode:
		h, err = r.hash(n.Value)
		return sum("tag", n.Start.Value, string(h[:])), err
	case *ast.AnchorNode:
		h, err = r.hash(n.Value)
		name := scalar(n.Name)
		r.anchors[name], r.nodes[name] = h, n.Value
		return h, err
	case *ast.AliasNode:
		h, ok := r.anchors[scalar(n.Value)]
		if !ok {
			return h, fmt.Errorf("line %d: *%s is not defined above", line(n), scalar(n.Value))
		}
		return h, nil
	}
	return h, fmt.Errorf("line %d: %s is not understood", line(n), n.Type())
}

// sum hashes parts with their lengths.
func sum(kind string, parts ...string) (h [sha256.Size]byte) {
	s := sha256.New()
	field(s, kind)
	for _, p := range parts {
		field(s, p)
	}
	return [sha256.Size]byte(s.Sum(nil))
}

func scalar(n ast.Node) string {
	if s, ok := n.(ast.ScalarNode); ok {
		return fmt.Sprint(s.GetValue())
	}
	return n.String()
}

func line(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	return n.GetToken().Position.Line
}

// nested reports whether a text could be nested so deep that the parser, whose
// time grows with the square of the depth, would take forever. It does not know
// quotes, so it may count a bracket of a text: the limit leaves room for those.
func nested(text []byte) bool {
	depth := 0
	for l := range bytes.Lines(text) {
		begin := bytes.TrimLeft(l, "-? ")
		marks := l[:len(l)-len(begin)]
		if bytes.Count(marks, []byte("- "))+bytes.Count(marks, []byte("? ")) > maxNest {
			return true
		}
		if bytes.Count(l, []byte(" &")) > 10*maxNest {
			return true
		}
		for _, b := range l {
			switch b {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > 10*maxNest {
				return true
			}
		}
	}
	return false
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// A Source is a file that the cached data depends on, such as a prompt or the
// code that builds one. Name is what counts in the key, so it must be the same
// on every machine; File is where it is here.
type Source struct{ Name, File string }

// keyVersion is part of every key: a change of how keys are made misses.
const keyVersion = "cairn eval cache key 1"

// Key returns 16 hex digits of a SHA-256 over the case's input and the names,
// lengths and contents of the sources. The order of the sources does not
// count, nor does one that is named twice. A source that cannot be read is an
// error: a key without it would find what an older prompt answered.
func Key(c Case, sources []Source) (string, error) {
	sources = slices.Clone(sources)
	slices.SortFunc(sources, func(a, b Source) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File))
	})
	sources = slices.Compact(sources)
	h := sha256.New()
	field(h, keyVersion)
	field(h, string(c.input[:]))
	for _, s := range sources {
		content, size, err := digest(s.File)
		if err != nil {
			return "", fmt.Errorf("source %s: %w", s.Name, err)
		}
		field(h, s.Name)
		field(h, strconv.FormatInt(size, 10))
		field(h, string(content))
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// field adds a text with its length, so that nothing slides into the next.
func field(h hash.Hash, text string) {
	fmt.Fprintf(h, "%d:", len(text))
	h.Write([]byte(text))
}

// digest is the SHA-256 of a file, and its length in bytes.
func digest(name string) (sum []byte, size int64, err error) {
	fi, err := os.Stat(name)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err // who asks says which file
		}
		return nil, 0, err
	}
	if !fi.Mode().IsRegular() {
		return nil, 0, errors.New("it is not a regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return h.Sum(nil), size, err
}

// SourcesOf finds the files that a case names, and those that its caller adds,
// which are relative to the directory dir. Of the case's own, one that begins
// with ./ or ../ is relative to caseDir, every other to root, the repository.
// Without a repository root is caseDir.
//
// Names are relative to root, so that a key is the same in every checkout.
func SourcesOf(c Case, caseDir, root string, added []string, dir string) []Source {
	var list []Source
	for _, name := range c.Sources {
		base := root
		if local := filepath.ToSlash(name); local == "." || hasAnyPrefix(local, "./", "../") {
			base = caseDir
		}
		list = append(list, source(name, base, root))
	}
	for _, name := range added {
		list = append(list, source(name, dir, root))
	}
	return list
}

func source(name, base, root string) Source {
	file := filepath.FromSlash(name)
	if !filepath.IsAbs(file) {
		file = filepath.Join(base, file)
	}
	if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	return Source{filepath.ToSlash(name), file}
}

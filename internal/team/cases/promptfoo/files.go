package promptfoo

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

// mostFiles is how many files a configuration may stand for.
const mostFiles = 1000

// A document is a piece of a file.
type document struct {
	node cases.Node
	file string
}

// several are the items of a list; an item that names a file (file://x.yaml,
// or tests/*.yaml) stands for what is in it. One object stands for itself. What
// cannot be read is noted.
func (r *Reader) several(n cases.Node, dir string) (all []cases.Node) {
	items, isList := n.List()
	if !isList && n.There() {
		items = []cases.Node{n}
	}
	for _, item := range items {
		list, err := r.item(item, dir)
		all = append(all, list...)
		if err != nil {
			r.unread(item.Place(), said(item), err.Error())
		}
	}
	return all
}

func (r *Reader) item(n cases.Node, dir string) (all []cases.Node, err error) {
	name, isText := n.Text()
	if !isText {
		return []cases.Node{n}, nil
	}
	docs, err := r.yaml(name, dir)
	for _, d := range docs {
		if r.asked[d.file] {
			return all, fmt.Errorf("%s refers to itself", text.First(d.file, 80))
		}
		r.asked[d.file] = true
		all = append(all, r.several(d.node, path.Dir(d.file))...)
		delete(r.asked, d.file)
	}
	return all, err
}

// yaml reads the documents of the files that a name stands for.
func (r *Reader) yaml(name, dir string) (docs []document, err error) {
	switch {
	case strings.Contains(name, "{{"):
		return nil, fmt.Errorf("%s is a template; write the name of the file", text.First(name, 80))
	case strings.Contains(name, "://") && !strings.HasPrefix(name, "file://"):
		return nil, fmt.Errorf("%s is not read; only files in the configuration's directory are", text.First(name, 80))
	}
	pattern := inDir(dir, name)
	if !fs.ValidPath(pattern) {
		return nil, fmt.Errorf("%s is outside the configuration's directory", text.First(name, 80))
	}
	files := []string{pattern}
	if strings.ContainsAny(pattern, "*?[") {
		if files, err = fs.Glob(r.Files, pattern); err != nil || len(files) == 0 || len(files) > mostFiles {
			return nil, fmt.Errorf("%s matches %d files; it must match 1 to %d", text.First(name, 80), len(files), mostFiles)
		}
		slices.Sort(files)
	}
	for _, file := range files {
		switch strings.ToLower(path.Ext(file)) {
		case ".yaml", ".yml", ".json":
		default:
			return docs, fmt.Errorf("%s is not read; it must be YAML or JSON", text.First(file, 80))
		}
		if r.files++; r.files > mostFiles {
			return docs, fmt.Errorf("more than %d files are referred to", mostFiles)
		}
		data, err := r.read(file)
		if err != nil {
			return docs, err
		}
		nodes, err := cases.ParseYAML(file, data)
		if err != nil {
			return docs, err
		}
		for _, n := range nodes {
			docs = append(docs, document{n, file})
		}
	}
	return docs, nil
}

// read reads a file beneath the directory of the configuration.
func (r *Reader) read(file string) ([]byte, error) {
	if !fs.ValidPath(file) {
		return nil, fmt.Errorf("%s is outside the configuration's directory", text.First(file, 80))
	}
	info, err := fs.Stat(r.Files, file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("no file %s", text.First(file, 80))
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read, or is outside the configuration's directory", text.First(file, 80))
	case !info.Mode().IsRegular() || info.Size() > cases.MaxBytes:
		return nil, fmt.Errorf("%s must be a regular file of at most %d KB", text.First(file, 80), cases.MaxBytes>>10)
	}
	return fs.ReadFile(r.Files, file)
}

// vars are the variables of a test; texts and YAML that they name are read.
func (r *Reader) vars(n cases.Node) (vars []variable) {
	if name, ok := n.Text(); ok {
		docs, err := r.yaml(name, ".")
		doc, err := only(name, docs, err)
		if err != nil {
			r.leave(n.Place(), "", "vars", err.Error())
			return nil
		}
		n = doc.node
	}
	fields, _ := n.Fields()
	for _, f := range fields {
		v := variable{f.Name, f.Value(), f.At}
		if name, ok := f.Text(); ok && strings.HasPrefix(name, "file://") && !strings.Contains(name, "{{") {
			if value, err := r.content(inDir(".", name)); err != nil {
				r.leave(f.Place(), "", "vars."+f.Name, err.Error()+"; the variable keeps the name")
			} else {
				v.value = value
			}
		}
		vars = append(vars, v)
	}
	return vars
}

// only is the one document of a file.
func only[T any](file string, docs []T, err error) (doc T, _ error) {
	if err == nil && len(docs) != 1 {
		err = fmt.Errorf("%s must hold one document, not %d", text.First(file, 80), len(docs))
	}
	if err != nil {
		return doc, err
	}
	return docs[0], nil
}

// content is what a variable's file holds.
func (r *Reader) content(file string) (any, error) {
	switch ext := strings.ToLower(path.Ext(file)); ext {
	case ".txt", ".md", ".html", ".csv", ".xml", ".json", ".yaml", ".yml", "":
		data, err := r.read(file)
		if err != nil {
			return nil, err
		}
		if ext == ".yaml" || ext == ".yml" || ext == ".json" {
			docs, err := cases.ParseYAML(file, data)
			doc, err := only(file, docs, err)
			return doc.Value(), err
		}
		return strings.TrimSpace(strings.ToValidUTF8(string(data), "\ufffd")), nil
	}
	return nil, fmt.Errorf("%s is not read; it must be text, YAML or JSON, and no program is run", text.First(file, 80))
}

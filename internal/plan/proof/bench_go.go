package proof

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/internal/home"
	"cairn/internal/plan/proof/cover"
	"cairn/internal/plan/proof/mark"
	"cairn/internal/plan/proof/mutant"
	"cairn/internal/plan/proof/record"
	"cairn/internal/plan/proof/tree"
)

// goBench builds the tests of the changed packages once, and runs the programs that
// come out of it. What they do not notice the other lines are asked.
type goBench struct {
	j        *judge
	dir      string // the project, in the tree
	root     string // the module, in the tree
	module   string // its path
	at       string // the module, relative to the project: "" or with a slash at the end
	packages []string
	built    map[string]string // by package: its tests
	took     time.Duration
	out      string
	coverpkg string
	tags     string // a flag, "" or with a space before it
}

var moduleLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`) })

// goFor puts the points into the tree. Packages of several modules are no case of it.
func (j *judge) goFor(dir string, files []string, points []mutant.Point) (bench, string, error) {
	out, err := j.trees.Scratch()
	if err != nil {
		return nil, "", err
	}
	b := &goBench{j: j, dir: dir, built: map[string]string{}, out: out, tags: j.tags()}
	for _, name := range files {
		rel := strings.TrimPrefix(name, j.prefix)
		at := path.Dir(rel)
		for at != "." && !exists(filepath.Join(dir, filepath.FromSlash(at), "go.mod")) {
			at = path.Dir(at)
		}
		if b.root != "" && at != strings.TrimSuffix(b.at, "/") && (at != "." || b.at != "") {
			return nil, "the change is in several modules", nil
		}
		b.at, b.root = "", filepath.Join(dir, filepath.FromSlash(at))
		if at != "." {
			b.at = at + "/"
		}
		if p := strings.TrimPrefix(path.Dir(rel), strings.TrimSuffix(b.at, "/")); !slices.Contains(b.packages, strings.Trim(p, "/")) {
			b.packages = append(b.packages, strings.Trim(p, "/"))
		}
	}
	mod, err := os.ReadFile(filepath.Join(b.root, "go.mod"))
	m := moduleLine().FindSubmatch(mod)
	if err != nil || m == nil {
		return nil, "there is no go.mod", nil
	}
	b.module = string(m[1])
	for i, p := range b.packages {
		if p == "." {
			b.packages[i] = ""
		}
	}
	if err := b.put(dir, points); err != nil {
		return nil, "", err
	}
	return b, "", nil
}

func exists(name string) bool { _, err := os.Stat(name); return err == nil }

// put writes the files with their points, and what each package needs beside them.
func (b *goBench) put(dir string, points []mutant.Point) error {
	if err := b.j.put(dir, points); err != nil {
		return err
	}
	for _, p := range points {
		s := b.j.sources[p.File]
		pkg := packageOf(s)
		name, text := mutant.Beside(pkg)
		full := filepath.Join(dir, filepath.FromSlash(path.Dir(strings.TrimPrefix(p.File, b.j.prefix))), name)
		if err := os.WriteFile(full, []byte(text), home.SharedFile); err != nil {
			return err
		}
	}
	return nil
}

var packageLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^package\s+(\w+)`) })

func packageOf(s *mark.Source) string {
	if m := packageLine().FindStringSubmatch(s.Code); m != nil {
		return m[1]
	}
	return "main"
}

func (b *goBench) pattern(p string) string { return "./" + p }

func (b *goBench) path(p string) string { return path.Join(b.module, p) }

func (b *goBench) env(more ...string) []string {
	return append(b.j.trees.Environ(b.root), more...)
}

// build makes the tests of the packages that have some, two at a time.
func (b *goBench) build(covering bool) (why string, err error) {
	flags := ""
	if covering {
		var paths []string
		for _, p := range b.packages {
			paths = append(paths, b.path(p))
		}
		b.coverpkg = strings.Join(paths, ",")
		flags = " -cover -coverpkg=" + b.coverpkg
	}
	var wait sync.WaitGroup
	var lock sync.Mutex
	slots := make(chan bool, 2)
	for i, p := range b.packages {
		tests, _ := filepath.Glob(filepath.Join(b.root, filepath.FromSlash(p), "*_test.go"))
		if len(tests) == 0 {
			continue
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			slots <- true
			defer func() { <-slots }()
			out := filepath.Join(b.out, fmt.Sprint(i)+".test")
			r, failed := tree.Run(b.j.ctx, b.root, b.env(), fmt.Sprintf("go test -c -vet=off -ldflags=-w%s%s -o %s %s", b.tags, flags, quote(out), quote(b.pattern(p))), b.j.left(mostOf)+time.Second)
			lock.Lock()
			defer lock.Unlock()
			if failed != nil {
				err = errors.Join(err, failed)
			} else if r.Exit != 0 {
				why = "the tests of " + b.path(p) + " do not build:\n" + lastLines(r.Said, 4)
			}
			if exists(out) || r.Exit != 0 { // all its tests may need a tag that no verify names
				b.built[p] = out
			}
		}()
	}
	wait.Wait()
	return why, err
}

var tagsFlag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s-{1,2}tags[= ]['"]?([\w,.]+)`) })

// tags are the flag with all build tags that a verify of the phase names.
func (j *judge) tags() string {
	var all []string
	for _, p := range j.Plans {
		for _, t := range p.Doc.Tasks {
			for _, m := range tagsFlag().FindAllStringSubmatch(t.Verify, -1) {
				all = append(all, strings.Split(m[1], ",")...)
			}
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) == 0 {
		return ""
	}
	return " -tags=" + strings.Join(all, ",")
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (b *goBench) baseline() (cover.Files, string, error) {
	if why, err := b.build(true); err != nil || why != "" {
		return nil, why, err
	}
	found := cover.Files{}
	for p, program := range b.built {
		profile := program + ".profile"
		r, err := tree.Run(b.j.ctx, filepath.Join(b.root, filepath.FromSlash(p)), b.env(), quote(program)+" -test.coverprofile="+quote(profile), b.j.left(mostOf)+time.Second)
		if err != nil {
			return nil, "", err
		}
		b.j.ran++
		if r.Exit != 0 {
			return nil, "the tests of " + b.path(p) + " are red:\n" + lastLines(r.Said, 4), nil
		}
		b.took = max(b.took, r.Took)
		text, _ := os.ReadFile(profile)
		found.Join(cover.Go(string(text)))
	}
	if need := b.needsMore(found); need {
		profile := filepath.Join(b.out, "all.profile")
		r, err := tree.Run(b.j.ctx, b.root, b.env(), "go test -vet=off"+b.tags+" -coverpkg="+b.coverpkg+" -coverprofile="+quote(profile)+" ./...", b.j.left(mostOf)+time.Second)
		if err != nil {
			return nil, "", err
		}
		b.j.ran++
		if text, err := os.ReadFile(profile); err == nil && (r.Exit == 0 || len(text) > 0) {
			found.Join(cover.Go(string(text)))
		}
	}
	out := cover.Files{}
	for name, lines := range found {
		if rel, ok := strings.CutPrefix(name, b.module+"/"); ok {
			out[b.j.prefix+b.at+rel] = lines
		}
	}
	return out, "", nil
}

// needsMore: the tests of the changed packages by themselves run too little of them.
func (b *goBench) needsMore(found cover.Files) bool {
	hit, all := 0, 0
	for name, lines := range found {
		rel := b.j.prefix + b.at + strings.TrimPrefix(name, b.module+"/")
		for _, n := range b.j.lines(rel) {
			if count, ok := lines[n]; ok {
				all++
				if count > 0 {
					hit++
				}
			}
		}
	}
	return len(b.built) < len(b.packages) || hit*100 < max(b.j.Coverage, 1)*all || all == 0
}

// of is the package of a file, relative to the module.
func (b *goBench) of(file string) string {
	rel := strings.TrimPrefix(strings.TrimPrefix(path.Dir(strings.TrimPrefix(file, b.j.prefix)), strings.TrimSuffix(b.at, "/")), "/")
	if rel == "." {
		return ""
	}
	return rel
}

// nearest are the packages with built tests, that of a file first.
func (b *goBench) nearest(file string) []string {
	own := b.of(file)
	out := slices.Sorted(maps.Keys(b.built))
	if i := slices.Index(out, own); i > 0 {
		out = slices.Concat([]string{own}, out[:i], out[i+1:])
	}
	return out
}

func (b *goBench) without(file, key string) (w record.Without, err error) {
	began := time.Now()
	defer func() { w.Seconds = float64(time.Since(began).Milliseconds()) / 1000 }()
	variable := mutant.Variable + "=" + key
	for _, p := range b.nearest(file) {
		program := b.built[p]
		r, err := b.j.tried(filepath.Join(b.root, filepath.FromSlash(p)), b.env(variable), quote(program)+" -test.failfast", limitFor(b.took))
		if err != nil || r.Exit != 0 {
			return record.Without{Noticed: err == nil, By: "go test " + b.pattern(p), Exit: r.Exit}, err
		}
	}
	return b.j.ask(b.dir, append(b.j.nearest(b.j.greens(), file), b.j.allGo()), []string{variable}, limitFor(b.took)+20*time.Second, nil)
}

// allGo is the line for all tests of the project.
func (j *judge) allGo() string {
	if j.TestCommand != "" {
		return j.TestCommand
	}
	return "go test ./..."
}

func (b *goBench) reverted(file string) (record.Without, error) {
	first := "go test -vet=off" + b.tags + " " + quote(b.pattern(b.of(file)))
	if b.at != "" {
		first = "cd " + quote(strings.TrimSuffix(b.at, "/")) + " && " + first
	}
	return b.j.ask(b.dir, append([]string{first}, append(b.j.greens(), b.j.allGo())...), nil, limitFor(b.took)+60*time.Second, goBroken)
}

// goBroken: it did not build, and no test ran.
func goBroken(said string) bool {
	return strings.Contains(said, "[build failed]") || strings.Contains(said, "[setup failed]")
}

package gate

import (
	"path"
	"slices"
	"strings"
)

// Schema says which tools' schema files a phase touches and which of these
// were not pushed to the database.
type Schema struct {
	Result   Result
	Files    []string // the schema files
	ORMs     []string // the tools they belong to
	Unpushed []string // those without evidence of a push
}

// schemaDrift is the gate against code that runs on a database without the
// schema it was written for. It blocks. In the plan stage a task of a plan
// must push what the plans touch; afterwards a summary or a commit must say
// that it was done: log gives the commits, and read what is in a file of the
// project.
func schemaDrift(stage Stage, plans, summaries []File, log func() string, read func(name string) ([]byte, error)) Schema {
	s := Schema{Result: Result{Gate: "schema", Stage: stage, Type: Safety, Blocking: true}}
	files := s.touch(touchedBy(plans, summaries), read)
	if len(files) == 0 {
		s.Result = s.Result.pass("no schema file is touched")
		return s
	}
	evidence := ""
	said := plans
	if stage != Plan {
		evidence, said = log(), summaries
	}
	for _, f := range said {
		evidence += "\n" + f.String()
	}
	evidence = strings.ToLower(evidence)
	var missing []Missing
	for _, o := range orms {
		if len(files[o.Name]) == 0 || o.pushed(evidence) {
			continue
		}
		s.Unpushed = append(s.Unpushed, o.Name)
		missing = append(missing, Missing{
			ID: o.Name, Category: "schema", Text: strings.Join(files[o.Name], ", "), Remedies: o.remedies(stage),
		})
	}
	no := "nothing says that they were pushed"
	if stage == Plan {
		no = "no task pushes them"
	}
	s.Result = s.Result.judge(missing, "every schema that is touched is pushed: "+strings.Join(s.ORMs, ", "),
		"schema files are touched and "+no+" to the database:")
	return s
}

// touch sorts files by the tool whose schema they are; the first that has one
// keeps it.
func (s *Schema) touch(touched []string, read func(string) ([]byte, error)) map[string][]string {
	of := map[string][]string{}
	for _, o := range orms {
		for _, f := range touched {
			if !slices.Contains(s.Files, f) && o.has(f, read) {
				of[o.Name] = append(of[o.Name], f)
				s.Files = append(s.Files, f)
			}
		}
		if len(of[o.Name]) > 0 {
			s.ORMs = append(s.ORMs, o.Name)
		}
	}
	return of
}

func touchedBy(plans, summaries []File) []string {
	var out []string
	for _, f := range slices.Concat(plans, summaries) {
		out = append(out, FilesOf(f.Text)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// has reports whether the file is one of the tool's.
func (o orm) has(name string, read func(string) ([]byte, error)) bool {
	if !slices.ContainsFunc(o.Files, func(pattern string) bool { return matches(pattern, name) }) {
		return false
	}
	if o.Holds != "" {
		b, err := read(name)
		return err == nil && strings.Contains(string(b), o.Holds)
	}
	if o.Near == "" {
		return true
	}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if _, err := read(path.Join(dir, o.Near)); err == nil {
			return true
		}
		if dir == "." || dir == "/" {
			return false
		}
	}
}

func (o orm) pushed(evidence string) bool {
	return slices.ContainsFunc(o.Evidence, func(pattern string) bool { return said(evidence, pattern) })
}

func (o orm) remedies(stage Stage) []string {
	if stage == Plan {
		return []string{"add a task that runs: " + o.Push}
	}
	return []string{"run: " + o.Push, "if it was run, say so in the plan's summary"}
}

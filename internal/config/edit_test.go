package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"cairn/internal/home"
	"cairn/internal/project"
)

func TestEdit(t *testing.T) {
	for _, tt := range []struct {
		name, in, key string
		v             any
		want          string // "" for an error
	}{
		{"empty", "", CompactLevel, "minimal", "[compact]\nlevel = 'minimal'\n"},
		{"replace, comment kept", "# top\n[compact]\nlevel   =  \"normal\"   # why\n# end", CompactLevel, "minimal", "# top\n[compact]\nlevel   = 'minimal'   # why\n# end\n"},
		{"a # in the value", "compact.level = 'normal' # a '#'\n", CompactLevel, "minimal", "compact.level = 'minimal' # a '#'\n"},
		{"into its table", "[compact]\nenabled = true\n\n[compact.tee]\non_exit = 'never'\n", CompactLevel, "minimal", "[compact]\nenabled = true\nlevel = 'minimal'\n\n[compact.tee]\non_exit = 'never'\n"},
		{"into an empty table", "[compact]\n[compact.tee]\n", CompactLevel, "minimal", "[compact]\nlevel = 'minimal'\n[compact.tee]\n"},
		{"new table behind a parent", "[compact]\nlevel = 'normal'\n", CompactTeeBytes, 4096, "[compact]\nlevel = 'normal'\n\n[compact.tee]\nmax_bytes = 4096\n"},
		{"new parent behind a child", "[compact.tee]\nmax_bytes = 4096\n", CompactEnabled, false, "[compact.tee]\nmax_bytes = 4096\n\n[compact]\nenabled = false\n"},
		{"dotted neighbors", "[compact]\ntee.on_exit = 'never'\n", CompactTeeBytes, 4096, "[compact]\ntee.on_exit = 'never'\ntee.max_bytes = 4096\n"},
		{"dotted at the top", "compact.tee.on_exit = 'never'\n[x]\n", CompactTeeBytes, 4096, "compact.tee.on_exit = 'never'\ncompact.tee.max_bytes = 4096\n[x]\n"},
		{"list over lines", "[compact]\nexclude_commands = [ # those\n  'a', # ]\n  'b',\n]\nlevel = 'normal'\n", CompactExclude, []string{"git show"}, "[compact]\nexclude_commands = ['git show']\nlevel = 'normal'\n"},
		{"CRLF", "[compact]\r\nlevel = 'normal'\r\n", CompactEnabled, true, "[compact]\r\nlevel = 'normal'\r\nenabled = true\r\n"},
		{"CRLF with a comment", "[compact]\r\nlevel = 'normal' # x\r\n", CompactLevel, "minimal", "[compact]\r\nlevel = 'minimal' # x\r\n"},
		{"quotes in a value", "", CompactExclude, []string{`a "b" 'c'`}, "[compact]\nexclude_commands = [\"a \\\"b\\\" 'c'\"]\n"},
		{"inline table", "compact = { level = 'normal' }\n", CompactLevel, "minimal", ""},
		{"broken file", "[compact\n", CompactLevel, "minimal", ""},
	} {
		got, err := edit([]byte(tt.in), tt.key, tt.v)
		if tt.want == "" {
			if !errors.Is(err, ErrFile) {
				t.Errorf("%s: %q, %v", tt.name, got, err)
			}
		} else if err != nil || string(got) != tt.want {
			t.Errorf("%s:\n got %q %v\nwant %q", tt.name, got, err, tt.want)
		}
	}
}

func TestSet(t *testing.T) {
	dir := t.TempDir()
	h, r := home.Home(filepath.Join(dir, "user")), home.Repo(dir)
	file, err := SetUser(h, CompactLevel, "minimal")
	if err != nil || file != h.Config() {
		t.Fatal(file, err)
	}
	if fi, err := os.Stat(file); err != nil || fi.Mode().Perm() != home.PrivateFile && runtime.GOOS != "windows" {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
	if _, err := SetProject(project.Open(h, r), CompactEnabled, "false"); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		key, text string
		want      error
	}{{CompactTeeRedact, "aws", ErrByUser}, {CompactLevel, "loud", ErrValue}, {"compact.nope", "1", ErrUnknown}} {
		if _, err := SetProject(project.Open(h, r), tt.key, tt.text); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", tt.key, err)
		}
	}
	c, w := Load(dir, func(k string) string { return map[string]string{"CAIRN_HOME": string(h)}[k] })
	if c.Text(CompactLevel) != "minimal" || c.Bool(CompactEnabled) || len(w) > 0 {
		t.Errorf("%+v %v", c.Values()[:2], w)
	}
}

func FuzzEdit(f *testing.F) {
	f.Add("[compact]\nlevel = 'normal' # x\n")
	f.Add("compact.tee = { a = 1 }\n\"compact\".level = '''\n'''")
	f.Fuzz(func(t *testing.T, in string) {
		for _, key := range []string{CompactLevel, CompactTeeOnExit} {
			s, _ := Find(key)
			out, err := edit([]byte(in), key, s.Allowed[0])
			if err != nil {
				continue
			}
			again, err := edit(out, key, s.Allowed[0])
			if err != nil || string(again) != string(out) {
				t.Errorf("%q\nonce  %q\ntwice %q %v", in, out, again, err)
			}
		}
	})
}

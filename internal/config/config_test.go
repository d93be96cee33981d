package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"cairn/internal/home"
	"cairn/internal/project"
)

// A fixture is a user, a repository and an environment.
type fixture struct {
	home home.Home
	repo home.Repo
	env  map[string]string
}

func newFixture(t testing.TB) fixture {
	dir := t.TempDir()
	f := fixture{home: home.Home(filepath.Join(dir, "user", ".cairn")), repo: home.Repo(filepath.Join(dir, "repo"))}
	f.env = map[string]string{"CAIRN_HOME": string(f.home)}
	if err := os.MkdirAll(filepath.Join(string(f.repo), ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return f
}

// load reads the settings; the repository's are trusted as they are.
func (f fixture) load() (Config, []Warning) {
	d := project.Open(f.home, f.repo)
	if data, err := d.Read(project.Config, maxFile); err == nil {
		_ = d.Trust(map[string][]byte{project.Config: data})
	}
	return Load(string(f.repo), func(k string) string { return f.env[k] })
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestPrecedence(t *testing.T) {
	f := newFixture(t)
	step := func(want string, source Source, warnings int) {
		t.Helper()
		c, w := f.load()
		v, _ := c.Value(CompactLevel)
		if v.Any != want || v.Source != source || len(w) != warnings {
			t.Errorf("got %v from %+v, warnings %v; want %s from %+v", v.Any, v.Source, w, want, source)
		}
	}
	step("normal", Source{Kind: Default}, 0)
	write(t, f.home.Config(), "# mine\n[compact]\nlevel = \"minimal\"\n")
	step("minimal", Source{Kind: User, File: f.home.Config(), Line: 3}, 0)
	write(t, f.repo.Config(), "compact.level = 'aggressive'\n")
	step("aggressive", Source{Kind: Project, File: f.repo.Config(), Line: 1}, 0)
	f.env["CAIRN_COMPACT_LEVEL"] = "minimal"
	step("minimal", Source{Kind: Environment, Name: "CAIRN_COMPACT_LEVEL"}, 0)
	f.env["CAIRN_COMPACT_LEVEL"] = "loud"
	step("aggressive", Source{Kind: Project, File: f.repo.Config(), Line: 1}, 1)

	c, _ := f.load()
	if err := c.Override(CompactLevel, "level", "normal"); err != nil || c.Text(CompactLevel) != "normal" {
		t.Errorf("the flag: %v, %v", c.Text(CompactLevel), err)
	}
	if err := c.Override(CompactLevel, "level", "x"); err == nil || c.Text(CompactLevel) != "normal" {
		t.Errorf("a wrong flag: %v, %v", c.Text(CompactLevel), err)
	}
}

// The seed's file, as far as its keys have a behavior here.
func TestEveryKeyOfAFile(t *testing.T) {
	f := newFixture(t)
	write(t, f.home.Config(), `[compact]
enabled = false
level = "aggressive"   # minimal | normal | aggressive
exclude_commands = ["curl", "playwright"]
[compact.regex]
per_rule_timeout_ms = 40
[compact.tee]
on_exit = "always"
max_bytes = 2048
redact_patterns = [
  "aws",
  "ssh-private-key", # last
]
cleanup_days = 3
[compact.shim]
tools = []
`)
	c, w := f.load()
	if len(w) > 0 {
		t.Error(w)
	}
	if c.Bool(CompactEnabled) || c.Int(CompactRegexMS) != 40 || c.Int(CompactTeeBytes) != 2048 || c.Text(CompactTeeOnExit) != "always" || c.Int(CompactTeeDays) != 3 ||
		!reflect.DeepEqual(c.List(CompactExclude), []string{"curl", "playwright"}) || !reflect.DeepEqual(c.List(CompactTeeRedact), []string{"aws", "ssh-private-key"}) || len(c.List(CompactShimTools)) != 0 {
		t.Errorf("%+v", c.Values())
	}
	lines := map[string]int{CompactExclude: 4, CompactTeeRedact: 10, CompactTeeDays: 14, CompactShimTools: 16}
	for key, want := range lines {
		if v, _ := c.Value(key); v.Source.Line != want {
			t.Errorf("%s is said to stand in line %d, not %d", key, v.Source.Line, want)
		}
	}
	if len(c.Values()) != len(settings) {
		t.Error("settings without a value")
	}
}

// What is wrong costs its own setting only, and is told with file, line, key.
func TestWarnings(t *testing.T) {
	for _, tt := range []struct{ text, warning, level string }{
		{"[compact]\nlevel = \"loud\"\n", `2: compact.level: "loud" is none of minimal, normal, aggressive`, "normal"},
		{"[compact]\nenabled = 1\nlevel = \"minimal\"\n", "2: compact.enabled: 1 is not true or false", "minimal"},
		{"[compact]\nlevel = minimal\nenabled = false\n", "2: compact.level: ", "normal"},
		{"[compact]\nenabled = nope\nlevel = \"minimal\"\n", "2: compact.enabled: ", "minimal"},
		{"[compact]\nlevle = \"minimal\"\n", "2: compact.levle: no such setting", "normal"},
		{"level = \"minimal\"\n", "1: level: no such setting, did you mean compact.level", "normal"},
		{"compact = { level = 3 }\n", "1: compact.level: 3 is not one of", "normal"},
		{"[compact.tee]\nmax_bytes = 5\n", "2: compact.tee.max_bytes: 5 is not within 1024 and 1073741824", "normal"},
		{"[compact.verifier]\nmodel = ' '\n", "2: compact.verifier.model: this cannot be empty", "normal"},
		{"[compact]\nexclude_commands = [\"a\", 1]\n", "2: compact.exclude_commands: 1 in the list is not a string", "normal"},
		{"[compact]\nlevel = \"minimal\"\nlevel = \"normal\"\n", "3: compact.level: ", "minimal"},
		{strings.Repeat("a = 'b'\n", 1<<18), "holds more than 1 MB", "normal"},
	} {
		f := newFixture(t)
		write(t, f.home.Config(), tt.text)
		c, w := f.load()
		if len(w) != 1 || !strings.Contains(w[0].String(), tt.warning) || !strings.HasPrefix(w[0].String(), f.home.Config()) {
			t.Errorf("%.60q: warnings %v, want %q", tt.text, w, tt.warning)
		}
		if c.Text(CompactLevel) != tt.level {
			t.Errorf("%.60q: level %s", tt.text, c.Text(CompactLevel))
		}
	}
}

func TestHopelessFiles(t *testing.T) {
	for _, text := range []string{strings.Repeat("= = [\n", 1000), "\x00\xff\xfe", "[[[[", "a = '''\n", strings.Repeat("[", 100_000)} {
		f := newFixture(t)
		write(t, f.home.Config(), text)
		if c, w := f.load(); len(w) == 0 || len(w) > maxBroken || c.Text(CompactLevel) != "normal" {
			t.Errorf("%.20q: %d warnings", text, len(w))
		}
	}
	f := newFixture(t)
	if err := os.MkdirAll(f.home.Config(), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, w := f.load(); len(w) != 1 {
		t.Errorf("a directory in its place: %v", w)
	}
}

func TestProjectMayNotSetEverything(t *testing.T) {
	f := newFixture(t)
	write(t, f.repo.Config(), "[compact.tee]\nredact_patterns = []\non_exit = 'never'\n[compact.shim]\ntools = ['cd']\n")
	c, w := f.load()
	if len(w) != 2 || len(c.List(CompactTeeRedact)) == 0 || c.Text(CompactTeeOnExit) != "never" {
		t.Errorf("%v, %v", c.List(CompactTeeRedact), w)
	}
}

func TestEnvironment(t *testing.T) {
	f := newFixture(t)
	f.env["CAIRN_RAW"], f.env["CAIRN_COMPACT_ENABLED"] = "1", "true"
	f.env["CAIRN_COMPACT_EXCLUDE_COMMANDS"] = "git show, curl"
	f.env["CAIRN_COMPACT_TEE_MAX_BYTES"] = "many"
	c, w := f.load()
	if v, _ := c.Value(CompactEnabled); v.Any != false || v.Source.Name != "CAIRN_RAW" {
		t.Errorf("%+v", v)
	}
	if got := c.List(CompactExclude); !reflect.DeepEqual(got, []string{"git show", "curl"}) {
		t.Errorf("%q", got)
	}
	if len(w) != 1 || w[0].Key != "CAIRN_COMPACT_TEE_MAX_BYTES" {
		t.Errorf("%v", w)
	}
	f.env["CAIRN_RAW"] = "please"
	if c, w := f.load(); c.Bool(CompactEnabled) || len(w) != 1 {
		t.Errorf("CAIRN_RAW=please does not turn compaction off: %v", w)
	}
	f.env["CAIRN_RAW"] = "0"
	if c, _ := f.load(); !c.Bool(CompactEnabled) {
		t.Error("CAIRN_RAW=0 turns compaction off")
	}
}

func TestDeclarations(t *testing.T) {
	for i := range settings {
		s := &settings[i]
		v, err := s.parse(s.Default)
		if err != nil {
			t.Errorf("%s: default: %v", s.Key, err)
		}
		if want := "CAIRN_" + strings.ToUpper(strings.ReplaceAll(s.Key, ".", "_")); s.Env != want {
			t.Errorf("%s: variable %s, not %s", s.Key, s.Env, want)
		}
		if s.Doc == "" || !strings.HasSuffix(s.Doc, ".") {
			t.Errorf("%s: not a sentence: %q", s.Key, s.Doc)
		}
		// What get prints, set reads.
		if again, err := s.parse((Value{Any: v}).String()); err != nil || !reflect.DeepEqual(again, v) {
			t.Errorf("%s: %v became %v, %v", s.Key, v, again, err)
		}
	}
}

func BenchmarkLoadNoFiles(b *testing.B) {
	f := newFixture(b)
	for b.Loop() {
		f.load()
	}
}

func BenchmarkLoadBothFiles(b *testing.B) {
	f := newFixture(b)
	write(b, f.home.Config(), "[compact]\nlevel = \"minimal\"\nexclude_commands = [\"curl\"]\n[compact.tee]\ncleanup_days = 3\n")
	write(b, f.repo.Config(), "[compact]\nlevel = \"normal\"\n")
	for b.Loop() {
		f.load()
	}
}

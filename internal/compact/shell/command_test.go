package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// show prints the calls as `name arg|arg {flags}; …`, so that a table reads.
func show(p Parsed) string {
	var out []string
	for _, c := range p.Calls {
		s := strings.Join(append([]string{c.Name}, c.Args...), "|")
		for _, f := range []struct {
			on   bool
			mark string
		}{{c.Silent, "-"}, {c.Clipped, "<"}, {c.Filtered, "~"}} {
			if f.on {
				s += f.mark
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, " ; ")
}

// Marks behind a call: - silent, < clipped, ~ filtered.
func TestParse(t *testing.T) {
	for _, tt := range []struct{ cmd, want string }{
		{"go test ./...", "go|test|./..."},
		{"", ""},
		{"  \n\t", ""},
		{"FOO=1 BAR='a b' go vet", "go|vet"},
		{"VAR=$(go version)", ""},
		{"/usr/local/go/bin/go build", "go|build"},
		{"./gradlew test", "gradle|test"},
		{`'C:\Tools\Go.EXE' test`, "go|test"},
		{`\ls -la`, "ls|-la"},
		{"python3.12 x.py", "python|x.py"},
		{"gcc-13 -c a.c", "gcc|-c|a.c"},
		{"docker-compose up -d", "docker|compose|up|-d"},

		// Lists, groups and control flow.
		{"cd /x && go test", "cd|/x- ; go|test"},
		{"source .venv/bin/activate && pytest -q", "source|.venv/bin/activate- ; pytest|-q"},
		{"a && b || c; d", "a ; b ; c ; d"},
		{"(cd web; npm test)", "cd|web- ; npm|test"},
		{"{ make; make install; }", "make ; make|install"},
		{"if go build; then ./app; else echo bad; fi", "go|build ; app ; echo|bad-"},
		{"for d in a b; do (cd $d && make); done", "cd|$d- ; make"},
		{"while read l; do grep x $l; done < list", "read|l- ; grep|x|$l"},
		{"case $1 in a) make;; *) go test;; esac", "make ; go|test"},
		{"! grep -q x f", "grep|-q|x|f"},
		{"export A=1; [[ -f x ]] && make", "export- ; make"},
		{"time -p make -j4", "make|-j4"},
		{"go test; echo \"exit: $?\"", "go|test ; echo|exit: $?-"},

		// Wrappers.
		{"sudo -u root -E apt-get install x", "apt-get|install|x"},
		{"env -u X FOO=1 -- cargo test", "cargo|test"},
		{"env", "env"},
		{"nohup nice -n 10 timeout -k 5 100s go test", "go|test"},
		{"stdbuf -oL xvfb-run -a -s '-screen 0' npm test", "npm|test"},
		{"command go test", "go|test"},
		{"command -v go", "command|-v|go"},
		{"npx --yes -p jest@29 jest --ci", "jest|--ci"},
		{"npx @biomejs/biome@1.9 check", "biome|check"},
		{"npx --version", "npx|--version"},
		{"npm exec --yes -- tsc -p .", "tsc|-p|."},
		{"npm --prefix web exec eslint .", "eslint|."},
		{"pnpm --filter api exec vitest run", "vitest|run"},
		{"pnpm dlx cowsay", "cowsay"},
		{"pnpm vitest run", "vitest|run"},
		{"yarn jest -i", "jest|-i"},
		{"yarn --cwd web jest", "jest"},
		{"yarn build", "yarn|build"},
		{"yarn lint:fix", "yarn|lint:fix"},
		{"yarn add jest", "yarn|add|jest"},
		{"bun test", "bun|test"},
		{"bunx tsc", "tsc"},
		{"bundle exec rspec spec", "rspec|spec"},
		{"poetry run python -m pytest -x", "pytest|-x"},
		{"uv run --with pytest -p 3.12 pytest -q", "pytest|-q"},
		{"uv run -m pytest", "pytest"},
		{"uv pip install x", "uv|pip|install|x"},
		{"uvx ruff@latest check", "ruff|check"},
		{"uv --directory api tool run mypy .", "mypy|."},
		{"hatch run pytest", "pytest"},
		{"conda run -n dev pytest", "pytest"},
		{"mise exec node@22 -- npm test", "npm|test"},
		{"python -m pip install x", "pip|install|x"},
		{"python3 -W error -mpytest", "pytest"},
		{"python -c 'import x' -m y", "python|-c|import x|-m|y"},
		{"python manage.py test", "python|manage.py|test"},
		{"node node_modules/.bin/jest --ci", "jest|--ci"},
		{"node --max-old-space-size=9 -r x ./node_modules/typescript/bin/tsc -p .", "tsc|-p|."},
		{"node node_modules/mocha/bin/_mocha.js t", "mocha|t"},
		{"node --test test/", "node|--test|test/"},
		{"./node_modules/.bin/jest", "jest"},
		{"find . -name '*.go' | xargs -0 -n 1 gofmt -l", "gofmt|-l"},
		{"bash -c 'cd x && go test'", "cd|x- ; go|test"},
		{`sh -ec "npm \"test\""`, "npm|test"},
		{"bash -o pipefail -c 'make'", "make"},
		{"bash ci.sh -c x", "bash|ci.sh|-c|x"},
		{`bash -c "bash -c \"bash -c make\""`, "make"},

		// Redirects: what goes to a file does not reach the result.
		{"make > log", "make"},
		{"make > log 2>&1", "make-"},
		{"make 2>&1 > log", "make"},
		{"make &> log", "make-"},
		{"make >& log", "make-"},
		{"make 2> err.txt", "make"},
		{"{ make; } >/dev/null 2>&1; go test", "make- ; go|test"},
		{"for i in 1; do make; done &> log", "make-"},
		{"exec > log 2>&1; make", "make-"},
		{"make > /dev/stderr", "make"},
		{"make > >(tee log) 2>&1", "make"},
		{"cat > f <<'EOF'\ngo test && rm -rf /\nEOF\ngo vet", "cat- ; go|vet"},
		{"cat <<< x", "cat"},
		{"2>&1 >log go test", "go|test"},

		// Pipelines.
		{"go test ./... 2>&1 | tail -50", "go|test|./...<"},
		{"go test | tee log", "go|test"},
		{"go test |& tee log | tail -n 5 | cat", "go|test<"},
		{"go test 2>&1 | tee log > /dev/null", "go|test-"},
		{"(cd x && make) | head", "cd|x-< ; make<"},
		{"git log | less", "git|log<"},
		{"go test | sed -n '1,50p'", "go|test<"},
		{"go test | grep FAIL", "grep|FAIL~"},
		{"go test | grep FAIL | head -3", "grep|FAIL<~"},
		{"cat f | jq .x", "jq|.x~"},
		{"grep -r x .", "grep|-r|x|."},
		{"git diff | cat", "git|diff"},
		{"cat a.txt", "cat|a.txt"},
		{"make | head f", "head|f"},
		{"yes | apt install x", "apt|install|x"},

		// Quotes, unicode, newlines: text, never structure.
		{"git commit -m 'one\n\ntwo; rm x && go test'", "git|commit|-m|one\n\ntwo; rm x && go test"},
		{"git commit -m \"$(cat <<'EOF'\nfix: a | b\nEOF\n)\"", "git|commit|-m|$(cat <<'EOF'\nfix: a | b\nEOF\n)"},
		{`psql -c "select \"a\" from 'b'"`, `psql|-c|select "a" from 'b'`},
		{`echo 'it'"'"'s' && make`, "echo|it's- ; make"},
		{"go te\\\nst \\\n \"a\\\nb\"", "go|test|ab"},
		{`grep $'a\tb' f`, "grep|a\tb|f"},
		{"pytest -k '日本 and émoji🎉'", "pytest|-k|日本 and émoji🎉"},
		{"$HOME/go/bin/golangci-lint run", "golangci-lint|run"},
		{"ls {a,b}/*.go", "ls|{a,b}/*.go"},

		// Not shell syntax, or only zsh's.
		{"go test 'unterminated", "go|test|unterminated"},
		{"FOO=1 npm test && echo \"x", "npm|test"},
		{"))) nonsense", "nonsense"},
		{"make; ls *(.om[1])", "make ; ls|*(.om[1])"},
	} {
		if got := show(Parse(tt.cmd)); got != tt.want {
			t.Errorf("%s\n got %q\nwant %q", tt.cmd, got, tt.want)
		}
	}
}

func TestParsedFlags(t *testing.T) {
	for _, tt := range []struct {
		cmd                  string
		background, compound bool
		last                 string
	}{
		{"cd x && go test; echo done", false, false, "go"},
		{"go vet && go test", false, true, "go"},
		{"npm run dev &", true, false, "npm"},
		{"(npm run dev &) ; sleep 3; curl localhost", true, true, "curl"},
		{"bash -c 'make & wait'", true, false, "make"},
		{"go test 2>&1 | tail -5", false, false, "go"},
		{"echo 'a & b'", false, false, ""},
	} {
		p := Parse(tt.cmd)
		last, ok := p.Last()
		if p.Background != tt.background || p.Compound != tt.compound || last.Name != tt.last || ok != (tt.last != "") {
			t.Errorf("%s: background %v, compound %v, last %q", tt.cmd, p.Background, p.Compound, last.Name)
		}
	}
}

func TestHasPrefix(t *testing.T) {
	for _, tt := range []struct {
		cmd, prefix string
		want        bool
	}{
		{"git -C dir --no-pager diff HEAD", "git diff", true},
		{"git -c color.ui=never log", "git log", true},
		{"git diff", "git", true},
		{"git diff", "git dif", false},
		{"git log diff", "git diff", false},
		{"go -C x test ./...", "go test", true},
		{"npm --silent run x", "npm run", true},
		{"npm --prefix web run x", "npm run", true},
		{"cargo +nightly test", "cargo test", true},
		{"docker compose -f x.yml logs", "docker compose logs", true},
		{"docker -H tcp://x logs c", "docker logs", true},
		{"kubectl -n ns get pods", "kubectl get", true},
		{"kubectl get -o wide pods", "kubectl get pods", true},
		{"make -j 8 all", "make all", true},
		{"terraform -chdir=x plan", "terraform plan", true},
		{"python -m pytest x", "pytest", true},
		{"node --test x", "node --test", true},
		{"node x.js", "node --test", false},
		{"go test -json ./...", "go test -json", true},
		{"npm run -- test", "npm run test", true},
		{"go", "go test", false},
	} {
		c, _ := Parse(tt.cmd).Last()
		if got := c.HasPrefix(strings.Fields(tt.prefix)); got != tt.want {
			t.Errorf("%s has prefix %q: %v, words %q", tt.cmd, tt.prefix, got, c.Words())
		}
	}
	if (Call{Name: "x"}).HasPrefix(nil) {
		t.Error("the empty prefix matches everything")
	}
}

// A command is only read: nothing in it runs.
func TestParseRunsNothing(t *testing.T) {
	f := filepath.Join(t.TempDir(), "made")
	for _, cmd := range []string{
		"echo $(touch " + f + ")", "`touch " + f + "`", "echo '\"'\"$(touch " + f + ")\"", "<(touch " + f + ")",
		"bash -c 'touch " + f + "'", `a "\"$(b '$(touch ` + f + `)')\""`, "x > " + f,
	} {
		Parse(cmd)
		if _, err := os.Stat(f); err == nil {
			t.Fatalf("%s was run", cmd)
		}
	}
}

// The work is bounded: neither length nor depth makes Parse slow. What takes
// milliseconds has seconds here, for a busy machine with the race detector.
func TestParseBounded(t *testing.T) {
	for _, unit := range []string{"(", "((", "((-", "$(", "\"$(", "a|", "a;", "if a; then ", "`", "${a:-", "[", "a[", "x ", "'", "x <<E\n", "bash -c '", "time ", "!", "a&", "((a=", "[[ ! ", "\\"} {
		start := time.Now()
		Parse("go test " + strings.Repeat(unit, (1<<20)/len(unit)) + "'")
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("1 MB of %q takes %v", unit, d)
		}
	}
	long := Parse("go test ./... && cat > f <<'EOF'\n" + strings.Repeat("line\n", 1<<18) + "EOF\nmake")
	if c, ok := long.Last(); !ok || c.Name != "go" {
		t.Errorf("a long command begins with %+v", long.Calls)
	}
	deep := "make"
	for range 10 {
		deep = "bash -c " + "'" + strings.ReplaceAll(deep, "'", `'\''`) + "'"
	}
	if len(Parse(deep).Calls) != 1 {
		t.Errorf("deep: %+v", Parse(deep).Calls)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"go test 2>&1 | tail -5", "bash -c 'a && b' &", "x <<E\ny\nE", "a=$(b) \\\n c", "env -u", "sudo -u", "make -j", "exec >x", "> >(", "$''"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cmd string) {
		start := time.Now()
		p := Parse(cmd)
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("%q takes %v", cmd, d)
		}
		for _, c := range p.Calls {
			if w := c.Words(); w[0] != c.Name || !c.HasPrefix(w[:1]) && !strings.HasPrefix(c.Name, "-") {
				t.Errorf("%q: words %q of %+v", cmd, w, c)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		Parse("cd /home/dev/app && FOO=1 npx jest --ci 2>&1 | tail -50")
	}
}

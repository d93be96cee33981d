package redact

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The secrets are put together here, so that no scanner takes this file for
// a leak.
var (
	alnum36 = strings.Repeat("aB3dE6gH9", 4)
	akia    = "AK" + "IA" + "IOSFODNN7EXAMPLQ"
	awsKey  = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "FAKEKEY012"
	ghp     = "gh" + "p_" + alnum36
	jwt     = "ey" + "JhbGciOiJIUzI1NiJ9" + "." + "ey" + "JzdWIiOiIxMjM0In0" + "." + "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	begin   = "-----BEGIN RSA " + "PRIVATE KEY-----"
	end     = "-----END RSA " + "PRIVATE KEY-----"
	base64  = strings.Repeat("MIIEpAIBAAKCAQEA", 4)
)

func TestLineRedacts(t *testing.T) {
	for _, tt := range []struct{ before, secret, after, kind string }{
		{"key ", akia, " used", AWS},
		{"key ", "AS" + "IA" + akia[4:], " used", AWS},
		{"Credential=", akia, "/20240101/eu", AWS},
		{"AWS_SECRET_ACCESS_KEY=", awsKey, "", AWS},
		{"aws_secret_access_key = ", awsKey, "", AWS},
		{`"SecretAccessKey": "`, awsKey, `",`, AWS},
		{"remote: https://x:", ghp, "@github.com/a/b", URL},
		{"token ", ghp, ".", GitHub},
		{"GITHUB_TOKEN=", ghp, "", GitHub},
		{"", "github_" + "pat_" + alnum36, "", GitHub},
		{"", "gl" + "pat-" + alnum36, " x", GitLab},
		{"'", "xox" + "b-123456789012-" + alnum36, "'", Slack},
		{"https://hooks.slack.com/services/", "T0" + "00000/B000/" + alnum36, "", Slack},
		{"session ", jwt, "", JWT},
		{"Authorization: Bearer ", "abcdef.ghi~jk", "", Bearer},
		{"> authorization: Basic ", "dXNlcjpwYXNz", "", Bearer},
		{"curl -H 'Authorization: token ", "0123456789abcdef", "' x", Bearer},
		{`"Authorization": "Bearer `, jwt, `"`, Bearer},
		{"sent Bearer ", "0a1b2c3d4e5f6a7b8c", "", Bearer},
		{"google ", "AI" + "za" + alnum36[:35], " x", Google},
		{"", "sk_" + "live_" + alnum36, "", Stripe},
		{"//registry/:_authToken=", "np" + "m_" + alnum36, "", NPM},
		{"", "py" + "pi-AgEIcHlwaS5vcmc" + alnum36 + alnum36, "", PyPI},
		{"", "sk" + "-ant-api03-" + alnum36, "", Anthropic},
		{"key: ", "sk" + "-proj-" + alnum36, "", OpenAI},
		{"key: ", "sk" + "-" + alnum36, ",", OpenAI},
		{"postgres://app:", "s3cr3t", "@db:5432/x", URL},
		{"dial amqp://u:", "p@ss:w0rd", "@mq/", URL},
		{"DB_PASSWORD=", "letmein", "", Password},
		{"password=", "hunter2", "&user=x", Password},
		{"mysql --password=", "letmein", " -u root", Password},
		{`{"user":"x","password":"`, "hunter two2"[:6], `"}`, Password},
		{`{\"password\":\"`, "hunter2", `\"}`, Password},
		{"  password: ", "hunter2", "", Password},
		{"  db_password: ", "letmein", "", Password},
		{"client_secret = '", "x8!kq", "'", Password},
		{`x-api-key: `, "0123456789abcdef", "", Password},
		{`apiKey: "`, "0123abcd", `",`, Password},
		{`token = "`, "0123456789abcdef", `"`, Password},
		{"?token=", "0123456789abcdef", "&x=1", Password},
		{"Passwort 日本 password=", "pässwört1", " 🎉", Password},
	} {
		in := tt.before + tt.secret + tt.after
		if got, want := Line(in), tt.before+"[redacted:"+tt.kind+"]"+tt.after; got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		} else if again := Line(got); again != got {
			t.Errorf("%s: again %s", got, again)
		}
	}
}

func TestLineLeavesAlone(t *testing.T) {
	for _, s := range []string{
		"",
		"commit 1b6453892473a467d07372d45eb05abc2031647a",
		"id: 123e4567-e89b-12d3-a456-426614174000",
		`"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==",`,
		"golang.org/x/sys v0.49.0 h1:AkiaSIAxx1AKIAIOSFODNN7EXAMPLQxx+abc=",
		"//# sourceMappingURL=data:application/json;base64,ey" + "J2ZXJzaW9uIjozLCJmaWxlIjoiYS5qcyJ9",
		"password=", "password:", `password=""`, "password=$PASSWORD", "password=${DB_PASSWORD}", "PASSWORD=%PASSWORD%", "password: ***", "password=<your password>", "password={{ .Values.pw }}", `password: "${PW}"`, "token: xxxxxxxx",
		"token = parser.next()", "token := p.tok", "token = tokens[0]", "this.token = token;", "if (token == null) {", "token: Token::Ident,", "let token: string = next();",
		"password: string", "password: string;", "password?: string,", "  password: str", "  password: SecretStr", "secret: Option<String>,", "def f(user, password=None, token=None):",
		"login(user=user, password=password)", "login(password=hashed)", "f(a, password=hashed, b)", "connect(password=settings.password)", "password = os.environ['DB_PASSWORD']", "password = getpass()", "const password = req.body.password;", "opts.Password = cfg.Password",
		`password: "must not be empty"`, "error: invalid password: too short", "SyntaxError: Unexpected token: }", "SyntaxError: Unexpected token '<', \"<!DOCTYPE\" is not valid JSON", "max_tokens=4096", "token=42", "next_token: 12",
		`private_key: "_RSAPrivateKey",`, "pwd: 2.7-",
		"PWD=/home/dev/app", "pwd: /home/dev/app", "passwd:         files systemd", "type=password name=pw",
		"Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "'Authorization': 'Bearer ' + token", `headers["Authorization"] = f"Bearer {token}"`, "uses Bearer authentication here", "Basic usage: see below",
		"http://localhost:8080/a@b", "git@github.com:a/b.git", "ssh://git@host:22/x", "postgres://user:$PW@db/x", "https://user:***@host/", "https://user@host:80",
		"task-" + strings.Repeat("a1", 20), "risk_live_" + alnum36, "class sk-spinner sk-some-long-class-name-with-many-words", "npm_config_registry=https://x", "pypi-publish-action-for-everything-v1",
		"-----BEGIN CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----", strings.Repeat("-", 80), "[redacted:password]",
		"AKIASHORT", "AKIAIOSFODNN7EXAMPLQX1 longer", "https://hooks.slack.com/services/docs",
	} {
		if got := Line(s); got != s {
			t.Errorf("%s\n became %s", s, got)
		}
	}
}

func TestPrivateKey(t *testing.T) {
	mark := "[redacted:ssh-private-key]"
	for _, tt := range []struct{ name, in, want string }{
		{"block", begin + "\n" + base64 + "\nabc=\n" + end + "\nafter", begin + "\n" + mark + "\n" + mark + "\n" + end + "\nafter"},
		{"diff", "+" + begin + "\n+" + base64 + "\n+" + end + "\n+x", "+" + begin + "\n+" + mark + "\n+" + end + "\n+x"},
		{"indented with header", "  " + begin + "\n  Proc-Type: 4,ENCRYPTED\n\n  " + base64 + "\n  " + end, "  " + begin + "\n  Proc-Type: 4,ENCRYPTED\n\n  " + mark + "\n  " + end},
		{"cut off", begin + "\n" + base64 + "\nmain.go:3: error: x\n" + base64, begin + "\n" + mark + "\nmain.go:3: error: x\n" + base64},
		{"one line", `"private_key": "` + begin + `\n` + base64 + `\n` + end + `\n",` + "\nnext", `"private_key": "` + begin + mark + end + `\n",` + "\nnext"},
		{"escaped, cut", `KEY="` + begin + `\n` + base64, `KEY="` + begin + mark},
		{"two", begin + "\n" + base64 + "\n" + end + "\n" + begin + "\n" + base64 + "\n" + end, begin + "\n" + mark + "\n" + end + "\n" + begin + "\n" + mark + "\n" + end},
	} {
		if got := Text(tt.in); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		} else if again := Text(got); again != got {
			t.Errorf("%s, again: %s", tt.name, again)
		}
	}
	endless := Text(begin + strings.Repeat("\n"+base64, 400))
	if n := strings.Count(endless, mark); n != maxKeyLines {
		t.Errorf("a block without an end takes %d lines", n)
	}
}

func TestNewTakesSomeKinds(t *testing.T) {
	in := ghp + " " + akia + " password=hunter2"
	if got, want := New(AWS, "nonsense").Line(in), ghp+" [redacted:aws] password=hunter2"; got != want {
		t.Errorf("got %s", got)
	}
	for _, k := range Kinds() {
		if got := New(k).Line(begin + base64); (got != begin+base64) != (k == PrivateKey) {
			t.Errorf("%s: %s", k, got)
		}
	}
}

func TestCleanLineIsNotCopied(t *testing.T) {
	for _, l := range cleanLog {
		if n := testing.AllocsPerRun(10, func() { Line(l) }); n != 0 {
			t.Errorf("%v allocations for %s", n, l)
		}
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range []string{ghp, jwt, begin + "\n" + base64 + "\n" + end, "a=b password=x1y2z3 token: 0123456789abcdef", "postgres://u:p4ss@h", `{"secret":"a[redacted:x]b"}`, "Authorization: Bearer abcdefgh"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Text(s)
		if twice := Text(once); twice != once {
			t.Errorf("%q\nonce  %q\ntwice %q", s, once, twice)
		}
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Errorf("%q became invalid: %q", s, once)
		}
	})
}

// Ordinary lines of builds, tests and servers.
var cleanLog = []string{
	"2024-05-01T12:00:00.123Z INFO  [http-nio-8080-exec-1] c.e.app.UserController - GET /api/users/42 200 12ms trace_id=4bf92f3577b34da6",
	"ok  \texample.com/app/internal/store\t0.412s\tcoverage: 81.2% of statements",
	"    at Object.<anonymous> (/home/dev/app/src/__tests__/login.test.js:42:17)",
	"npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory. Do not use it.",
	"--- PASS: TestStore/insert_and_read_back (0.00s)",
	"[INFO] Compiling 214 source files with javac [debug release 17] to target/classes",
	"src/app.ts(12,5): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.",
	"Downloaded https://repo.example.org/maven2/org/apache/commons/commons-lang3/3.12.0/commons-lang3-3.12.0.jar (587 kB at 2.1 MB/s)",
}

func BenchmarkCleanLog(b *testing.B) {
	n := 0
	for _, l := range cleanLog {
		n += len(l)
	}
	r := New()
	b.SetBytes(int64(n))
	for b.Loop() {
		for _, l := range cleanLog {
			r.Line(l)
		}
	}
}

// One long line of nothing but what makes the scanner look around.
func BenchmarkHostileLine(b *testing.B) {
	for _, unit := range []string{"-", "_", "=", "password=", "eyJ", "://", "AKIA", "://a:a@", "Bearer ", "-----BEGIN ", `token="`} {
		b.Run(unit, func(b *testing.B) {
			s := strings.Repeat(unit, (1<<20)/len(unit))
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Line(s)
			}
		})
	}
}

// The scanner looks at a prefix only behind the bytes of two tables.
func TestTokensAreReached(t *testing.T) {
	seen := map[byte]bool{}
	for _, token := range tokens {
		last := token.prefix[token.at-1]
		seen[last] = true
		if !telling[token.prefix[token.at]] || !before[last] {
			t.Errorf("%s is never looked at", token.prefix)
		}
	}
	for c, listed := range before {
		if listed && !seen[byte(c)] {
			t.Errorf("%q is before no telling byte", rune(c))
		}
	}
}

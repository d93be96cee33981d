package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func packaged(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// there is checks that words, after the program, are a command with its flags.
func there(t *testing.T, where string, words []string) {
	t.Helper()
	cmd, rest, err := Commands().Find(words)
	if err != nil || len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		t.Errorf("%s: there is no cairn %s", where, strings.Join(words, " "))
		return
	}
	for _, w := range rest {
		if name, ok := strings.CutPrefix(w, "--"); ok && cmd.Flag(name) == nil {
			t.Errorf("%s: cairn %s has no flag %s", where, cmd.CommandPath(), w)
		}
	}
}

// The image from source and that of a release are the same but for where the
// binary comes from, and what they call is there.
func TestImages(t *testing.T) {
	t.Parallel()
	_, source, _ := strings.Cut(packaged(t, "Dockerfile"), "\nUSER ")
	_, released, _ := strings.Cut(packaged(t, "packaging/docker/Dockerfile"), "\nUSER ")
	if source == "" || source != released {
		t.Errorf("the images differ:\n%s\n%s", source, released)
	}
	if !strings.HasPrefix(source, "65532:") {
		t.Error("it runs as root")
	}
	for _, m := range regexp.MustCompile(`(?m)(?:^CMD|HEALTHCHECK .*CMD|ENTRYPOINT) (\[.*\])$`).FindAllStringSubmatch(source, -1) {
		var words []string
		if err := json.Unmarshal([]byte(m[1]), &words); err != nil {
			t.Errorf("%s: %v", m[1], err)
			continue
		}
		if words[0] == "/usr/bin/cairn" {
			words = words[1:]
		}
		there(t, "Dockerfile", words)
	}
	serve, _, _ := Commands().Find([]string{"serve"})
	for _, m := range regexp.MustCompile(`CAIRN_SERVE_([A-Z_]+)`).FindAllStringSubmatch(source, -1) {
		if name := strings.ToLower(strings.ReplaceAll(m[1], "_", "-")); serve.Flag(name) == nil {
			t.Errorf("Dockerfile: cairn serve has no flag --%s", name)
		}
	}
}

// The service starts what is there, with a file that cairn serve can read.
func TestService(t *testing.T) {
	t.Parallel()
	unit := packaged(t, "packaging/systemd/cairn.service")
	start := regexp.MustCompile(`(?m)^ExecStart=/usr/bin/cairn (.*)$`).FindStringSubmatch(unit)
	if start == nil {
		t.Fatal("it starts nothing")
	}
	there(t, "cairn.service", strings.Fields(start[1]))
	serve, _, _ := Commands().Find([]string{"serve"})
	file := packaged(t, "packaging/systemd/serve.toml")
	file += regexp.MustCompile(`(?m)^# (\w+ = )`).ReplaceAllString(file, "$1") // what a line says once it counts
	settings := map[string]any{}
	if err := toml.Unmarshal([]byte(file), &settings); err != nil || len(settings) == 0 {
		t.Errorf("serve.toml: %v, %v", err, settings)
	}
	for name := range settings {
		if serve.Flag(name) == nil {
			t.Errorf("serve.toml: cairn serve has no flag --%s", name)
		}
	}
	for _, want := range []string{"Type=notify", "NoNewPrivileges=yes", "ProtectSystem=strict", "User=cairn", "StateDirectory=cairn"} {
		if !strings.Contains(unit, "\n"+want+"\n") {
			t.Errorf("cairn.service lacks %s", want)
		}
	}
	user := strings.Fields(packaged(t, "packaging/systemd/cairn.sysusers"))
	if home := user[len(user)-1]; home != "/var/lib/cairn" {
		t.Errorf("the user's home is %s, not where the unit keeps its state", home)
	}
}

// Every file that goreleaser puts into a package is there, or is made.
func TestPackageContents(t *testing.T) {
	t.Parallel()
	config := packaged(t, ".goreleaser.yaml")
	for _, m := range regexp.MustCompile(`(?m)(?:src|dockerfile|postinstall|preremove|postremove): (\S+)$`).FindAllStringSubmatch(config, -1) {
		if name := m[1]; !strings.HasPrefix(name, "build/") {
			packaged(t, name)
		}
	}
}

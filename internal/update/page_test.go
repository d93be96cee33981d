package update

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"text/template"

	"github.com/goccy/go-yaml"
)

func sums(names ...string) string {
	var s strings.Builder
	for i, n := range names {
		fmt.Fprintf(&s, "%064x  %s\n", i, n)
	}
	return s.String()
}

func TestPageOf(t *testing.T) {
	var names []string
	for _, system := range Systems {
		goos, goarch, _ := strings.Cut(system, "/")
		names = append(names, "cairn_1.4.0_"+goos+"_"+goarch+".tar.gz", FileName("1.4.0", goos, goarch))
	}
	r, err := PageOf("1.4.0", strings.NewReader(sums(names...)))
	if err != nil || len(r.Assets) != len(Systems) {
		t.Fatalf("%v, %+v", err, r)
	}
	if a := r.Assets[4]; a.OS != "windows" || a.URL != "cairn_1.4.0_windows_amd64.exe" || a.SHA256 != fmt.Sprintf("%064x", 9) {
		t.Errorf("%+v", a)
	}
	data, _ := json.Marshal(r)
	if !strings.Contains(string(data), `{"os":"linux","arch":"amd64","url":"cairn_1.4.0_linux_amd64","sha256":"`) {
		t.Errorf("%s", data)
	}
	if _, err := PageOf("1.4.0", strings.NewReader(sums(names[2:]...))); !errors.Is(err, ErrNoAsset) {
		t.Error(err)
	}
	if _, err := PageOf("1.4.0", strings.NewReader("nonsense\n")); !errors.Is(err, ErrPage) {
		t.Error(err)
	}
	if _, err := PageOf("latest", strings.NewReader("")); !errors.Is(err, ErrPage) {
		t.Error(err)
	}
}

// What .goreleaser.yaml builds is what `cairn update` asks for: the systems,
// the files' names, and where the page is.
func TestReleaseConfig(t *testing.T) {
	data, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Builds []struct {
			Binary         string
			Env, Targets   []string
			Flags, Ldflags []string
		}
		Archives []struct {
			ID           string `yaml:"id"`
			Formats      []string
			NameTemplate string `yaml:"name_template"`
		}
		Checksum struct {
			NameTemplate string `yaml:"name_template"`
		}
		Signs []struct {
			Artifacts, Cmd, Signature string
			Args                      []string
		}
	}
	if err := yaml.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	b := c.Builds[0]
	var built []string
	for _, target := range b.Targets {
		parts := strings.Split(target, "_")
		built = append(built, parts[0]+"/"+parts[1])
	}
	if got, want := strings.Join(built, " "), strings.Join(Systems[:], " "); got != want {
		t.Errorf("it builds %s, not %s", got, want)
	}
	if b.Env[0] != "CGO_ENABLED=0" || b.Flags[0] != "-trimpath" {
		t.Errorf("not as a release is built: %v %v", b.Env, b.Flags)
	}
	ldflags := strings.Join(b.Ldflags, " ")
	for _, want := range []string{"-X cairn/internal/version.Stamped={{ .Version }}", "-X cairn/internal/update/known.Page=https://", "/releases/latest/download/" + c.Signs[0].Signature} {
		if !strings.Contains(ldflags, want) {
			t.Errorf("ldflags lack %s: %s", want, ldflags)
		}
	}
	found := false
	for _, a := range c.Archives {
		if len(a.Formats) != 1 || a.Formats[0] != "binary" {
			continue
		}
		found = true
		for _, system := range Systems {
			goos, goarch, _ := strings.Cut(system, "/")
			var name bytes.Buffer
			if err := template.Must(template.New("").Parse(a.NameTemplate)).Execute(&name, map[string]string{"Version": "1.4.0", "Os": goos, "Arch": goarch}); err != nil {
				t.Fatal(err)
			}
			if goos == "windows" {
				name.WriteString(".exe") // goreleaser adds it
			}
			if want := FileName("1.4.0", goos, goarch); name.String() != want {
				t.Errorf("%s is called %s, not %s", system, &name, want)
			}
		}
	}
	if !found {
		t.Error("no binary is released by itself")
	}
	if s := c.Signs[0]; s.Artifacts != "checksum" || s.Cmd != "go" || strings.Join(s.Args, " ") != "run ./scripts/release {{ .Version }} ${artifact} ${signature}" {
		t.Errorf("the page is not made: %+v", s)
	}
}

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// fetch brings a project into a directory of its own and sets it up, once.
func (p *project) fetch(dir string) (top string, err error) {
	top = filepath.Join(dir, p.Name)
	ready := top + ".ready"
	how := fmt.Appendf(nil, "%q %q %q\n", p.Source, p.Tools, p.SetUp)
	if data, err := os.ReadFile(ready); err == nil && bytes.Equal(data, how) {
		return top, nil
	}
	if err := cmp.Or(os.RemoveAll(top), os.RemoveAll(ready)); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	switch p.Source.Kind {
	case "go":
		err = p.module(top)
	case "npm":
		err = p.tarball(dir, top)
	case "debian":
		err = p.debian(dir, top)
	default:
		err = fmt.Errorf("source %q is none of go, npm, debian", p.Source.Kind)
	}
	if err == nil && len(p.SetUp) > 0 {
		err = quietly(top, p.SetUp...)
	}
	if err == nil {
		err = os.WriteFile(ready, how, 0o600)
	}
	return top, err
}

// version is the one that was fetched.
func (p *project) version(top string) string {
	if p.Source.Version != "" {
		return p.Source.Version
	}
	log, _ := os.ReadFile(filepath.Join(top, "debian", "changelog")) // "name (1.2-3) bookworm; ..."
	_, rest, _ := strings.Cut(string(log), "(")
	v, _, _ := strings.Cut(rest, ")")
	return v
}

// module copies a module out of Go's cache, which is read-only.
func (p *project) module(top string) error {
	cmd := exec.Command("go", "mod", "download", "-json", p.Source.Package+"@"+p.Source.Version)
	cmd.Dir = os.TempDir()
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	var at struct{ Dir string }
	if err := json.Unmarshal(out, &at); err != nil {
		return err
	}
	return quietly(filepath.Dir(top), "sh", "-c", `cp -r "$1" "$2" && chmod -R u+w "$2"`, "sh", at.Dir, top)
}

// tarball unpacks an npm package and installs what its tests need.
func (p *project) tarball(dir, top string) error {
	name := p.Source.Package + "@" + p.Source.Version
	if err := quietly(dir, "sh", "-c", `rm -rf package && npm pack --silent "$1" >/dev/null && tar xzf "$2"-*.tgz && rm "$2"-*.tgz && mv package "$3"`, "sh", name, p.Source.Package, top); err != nil {
		return err
	}
	if len(p.Tools) == 0 {
		return nil
	}
	if err := quietly(top, "npm", "pkg", "delete", "devDependencies", "scripts"); err != nil {
		return err
	}
	return quietly(top, append([]string{"npm", "install", "--silent", "--no-save", "--no-audit", "--no-fund", "--legacy-peer-deps", "--omit=dev"}, p.Tools...)...)
}

// debian unpacks the source package of the release that this machine has.
func (p *project) debian(dir, top string) error {
	return quietly(dir, "sh", "-c", `
		set -e
		mkdir -p debian && cd debian
		sed -n 's/^Types: deb$/Types: deb-src/; p' /etc/apt/sources.list.d/*.sources >sources.sources 2>/dev/null || true
		sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >sources.list 2>/dev/null || true
		mkdir -p lists parts && cp sources.* parts/ && touch none
		apt-get -qq -o Dir::Etc::SourceList="$PWD/none" -o Dir::Etc::SourceParts="$PWD/parts" -o Dir::State::Lists="$PWD/lists" update
		rm -rf tree && mkdir tree && cd tree
		apt-get -qq -o Dir::Etc::SourceList="$PWD/../none" -o Dir::Etc::SourceParts="$PWD/../parts" -o Dir::State::Lists="$PWD/../lists" --download-only source "$1"
		dpkg-source --no-check -x *.dsc tree >/dev/null
		mv tree "$2"`, "sh", p.Source.Package, top)
}

// quietly runs a command, whose output is shown only if it fails.
func quietly(dir string, argv ...string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(argv[:min(len(argv), 3)], " "), err, out)
	}
	return nil
}

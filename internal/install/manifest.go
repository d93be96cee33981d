package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/host"
)

const manifestVersion = 1

// A Manifest says what install put into one configuration directory, so that
// exactly that comes out. It is ~/.cairn/install/HOST-HASH.json, where HASH is
// of the directory, and only its owner may read it: settings hold keys.
type Manifest struct {
	Version   int      `json:"version"`
	Host      string   `json:"host"`
	ConfigDir string   `json:"config_dir"`
	Files     []Record `json:"files"`
	Dirs      []string `json:"dirs,omitempty"` // created by install, outermost first
}

// A Record is one file that install changed or created.
type Record struct {
	Path    string      `json:"path"`   // as the host names it
	Target  string      `json:"target"` // symbolic links resolved
	Existed bool        `json:"existed"`
	Mode    fs.FileMode `json:"mode"`   // of the file when install met it
	Before  string      `json:"before"` // SHA-256 of Original, hexadecimal
	After   string      `json:"after"`  // SHA-256 of what install wrote
	// Original is the file without us, every byte.
	Original []byte `json:"original"`
	// Commands are the command lines that install registered, and Containers
	// what stood where it put them: with both our entries are found after
	// the user edited the file.
	Commands   []string    `json:"commands,omitempty"`
	Containers []Container `json:"containers,omitempty"`
	// Backup is the copy of Original for people, when install made the
	// settings plain.
	Backup string `json:"backup,omitempty"`
}

// A Container is an object or array that register filled and that had nothing
// in it before.
type Container struct {
	Path  []string `json:"path"` // names from the outermost object
	Was   string   `json:"was"`
	Inner string   `json:"inner,omitempty"` // between its brackets, when it was empty
}

const (
	wasAbsent = "absent"
	wasNull   = "null"
	wasEmpty  = "empty"
)

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// record returns what m says of a file; nil when it says nothing, or is nil.
func (m *Manifest) record(path string) *Record {
	if m == nil {
		return nil
	}
	if i := slices.IndexFunc(m.Files, func(r Record) bool { return r.Path == path }); i >= 0 {
		return &m.Files[i]
	}
	return nil
}

// renewed is the record of a file whose text without us is base, nil for no
// file; what installing adds is not in it yet. r is the last record, or nil.
func (r *Record) renewed(f *settings, base []byte) Record {
	next := Record{Path: f.path, Target: f.target, Existed: base != nil, Mode: f.mode.Perm(), Original: base, Before: digest(base)}
	if r != nil {
		next.Mode, next.Backup = r.Mode, r.Backup
		next.Existed = base != nil && (r.Existed || !isBlank(base))
	}
	return next
}

const backupSuffix = ".original.json" // beside the manifest, see Record.Backup

func (m Machine) manifestPath(t Target, suffix string) string {
	return filepath.Join(m.Home.Manifests(), t.Host.Name+"-"+digest([]byte(t.Dir))[:12]+suffix)
}

// manifest reads t's manifest; nil when there is none.
func (m Machine) manifest(t Target) (*Manifest, error) {
	return readManifest(m.manifestPath(t, ".json"))
}

func readManifest(name string) (*Manifest, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	mf := new(Manifest)
	if err := json.Unmarshal(data, mf); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrManifest, err)
	}
	if mf.Version != manifestVersion {
		return nil, fmt.Errorf("%s: %w: it was written by another version of cairn (format %d, this one knows %d)", name, ErrManifest, mf.Version, manifestVersion)
	}
	return mf, nil
}

// ErrManifest is a manifest that is damaged or of another version of cairn.
// Without it our entries are found too, but not what stood there before.
var ErrManifest = errors.New("what install noted cannot be read")

func (m Machine) writeManifest(t Target, mf *Manifest) error {
	data, err := json.MarshalIndent(mf, "", "  ")
	if err != nil {
		return err
	}
	return writePrivate(m.manifestPath(t, ".json"), append(data, '\n'))
}

// restoreManifest undoes writeManifest as well as it can.
func (m Machine) restoreManifest(t Target, previous *Manifest) {
	if previous == nil || m.writeManifest(t, previous) != nil {
		os.Remove(m.manifestPath(t, ".json"))
	}
}

// Installed returns every target that has a manifest. A manifest that cannot
// be read is an error beside the others.
func (m Machine) Installed() ([]Target, error) {
	names, _ := filepath.Glob(filepath.Join(m.Home.Manifests(), "*.json"))
	var all []Target
	var errs []error
	for _, name := range names {
		if name == m.binaryRecord() || strings.HasSuffix(name, backupSuffix) {
			continue
		}
		mf, err := readManifest(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if h, ok := host.Find(mf.Host); ok {
			all = append(all, Target{h, mf.ConfigDir})
		}
	}
	return all, errors.Join(errs...)
}

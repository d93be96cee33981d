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

const manifestVersion = 2

// A Manifest says what install put into one configuration directory, so that
// exactly that comes out. It is ~/.cairn/install/HOST-HASH.json, where HASH is
// of the directory, and only its owner may read it: settings hold keys.
//
// Version 1 knew hooks of compaction only: parts, profile, content and the
// rest of what is said of it here were not there.
type Manifest struct {
	Version   int         `json:"version"`
	Host      string      `json:"host"`
	ConfigDir string      `json:"config_dir"`
	Root      string      `json:"root,omitempty"`      // the repository, of a local one
	Cairn     string      `json:"cairn,omitempty"`     // the version of the binary that wrote last
	Parts     []host.Part `json:"parts"`               // that are there
	Profile   string      `json:"profile,omitempty"`   // of the content
	Call      string      `json:"call,omitempty"`      // how prompts call cairn
	Telemetry string      `json:"telemetry,omitempty"` // the server that it goes to, of the part
	Files     []Record    `json:"files"`               // settings
	Content   []Entry     `json:"content,omitempty"`
	Dirs      []string    `json:"dirs,omitempty"` // created by install, outermost first
}

// An Entry is one file that is ours wholly: a command or an agent.
type Entry struct {
	Path   string      `json:"path"`   // below the configuration directory, with slashes
	SHA256 string      `json:"sha256"` // of the text that we wrote, hexadecimal
	Mode   fs.FileMode `json:"mode"`
	// Was is the SHA256 of the text before, as long as a change goes on: when
	// it was killed, either text may be there.
	Was string `json:"was,omitempty"`
}

// A Record is one settings file that install changed or created.
type Record struct {
	Path    string      `json:"path"`   // as the host names it
	Target  string      `json:"target"` // symbolic links resolved
	Existed bool        `json:"existed"`
	Mode    fs.FileMode `json:"mode"`   // of the file when install met it
	Before  string      `json:"before"` // SHA-256 of Original, hexadecimal
	After   string      `json:"after"`  // SHA-256 of what install wrote
	// Original is the file without us, every byte.
	Original []byte `json:"original"`
	// Commands are the command lines that install registered, Members the
	// members that it set, and Containers what stood where it put them: with
	// these ours are found after the user edited the file.
	Commands   []string    `json:"commands,omitempty"`
	Members    []SetMember `json:"members,omitempty"`
	Containers []Container `json:"containers,omitempty"`
	// Version is the member of that name that install set, see host.Shape.
	Version int `json:"version,omitempty"`
	// Backup is the copy of Original for people, when install made the
	// settings plain.
	Backup string `json:"backup,omitempty"`
}

// A SetMember is a member of a settings file that install set.
type SetMember struct {
	Path  []string `json:"path"`
	Value string   `json:"value"`         // JSON
	Was   string   `json:"was,omitempty"` // the user's own value, as it stood
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

// record returns what m says of a settings file; nil when it says nothing, or
// is nil.
func (m *Manifest) record(path string) *Record {
	if m == nil {
		return nil
	}
	return find(m.Files, func(r Record) bool { return r.Path == path })
}

// entry returns what m says of a file of content, nil as record does.
func (m *Manifest) entry(path string) *Entry {
	if m == nil {
		return nil
	}
	return find(m.Content, func(e Entry) bool { return e.Path == path })
}

// find returns the first that is meant, nil where none is.
func find[T any](all []T, is func(T) bool) *T {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return &all[i]
	}
	return nil
}

// Has reports whether a part is there.
func (m *Manifest) Has(p host.Part) bool { return m != nil && slices.Contains(m.Parts, p) }

// Registers reports whether hooks of ours are in t's settings.
func (m *Manifest) Registers(t Target) bool {
	rec := m.record(t.Settings())
	return rec != nil && (len(rec.Commands) > 0 || t.Host.Own != nil)
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
	return filepath.Join(m.Home.Manifests(), t.name()+suffix)
}

// name is t in a file name.
func (t Target) name() string { return t.Host.Name + "-" + digest([]byte(t.Dir))[:12] }

// Manifest reads what was noted of t; nil when it is not installed.
func (m Machine) Manifest(t Target) (*Manifest, error) {
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
	switch mf.Version {
	case 1:
		mf.Version, mf.Parts = manifestVersion, []host.Part{host.Compact}
	case manifestVersion:
	default:
		return nil, fmt.Errorf("%s: %w: it was written by another version of cairn (format %d, this one knows %d)", name, ErrManifest, mf.Version, manifestVersion)
	}
	return mf, nil
}

// ErrManifest is a manifest that is damaged or of another version of cairn.
// Without it our entries are found too, but not what stood there before.
var ErrManifest = error(&mistake{"what install noted cannot be read", "take that file away, then run this again: cairn's entries are found without it"})

func (mf *Manifest) bytes() []byte {
	data, err := json.MarshalIndent(mf, "", "  ")
	if err != nil { // strings, numbers and bytes always encode
		panic(err)
	}
	return append(data, '\n')
}

func (m Machine) writeManifest(t Target, mf *Manifest) error {
	return writePrivate(m.manifestPath(t, ".json"), mf.bytes())
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
	manifests, err := m.manifests()
	var all []Target
	for _, mf := range manifests {
		if h, ok := host.Find(mf.Host); ok {
			all = append(all, Target{h, mf.ConfigDir, mf.Root})
		}
	}
	return all, err
}

func (m Machine) manifests() ([]*Manifest, error) {
	names, _ := filepath.Glob(filepath.Join(m.Home.Manifests(), "*.json"))
	var all []*Manifest
	var errs []error
	for _, name := range names {
		if name == m.binaryRecord() || strings.HasSuffix(name, backupSuffix) {
			continue
		}
		mf, err := readManifest(name)
		if err != nil {
			errs = append(errs, err)
		} else if mf != nil { // else it went just now
			all = append(all, mf)
		}
	}
	return all, errors.Join(errs...)
}

package home

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFindRepo(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for _, dir := range []string{
		"user/.cairn", "user/work/plain", "user/work/git/.git", "user/work/git/sub", "user/work/ours/.cairn",
		"user/work/ours/sub", "elsewhere/.cairn", "elsewhere/x", "dotfiles/.cairn", "dotfiles/.git", "dotfiles/x",
	} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(at("user"), at("link")); err != nil {
		t.Skip(err)
	}
	t.Chdir(at("user")) // its .cairn must not be taken for that of no home
	tests := []struct{ name, dir, userDir, cairnHome, want string }{
		{"git", "user/work/git/sub", "user", "", "user/work/git"},
		{"ours", "user/work/ours/sub", "user", "", "user/work/ours"},
		{"only the user's directory is above", "user/work/plain", "user", "", ""},
		{"the home itself", "user", "user", "", ""},
		{"the same through a symlink", "link/work/plain", "user", "", ""},
		{"another directory is in use", "user/work/plain", "user", "elsewhere/.cairn", ""},
		{"that directory", "elsewhere/x", "user", "elsewhere/.cairn", ""},
		{"a home under git", "dotfiles/x", "dotfiles", "", "dotfiles"},
		{"no home", "user/work/plain", "", "", "user"},
		{"a home that is not there", "user/work/plain", "gone", "", "user"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := map[string]string{}
			if tt.userDir != "" {
				env["HOME"] = at(tt.userDir)
			}
			if tt.cairnHome != "" {
				env["CAIRN_HOME"] = at(tt.cairnHome)
			}
			want := Repo("")
			if tt.want != "" {
				want = Repo(at(tt.want))
			}
			if got := FindRepo(at(tt.dir), func(k string) string { return env[k] }); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

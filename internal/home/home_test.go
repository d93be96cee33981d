package home

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
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

// Two things that are kept under one path would overwrite each other, and what
// is kept beside the directory is not removed with it.
func TestPathsAreApart(t *testing.T) {
	root := t.TempDir()
	for _, from := range []any{Home(filepath.Join(root, ".cairn")), Repo(root)} {
		v, of := reflect.ValueOf(from), map[string]string{}
		for i := range v.NumMethod() {
			name, arg := v.Type().Method(i).Name, []reflect.Value{}
			if v.Method(i).Type().NumIn() == 1 {
				arg = append(arg, reflect.ValueOf("x"))
			}
			path := v.Method(i).Call(arg)[0].String()
			if !strings.HasPrefix(path, filepath.Join(root, ".cairn")+string(filepath.Separator)) {
				t.Errorf("%T.%s is %s, outside the directory", from, name, path)
			}
			if other, taken := of[path]; taken {
				t.Errorf("%T.%s and %s are both %s", from, name, other, path)
			}
			of[path] = name
		}
	}
}

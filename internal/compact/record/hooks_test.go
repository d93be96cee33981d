package record

import "testing"

// Of a hook that failed its name and what it said stay.
func TestHooks(t *testing.T) {
	in := `[INFO] Initializing environment for https://github.com/x/y.
[INFO] This may take a few minutes...
[INFO] error: could not clone
trim trailing whitespace.................................................Failed
- hook id: trailing-whitespace
- duration: 0.03s
- exit code: 1
- files were modified by this hook

Fixing src/oven.py

black....................................................................Failed
- hook id: black
- exit code: 1

reformatted src/oven.py

All done! ✨ 🍰 ✨
1 file reformatted, 12 files left unchanged.
`
	equal(t, shown(parse(t, "hooks", in), Keep, Failure, Body), "[INFO] error: could not clone",
		"trim trailing whitespace.................................................Failed", "- hook id: trailing-whitespace", "- exit code: 1", "- files were modified by this hook", "Fixing src/oven.py",
		"black....................................................................Failed", "- hook id: black", "- exit code: 1", "reformatted src/oven.py", "1 file reformatted, 12 files left unchanged.")
	scramble(t, "hooks", in)
}

// How far the layers of an image are is not told; nor that one is there.
func TestComposeLayers(t *testing.T) {
	equal(t, shown(parse(t, "dockerbuild", " db Pulling \n a1b2c3d4e5f6 Pulling fs layer \n a1b2c3d4e5f6 Downloading [==>   ]  1.2MB/30MB\n a1b2c3d4e5f6 Pull complete \n db Pulled \n Container bakery-db-1  Started\nError response from daemon: Bind for 0.0.0.0:8080 failed: port is already allocated\n"), Keep, Failure, Body),
		" Container bakery-db-1  Started", "Error response from daemon: Bind for 0.0.0.0:8080 failed: port is already allocated")
}

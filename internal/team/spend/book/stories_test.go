package book_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// stories are histories, by what happens in them.
var stories = map[string]func(y *story){
	"two repositories in one session": func(y *story) {
		y.s.work()
		y.s.cd(y.repos[1].dir, y.repos[1])
		y.s.work()
		y.s.commit()
		y.s.cd(y.r.dir, y.r)
		y.s.commit()
	},
	"began outside of a repository": func(y *story) {
		y.s = y.session(nil, y.home, y.s.codex)
		y.s.work()
		y.s.cd(y.r.dir, y.r)
		y.s.work()
		y.s.commit()
	},
	"working tree made and removed by the agent": func(y *story) {
		y.s.loud = true
		tree := filepath.Join(y.home, "src", "shop-side")
		y.s.shell("git worktree add -b side ../shop-side", func() { y.git(y.r.dir, "worktree", "add", "-q", "-b", "side", tree) })
		y.s.cd(tree, y.r)
		y.s.work()
		y.s.commit()
		y.s.work()
		y.s.commit()
		y.s.cd(y.r.dir, y.r)
		y.pass(time.Second)
		y.s.shell("git merge --no-ff side && git worktree remove ../shop-side && git branch -d side", func() {
			y.step("merge", "-q", "--no-ff", "-m", "Merge pull request #9 from acme/x", "side")
			y.step("worktree", "remove", tree)
			y.step("branch", "-D", "side")
		})
		y.s.committed("main", "-") // the merge is its commit there
		y.merged(y.r, "main", 9)
		y.merged(y.r, "side", 9)
	},
	"working tree inside, gone with its branch behind a squash merge": func(y *story) {
		tree := filepath.Join(y.r.dir, ".claude", "worktrees", "side")
		y.step("worktree", "add", "-q", "-b", "side", tree)
		s := y.session(y.r, tree, false)
		s.loud = true
		s.work()
		s.commit()
		s.work()
		s.commit()
		y.pass(time.Minute)
		y.squash("side", "Side (#9)")
		y.merged(y.r, "side", 9)
		y.step("worktree", "remove", "--force", tree)
		y.step("branch", "-D", "side")
	},
	"working tree beside, gone with its branch behind a squash merge": func(y *story) {
		tree := filepath.Join(y.home, "src", "shop-side")
		y.step("worktree", "add", "-q", "-b", "side", tree)
		s := y.session(y.r, tree, false)
		s.loud = true
		s.work()
		s.commit()
		y.pass(time.Minute)
		y.s.work() // elsewhere in the repository
		y.squash("side", "Side (#9)")
		y.merged(y.r, "side", 9)
		y.step("worktree", "remove", "--force", tree)
		y.step("branch", "-D", "side")
	},
	"branch renamed before the merge": func(y *story) {
		y.begin("draft", 2)
		y.s.shell("git branch -m final", func() { y.git(y.r.dir, "branch", "-m", "final") })
		y.pass(2 * time.Second)
		for _, q := range y.all {
			if q.branch == "draft" {
				q.branch = "final"
			}
		}
		y.s.work()
		y.s.commit()
		y.merge("final")
		y.step("branch", "-D", "final")
	},
	"amended behind a push": func(y *story) {
		bare := filepath.Join(y.home, "remote.git")
		y.step("init", "-q", "--bare", bare)
		y.step("remote", "set-url", "--push", "origin", bare)
		f := y.begin("feature", 2)
		y.s.shell("git push -u origin feature", func() { y.git(y.r.dir, "push", "-q", "origin", "feature") })
		y.s.work()
		more := ""
		y.s.shell("git commit -a --amend --no-edit && git push -f", func() {
			y.n++
			more = fmt.Sprintf("f%d.txt", y.n)
			must(y.t, os.WriteFile(filepath.Join(y.r.dir, more), []byte("more\n"), 0o644))
			y.git(y.r.dir, "add", more)
			y.git(y.r.dir, "commit", "-q", "--amend", "--no-edit")
			y.git(y.r.dir, "push", "-q", "-f", "origin", "feature")
		})
		y.s.committed("feature", more)
		y.into(f[1], more)
		y.merge("feature")
	},
	"rebase that reorders": func(y *story) {
		y.begin("feature", 3)
		y.rebase("'1{h;d};2{G}'")
		y.merge("feature")
	},
	"rebase that drops": func(y *story) {
		f := y.begin("feature", 3)
		y.rebase("2s/pick/drop/")
		y.merge("feature")
		y.forget(f[1])
	},
	"rebase that squashes": func(y *story) {
		y.begin("feature", 4)
		y.rebase("'2s/pick/squash/;4s/pick/fixup/'")
		y.merge("feature")
	},
	"rebase that splits": func(y *story) {
		y.s.checkout("-b", "feature")
		y.s.work()
		y.s.shell("echo more > more.txt && git add more.txt", func() {
			must(y.t, os.WriteFile(filepath.Join(y.r.dir, "more.txt"), []byte("more of it\n"), 0o644))
			y.git(y.r.dir, "add", "more.txt")
		})
		f := y.s.commit()
		y.s.work()
		y.s.commit()
		y.pass(time.Minute)
		y.rebase("1s/pick/edit/")
		y.step("reset", "-q", "HEAD~")
		y.step("add", "more.txt")
		y.step("commit", "-q", "-m", "first half")
		y.step("add", f)
		y.step("commit", "-q", "-m", "other half")
		y.step("rebase", "--continue")
		y.into(f, "more.txt") // of two halves of one size the first
		y.merge("feature")
	},
	"reset and committed as one": func(y *story) {
		y.begin("feature", 3)
		y.s.shell("git reset --soft main && git commit -qm all", func() {
			y.git(y.r.dir, "reset", "-q", "--soft", "main")
			y.git(y.r.dir, "commit", "-q", "-m", "all")
		})
		y.s.committed("feature", y.all[len(y.all)-2].file)
		y.merge("feature")
	},
	"squash merge with an edited title": func(y *story) {
		y.begin("feature", 3)
		y.squash("feature", "Something else")
		y.step("branch", "-D", "feature")
	},
	"squash merge behind changes around it": func(y *story) {
		lines := strings.Split("abcdefghijklmnopqrst", "")
		y.write(y.r.dir, "x.txt", strings.Join(lines, "\n")+"\n", "x")
		y.s.checkout("-b", "feature")
		y.s.work()
		y.s.shell("sed -i s/k/K/ x.txt", func() {
			must(y.t, os.WriteFile(filepath.Join(y.r.dir, "x.txt"), []byte(strings.Replace(strings.Join(lines, "\n"), "k", "K", 1)+"\n"), 0o644))
			y.git(y.r.dir, "add", "x.txt")
		})
		y.s.commit()
		y.pass(time.Minute)
		y.step("checkout", "-q", "main")
		y.write(y.r.dir, "x.txt", strings.Replace(strings.Join(lines, "\n"), "m", "M", 1)+"\n", "by hand")
		y.squash("feature", "Feature (#9)")
		y.merged(y.r, "feature", 9)
		y.step("branch", "-D", "feature")
	},
	"squash merge of a branch with a colleague's commit": func(y *story) {
		bare, other := filepath.Join(y.home, "remote.git"), filepath.Join(y.home, "other")
		y.step("init", "-q", "--bare", "-b", "main", bare)
		y.step("config", "url."+bare+".insteadOf", "https://example.com/acme/shop.git")
		y.step("push", "-q", "origin", "main")
		y.begin("feature", 2)
		y.s.shell("git push -u origin feature", func() { y.git(y.r.dir, "push", "-q", "-u", "origin", "feature") })
		y.pass(time.Minute)
		y.step("clone", "-q", bare, other)
		y.stepIn(other, "checkout", "-q", "feature")
		y.write(other, "theirs.txt", "1\n", "a colleague's")
		y.stepIn(other, "push", "-q")
		y.step("checkout", "-q", "main")
		y.step("fetch", "-q")
		y.stepIn(other, "checkout", "-q", "main")
		y.stepIn(other, "merge", "-q", "--squash", "feature")
		y.stepIn(other, "commit", "-q", "-m", "Feature (#9)")
		y.stepIn(other, "push", "-q", "origin", "main", ":feature")
		y.step("pull", "-q", "--prune", "origin", "main")
		y.merged(y.r, "feature", 9)
	},
	"cherry-pick to a release": func(y *story) {
		y.step("branch", "release")
		y.begin("feature", 2)
		y.step("checkout", "-q", "release")
		y.step("cherry-pick", "feature~1", "feature")
		y.merge("feature")
	},
	"rebased and merged by the host": func(y *story) {
		y.begin("feature", 3)
		y.step("update-ref", "refs/pull/9/head", "feature")
		y.step("checkout", "-q", "main")
		y.commit(y.r.dir, "by hand")
		y.pass(time.Minute)
		y.step("checkout", "-q", "--detach", "feature")
		y.step("rebase", "-q", "main")
		y.step("branch", "-f", "main", "HEAD")
		y.step("checkout", "-q", "main")
		y.step("branch", "-D", "feature")
		y.merged(y.r, "feature", 9)
	},
	"two sessions in one tree": func(y *story) {
		y.s.checkout("-b", "feature")
		other := y.session(y.r, y.r.dir, true)
		for range 5 {
			y.s.work()
			other.work()
			other.work()
			y.s.commit()
			other.commit()
		}
	},
	"a person commits between": func(y *story) {
		y.s.checkout("-b", "feature")
		y.s.work()
		y.pass(time.Second)
		y.commit(y.r.dir, "by hand")
		y.pass(time.Second)
		y.s.work()
		y.s.commit()
		y.s.work()
		y.pass(time.Second)
		y.commit(y.r.dir, "by hand")
	},
	"a subagent commits": func(y *story) {
		y.s.checkout("-b", "feature")
		y.s.work()
		sub := y.s.subagent(y.r.dir)
		sub.work()
		sub.open = append(sub.open, y.s.open...) // its session's next commit
		sub.commit()
		y.s.open = nil
		y.s.prompt()
		y.s.work()
		y.s.commit()
	},
	"resumed on another day and branch": func(y *story) {
		y.s.checkout("-b", "feature/a")
		y.s.work()
		y.pass(20 * time.Hour)
		y.step("checkout", "-q", "-b", "feature/b", "main")
		y.s.prompt()
		y.s.work()
		y.s.commit()
		y.pass(20 * time.Hour)
		y.step("checkout", "-q", "feature/a")
		y.s.prompt()
		y.s.work()
		y.s.commit()
	},
	"detached HEAD": func(y *story) {
		y.s.checkout("--detach")
		y.s.work()
		y.s.commit()
		y.s.checkout("-b", "late")
		y.s.work()
		y.s.commit()
	},
	"switch and commit in one line": func(y *story) {
		y.s.checkout("-b", "feature")
		y.s.work()
		y.s.commit()
		y.s.work() // on feature, behind its last commit
		y.s.shell("git switch main && git commit -qm x && git switch -", func() {
			y.git(y.r.dir, "switch", "-q", "main")
			file, _ := y.commit(y.r.dir, "on main")
			y.s.committed("main", file)
			y.git(y.r.dir, "switch", "-q", "feature")
		})
		y.s.work()
		y.s.commit()
	},
	"submodule": func(y *story) {
		y.step("-c", "protocol.file.allow=always", "submodule", "add", "-q", y.repos[1].dir, "lib")
		y.step("commit", "-q", "-m", "lib")
		lib := &repository{name: y.repos[1].name, dir: filepath.Join(y.r.dir, "lib")}
		y.stepIn(lib.dir, "remote", "set-url", "origin", "https://example.com/acme/site.git")
		y.s.work()
		y.s.cd(lib.dir, lib)
		y.s.work()
		y.s.commit()
		y.s.cd(y.r.dir, y.r)
		y.s.commit()
	},
	"bare repository with working trees": func(y *story) {
		bare := filepath.Join(y.home, "src", "bare.git")
		y.step("clone", "-q", "--bare", y.r.dir, bare)
		y.stepIn(bare, "remote", "set-url", "origin", "https://example.com/acme/bare.git")
		r := &repository{name: "acme/bare", dir: filepath.Join(y.home, "src", "bare-main")}
		side := filepath.Join(y.home, "src", "bare-side")
		y.stepIn(bare, "worktree", "add", "-q", r.dir, "main")
		y.stepIn(bare, "worktree", "add", "-q", "-b", "side", side)
		s := y.session(r, r.dir, false)
		s.work()
		s.commit()
		other := y.session(r, side, false)
		other.work()
		other.commit()
		s.work()
		s.commit()
		y.pass(time.Minute)
		y.stepIn(r.dir, "merge", "-q", "--no-ff", "-m", "Merge pull request #9 from acme/side", "side")
		y.merged(r, "side", 9)
	},
	"repository moved": func(y *story) {
		y.begin("feature", 2)
		y.s.work()
		moved := filepath.Join(y.home, "src", "moved")
		must(y.t, os.Rename(y.r.dir, moved))
		y.r.dir = moved
		y.s = y.session(y.r, moved, false)
		y.s.work()
		y.s.commit()
		y.merge("feature")
	},
	"shallow clone": func(y *story) {
		for range 3 {
			y.commit(y.r.dir, "by hand")
			y.pass(time.Minute)
		}
		dir := filepath.Join(y.home, "src", "shallow")
		y.step("clone", "-q", "--depth", "1", "file://"+y.r.dir, dir)
		y.stepIn(dir, "remote", "set-url", "origin", "https://example.com/acme/shallow.git")
		y.r = &repository{name: "acme/shallow", dir: dir}
		y.s = y.session(y.r, dir, false)
		y.begin("feature", 2)
		y.squash("feature", "Feature (#9)")
		y.merged(y.r, "feature", 9)
	},
	"forwarded by hand": func(y *story) {
		y.begin("feature", 2)
		y.step("checkout", "-q", "main")
		y.step("merge", "-q", "--ff-only", "feature")
		y.step("branch", "-d", "feature")
	},
	"pulled with a rebase": func(y *story) {
		bare, other := filepath.Join(y.home, "remote.git"), filepath.Join(y.home, "other")
		y.step("init", "-q", "--bare", "-b", "main", bare)
		y.step("config", "url."+bare+".insteadOf", "https://example.com/acme/shop.git")
		y.step("push", "-q", "origin", "main")
		y.step("clone", "-q", bare, other)
		y.write(other, "theirs.txt", "1\n", "a colleague's")
		y.stepIn(other, "push", "-q")
		y.s.work()
		y.s.commit()
		y.s.shell("git pull --rebase && git push", func() {
			y.step("pull", "-q", "--rebase", "origin", "main")
			y.step("push", "-q", "origin", "main")
		})
		y.s.work()
		y.s.commit()
	},
	"quiet commits in a working tree that is gone, seen by hooks": func(y *story) {
		tree := filepath.Join(y.home, "src", "shop-side")
		y.step("worktree", "add", "-q", "-b", "side", tree)
		s := y.session(y.r, tree, false)
		s.hooked, s.quiet = true, true
		s.work()
		s.commit()
		s.work()
		s.commit()
		s.work()
		y.pass(time.Minute)
		y.s.work()
		y.squash("side", "Side (#9)")
		y.merged(y.r, "side", 9)
		y.step("worktree", "remove", "--force", tree)
		y.step("branch", "-D", "side")
	},
	"quiet commits by a script, seen by hooks": func(y *story) {
		y.s.hooked = true
		y.s.checkout("-b", "feature")
		y.s.work()
		for range 2 {
			y.s.work()
			var file string
			y.s.shell("make release", func() { file, _ = y.commit(y.r.dir, "release") })
			y.s.committed("feature", file)
		}
	},
	"two subagents in working trees that are gone": func(y *story) {
		for i := range 2 {
			branch := fmt.Sprint("side", i)
			tree := filepath.Join(y.r.dir, ".claude", "worktrees", branch)
			y.step("worktree", "add", "-q", "-b", branch, tree)
		}
		a, b := y.s.subagent(filepath.Join(y.r.dir, ".claude/worktrees/side0")), y.s.subagent(filepath.Join(y.r.dir, ".claude/worktrees/side1"))
		a.loud, b.loud = true, true
		for range 3 {
			a.work()
			b.work()
			b.commit()
			a.commit()
		}
		y.pass(time.Minute)
		for i, sub := range []*session{a, b} {
			y.squash(fmt.Sprint("side", i), fmt.Sprintf("Side (#%d)", i+5))
			y.merged(y.r, fmt.Sprint("side", i), int64(i+5))
			y.step("worktree", "remove", "--force", sub.dir)
			y.step("branch", "-D", fmt.Sprint("side", i))
		}
	},
	"forked": func(y *story) {
		y.s.checkout("-b", "feature")
		y.s.work()
		y.s.commit()
		y.s.work()
		y.pass(time.Minute)
		fork := y.session(y.r, y.r.dir, false)
		data, err := os.ReadFile(y.s.file)
		must(y.t, err)
		must(y.t, os.WriteFile(fork.file, []byte(strings.ReplaceAll(string(data), y.s.id, fork.id)), 0o644))
		fork.prompt()
		fork.work()
		fork.commit()
		y.s.prompt()
		y.s.work()
		y.s.commit()
	},
	"stacked branches, squashed one after the other": func(y *story) {
		y.begin("a", 2)
		y.begin("b", 2)
		y.squash("a", "A (#8)")
		y.merged(y.r, "a", 8)
		y.step("rebase", "-q", "--onto", "main", "a", "b")
		y.step("branch", "-D", "a")
		y.squash("b", "B (#9)")
		y.merged(y.r, "b", 9)
		y.step("branch", "-D", "b")
	},
	"the default branch merged in, then squashed": func(y *story) {
		y.begin("feature", 2)
		y.step("checkout", "-q", "main")
		y.commit(y.r.dir, "by hand")
		y.step("checkout", "-q", "feature")
		y.step("merge", "-q", "--no-edit", "main")
		y.s.prompt()
		y.s.work()
		y.s.commit()
		y.pass(time.Minute)
		y.squash("feature", "Feature (#9)")
		y.merged(y.r, "feature", 9)
		y.step("branch", "-D", "feature")
	},
	"squashed, and the branch goes on": func(y *story) {
		f := y.begin("feature", 2)
		y.squash("feature", "Feature (#9)")
		y.merged(y.r, "feature", 9)
		_ = f
		y.step("checkout", "-q", "feature")
		y.s.prompt()
		y.s.work()
		y.s.commit()
		y.step("checkout", "-q", "main")
	},
	"work that was thrown away": func(y *story) {
		y.begin("feature", 2)
		y.step("reset", "-q", "--hard", "HEAD~")
		y.s.prompt()
		y.s.work()
		y.s.commit()
		y.squash("feature", "Feature (#9)")
		y.merged(y.r, "feature", 9)
		y.step("branch", "-D", "feature")
		for _, q := range y.all {
			if out, _ := y.try(y.r.dir, "log", "--format=%H", "main", "--", q.file); q.file != "" && out == "" {
				q.pull = 0
			}
		}
	},
	"two clones": func(y *story) {
		dir := filepath.Join(y.home, "src", "again")
		y.step("clone", "-q", y.r.dir, dir)
		y.stepIn(dir, "remote", "set-url", "origin", "https://example.com/acme/shop.git")
		y.begin("feature", 2)
		s := y.session(y.r, dir, false)
		s.checkout("-b", "other")
		s.work()
		s.commit()
		y.merge("feature")
		y.pass(time.Minute)
		y.stepIn(dir, "fetch", "-q", y.r.dir, "main")
		y.step("fetch", "-q", dir, "other:other")
	},
	"two commits in one call": func(y *story) {
		y.s.checkout("-b", "feature")
		y.s.work()
		var file string
		y.s.shell("git commit -qm a && git commit -qm b", func() {
			file, _ = y.commit(y.r.dir, "first")
			y.commit(y.r.dir, "second")
		})
		y.s.committed("feature", file)
		y.s.work()
		y.s.commit()
	},
	"a tag checked out": func(y *story) {
		y.step("tag", "v1.0")
		y.s.work()
		y.s.checkout("v1.0")
		y.s.work()
		y.s.checkout("-b", "fix", "HEAD~0")
		y.s.work()
		y.s.commit()
		y.s.checkout("main")
		y.s.work()
	},
	"no remote": func(y *story) {
		y.step("remote", "remove", "origin")
		y.r.name = "shop"
		y.begin("feature", 2)
		y.merge("feature")
	},
	"another branch with a like change": func(y *story) { // not merged, and not taken for what was
		y.s.checkout("-b", "mine")
		y.s.work()
		y.s.commit()
		y.s.shell("echo version >> v.txt", func() {
			must(y.t, os.WriteFile(filepath.Join(y.r.dir, "v.txt"), []byte("version 2.0\n"), 0o644))
			y.git(y.r.dir, "add", "v.txt")
		})
		y.s.commit()
		y.pass(time.Minute)
		y.step("checkout", "-q", "main")
		y.write(y.r.dir, "v.txt", "version 2.0\n", "by hand (#4)")
	},
	"amended by a person with more": func(y *story) {
		f := y.begin("feature", 2)
		must(y.t, os.WriteFile(filepath.Join(y.r.dir, f[1]), []byte("otherwise\n"), 0o644))
		y.step("commit", "-q", "-a", "--amend", "-m", "better", "--reset-author")
		y.step("rebase", "-q", "main")
		y.merge("feature")
		y.step("branch", "-D", "feature")
	},
}

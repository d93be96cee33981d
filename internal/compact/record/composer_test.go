package record

import "testing"

func TestComposer(t *testing.T) {
	in := `No composer.lock file present. Updating dependencies to latest instead of installing from lock file.
Lock file operations: 1 install, 1 update, 0 removals
  - Upgrading acme/money (1.0.0 => 1.1.0)
  - Locking acme/view (1.3.3)
Writing lock file
Package operations: 1 install, 1 update, 0 removals
  - Upgrading acme/money (1.0.0 => 1.1.0): Extracting archive
  - Installing acme/view (1.3.3): Extracting archive
 2/2 [============================] 100%
Class A\B located in ./src/b.php does not comply with psr-4 autoloading standard. Skipping.
3 package suggestions were added by new dependencies, use ` + "`composer suggest`" + ` to see details.
`
	recs := parse(t, "fetch", in)
	equal(t, shown(recs, Keep), "Lock file operations: 1 install, 1 update, 0 removals", "  - Upgrading acme/money (1.0.0 => 1.1.0)", "Package operations: 1 install, 1 update, 0 removals")
	equal(t, shown(recs, Warn), "Class A\\B located in ./src/b.php does not comply with psr-4 autoloading standard. Skipping.")
	in = `Updating dependencies
Your requirements could not be resolved to an installable set of packages.

  Problem 1
    - Root composer.json requires acme/gone, it could not be found in any version.

Potential causes:
 - A typo in the package name
   see <https://getcomposer.org/doc/04-schema.md#minimum-stability> for more details.

Read <https://getcomposer.org/doc/articles/troubleshooting.md> for further common problems.
`
	recs = parse(t, "fetch", in)
	equal(t, shown(recs, Failure), "Your requirements could not be resolved to an installable set of packages.", "", "  Problem 1", "    - Root composer.json requires acme/gone, it could not be found in any version.")
	scramble(t, "fetch", in)
}

func TestHomebrew(t *testing.T) {
	recs := parse(t, "fetch", "==> Auto-updating Homebrew...\n==> Installing ffmpeg dependency: x265\n🍺  /opt/x265: 21 files\n==> Installing ffmpeg\n==> Caveats\nffmpeg is keg-only\n🍺  /opt/ffmpeg: 287 files\nHide these hints with HOMEBREW_NO_ENV_HINTS")
	equal(t, shown(recs, Keep, Body), "==> Caveats", "ffmpeg is keg-only", "🍺  /opt/ffmpeg: 287 files")
}

func TestComposeSteps(t *testing.T) {
	recs := parse(t, "dockerbuild", " Network shop_default  Created\n Container shop-db-1  Creating\n ✔ Container shop-db-1  Started  0.3s\n Container shop-web-1  Error\ndependency failed to start: container shop-web-1 is unhealthy\nContainer is a word")
	equal(t, shown(recs, Keep), " ✔ Container shop-db-1  Started  0.3s")
	equal(t, shown(recs, Failure), " Container shop-web-1  Error", "dependency failed to start: container shop-web-1 is unhealthy")
	equal(t, shown(recs, Body), "Container is a word")
}

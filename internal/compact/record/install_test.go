package record

import "testing"

func TestNpm(t *testing.T) {
	in := `npm warn deprecated inflight@1.0.6: leaks memory
npm warn deprecated glob@7.2.3: old
npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   package: 'a@1.0.0',
npm warn EBADENGINE   required: { node: '>=30' },
npm warn EBADENGINE   current: { node: 'v20.20.2', npm: '11.19.1' }
npm warn EBADENGINE }
npm WARN ERESOLVE overriding peer dependency
npm WARN While resolving: x@1.0.0
npm http fetch GET 200 https://registry.example.com/a 3ms

added 12 packages, and audited 13 packages in 2s

3 packages are looking for funding
  run ` + "`npm fund`" + ` for details
2 vulnerabilities (1 moderate, 1 high)
npm error code EUSAGE
npm error
npm error Missing: a@1.0.0 from lock file
npm error Missing: b@1.0.0 from lock file
npm error Missing: c@1.0.0 from lock file
npm error Missing: d@1.0.0 from lock file
npm error Missing: e@1.0.0 from lock file
npm error Missing: f@1.0.0 from lock file
npm error Missing: g@1.0.0 from lock file
npm error Usage:
npm error npm ci
npm error A complete log of this run can be found in: /home/dev/x.log
`
	recs := parse(t, "npm", in)
	equal(t, shown(recs, Warn), "npm warn deprecated inflight@1.0.6: leaks memory", "npm warn deprecated glob@7.2.3: old",
		"npm warn EBADENGINE   package: 'a@1.0.0', required: { node: '>=30' }, current: { node: 'v20.20.2', npm: '11.19.1' }",
		"npm WARN ERESOLVE overriding peer dependency", "npm WARN While resolving: x@1.0.0")
	equal(t, shown(recs, Failure), "npm error code EUSAGE", "npm error Missing: a@1.0.0 from lock file", "npm error Missing: b@1.0.0 from lock file")
	sites := map[string]string{}
	for _, r := range recs {
		if r.Site != "" {
			sites[r.Key] += r.Site + " "
		}
	}
	if sites["EBADENGINE"] != "a@1.0.0 " {
		t.Errorf("the package of an engine's warning: %q", sites)
	}
	if sites["deprecated"] != "inflight@1.0.6 glob@7.2.3 " || sites["lock"] != "c@1.0.0 d@1.0.0 e@1.0.0 f@1.0.0 g@1.0.0 " {
		t.Errorf("sites: %q", sites)
	}
	scramble(t, "npm", in)
}

func TestNpmAudit(t *testing.T) {
	in := `# npm audit report

braces  <3.0.3
Severity: high
Uncontrolled resource consumption in braces - https://example.com/GHSA-1
fix available via ` + "`npm audit fix`" + `
node_modules/braces
  chokidar  1.3.0 - 2.1.8
  Depends on vulnerable versions of braces

1 high severity vulnerability

To address all issues, run:
  npm audit fix
`
	equal(t, shown(parse(t, "npm", in), Keep), "braces  <3.0.3", "Severity: high", "Uncontrolled resource consumption in braces - https://example.com/GHSA-1",
		"fix available via `npm audit fix`", "1 high severity vulnerability")
}

func TestYarnAndBun(t *testing.T) {
	in := `yarn install v1.22.22
[1/4] Resolving packages...
warning mocha > glob@7.2.0: old
warning " > a-plugin@1.0.0" has unmet peer dependency "a@^2".
success Saved lockfile.
error An unexpected error occurred: "https://registry.example.com/x: ETIMEDOUT".
    at x (y.js:1:2)
➤ YN0013: │ a@npm:1 can't be found in the cache
➤ YN0002: │ app@workspace:. doesn't provide react
➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.
➤ YN0000: Failed with errors in 1s
bun install v1.1.0 (deadbeef)
error: No version matching "99" found for specifier "react"
3 packages installed [1.2s]
`
	recs := parse(t, "npm", in)
	equal(t, shown(recs, Failure), `error An unexpected error occurred: "https://registry.example.com/x: ETIMEDOUT".`, "    at x (y.js:1:2)",
		"➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.", `error: No version matching "99" found for specifier "react"`)
	equal(t, shown(recs, Warn), "warning mocha > glob@7.2.0: old", `warning " > a-plugin@1.0.0" has unmet peer dependency "a@^2".`, "➤ YN0002: │ app@workspace:. doesn't provide react")
	equal(t, shown(recs, Keep), "success Saved lockfile.", "➤ YN0000: Failed with errors in 1s", "3 packages installed [1.2s]")
	scramble(t, "npm", in)
}

func TestPip(t *testing.T) {
	in := `Collecting x
  error: subprocess-exited-with-error

  × python setup.py egg_info did not run successfully.
  ╰─> [9 lines of output]
      running egg_info
      copying a -> b
      Traceback (most recent call last):
        File "/v/lib/python3.11/site-packages/pip/_vendor/x.py", line 3, in main
          hook()
        File "setup.py", line 4, in <module>
          import nothing
      ModuleNotFoundError: No module named 'nothing'
      [end of output]
  note: This error originates from a subprocess, and is likely not a problem with pip.
  × No solution found when resolving dependencies:
  ╰─▶ Because x was not found in the package registry, we can conclude it cannot be used.
Resolved 4 packages in 3ms
 + a==1.0
`
	recs := parse(t, "pip", in)
	equal(t, shown(recs, Failure), "  error: subprocess-exited-with-error", "", "  × python setup.py egg_info did not run successfully.", "  ╰─> [9 lines of output]",
		`        File "setup.py", line 4, in <module>`, "          import nothing", "      ModuleNotFoundError: No module named 'nothing'",
		"  × No solution found when resolving dependencies:", "  ╰─▶ Because x was not found in the package registry, we can conclude it cannot be used.")
	equal(t, shown(recs, Keep), "Resolved 4 packages in 3ms", " + a==1.0")
	scramble(t, "pip", in)
}

func TestApt(t *testing.T) {
	in := `The following additional packages will be installed:
  libx1 x-common
The following packages will be REMOVED:
  old
The following NEW packages will be installed:
  libx1 x x-common
0 upgraded, 3 newly installed, 1 to remove and 0 not upgraded.
Setting up libx1:amd64 (1.0) ...
Setting up x:amd64 (1.0) ...
dpkg: error processing package x (--configure):
 installed x package post-installation script subprocess returned error exit status 1
E: Sub-process /usr/bin/dpkg returned an error code (1)
W: Target Packages is configured multiple times
`
	recs := parse(t, "apt", in)
	equal(t, shown(recs, Keep), "The following packages will be REMOVED:", "  old", "0 upgraded, 3 newly installed, 1 to remove and 0 not upgraded.", "Setting up x:amd64 (1.0) ...")
	equal(t, shown(recs, Failure), "dpkg: error processing package x (--configure):", " installed x package post-installation script subprocess returned error exit status 1",
		"E: Sub-process /usr/bin/dpkg returned an error code (1)")
	equal(t, shown(recs, Warn), "W: Target Packages is configured multiple times")
	scramble(t, "apt", in)
}

func TestFetch(t *testing.T) {
	in := `    Updating registry.example.com index
     Locking 2 packages to latest compatible versions
      Adding serde v1.0.1 (available: v2.0.0)
warning: spurious network error (3 tries remaining): timeout
error: failed to get ` + "`serde`" + ` as a dependency

Caused by:
  download failed
go: downloading example.com/a v1.0.0
go: example.com/a@v9: reading https://registry.example.com/a: 404 Not Found
	server response: not found
Using rake 13.0.6
Bundle complete! 3 Gemfile dependencies, 9 gems now installed.
Your requirements could not be resolved to an installable set of packages.

  Problem 1
    - Root composer.json requires a/b ^9, found a/b[1.0] but it does not match.
  - Installing a/c (v1.0): Extracting archive
`
	recs := parse(t, "fetch", in)
	equal(t, shown(recs, Keep), "     Locking 2 packages to latest compatible versions", "      Adding serde v1.0.1 (available: v2.0.0)", "Bundle complete! 3 Gemfile dependencies, 9 gems now installed.")
	equal(t, shown(recs, Failure), "error: failed to get `serde` as a dependency", "", "Caused by:", "  download failed",
		"go: example.com/a@v9: reading https://registry.example.com/a: 404 Not Found", "\tserver response: not found",
		"Your requirements could not be resolved to an installable set of packages.", "", "  Problem 1", "    - Root composer.json requires a/b ^9, found a/b[1.0] but it does not match.")
	scramble(t, "fetch", in)
}

func TestPackageTree(t *testing.T) {
	in := `app@1.0.0 /home/dev/app
├─┬ a@1.0.0
│ ├── es-errors@1.0.0
│ └── UNMET DEPENDENCY b@^2.0.0
└── c@1.0.0
npm error code ELSPROBLEMS
`
	equal(t, shown(parse(t, "packages", in), Keep), "app@1.0.0 /home/dev/app", "├─┬ a@1.0.0", "│ └── UNMET DEPENDENCY b@^2.0.0", "└── c@1.0.0", "npm error code ELSPROBLEMS")
	scramble(t, "packages", in)
}

// Of the lock file's diff that an immutable install prints, what was asked for
// stays, not what yarn would write about it.
func TestYarnImmutable(t *testing.T) {
	in := `➤ YN0000: · Yarn 4.18.1
➤ YN0000: ┌ Post-resolution validation
➤ YN0000: │ @@ -1098,9 +1098,9 @@
➤ YN0000: │      react: "npm:18.2.0"
➤ YN0028: │ -    typescript: "npm:5.4.5"
➤ YN0028: │ +    typescript: "npm:5.4.4"
➤ YN0000: │    languageName: unknown
➤ YN0028: │ -  checksum: 10c0/2954022ada
➤ YN0000: │
➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.
➤ YN0000: └ Completed
➤ YN0000: · Failed with errors in 0s 357ms`
	want := `➤ YN0028: │ -    typescript: "npm:5.4.5"
➤ YN0028: │ +    typescript: "npm:5.4.4"
➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.
➤ YN0000: · Failed with errors in 0s 357ms
`
	if got := kept(parse(t, "npm", in)); got != want {
		t.Errorf("kept:\n%s", got)
	}
	scramble(t, "npm", in)
}

// Of a lock file that does not fit the first entries stand for the rest, and a
// peer that does not fit is told with who wants it, each warning in one place.
func TestNpmWarnsInOnePlace(t *testing.T) {
	in := `npm warn ERESOLVE overriding peer dependency
npm warn While resolving: kiln@2.0.0
npm warn Found: glaze@3.1.0
npm warn node_modules/glaze
npm warn   dev glaze@"^3.1.0" from the root project
npm warn   2 more (oven, shelf)
npm warn
npm warn Could not resolve dependency:
npm warn peer glaze@"^2" from oven@1.4.0
npm warn node_modules/oven
npm warn   dev oven@"^1.4.0" from the root project
`
	recs := parse(t, "npm", in)
	n := 0
	for _, r := range recs {
		if r.Class == Warn {
			n++
		}
	}
	equal(t, shown(recs, Warn), "npm warn ERESOLVE overriding peer dependency", "npm warn While resolving: kiln@2.0.0", "npm warn Found: glaze@3.1.0", `npm warn   dev glaze@"^3.1.0" from the root project`,
		`npm warn peer glaze@"^2" from oven@1.4.0`, `npm warn   dev oven@"^1.4.0" from the root project`)
	if n != 1 {
		t.Errorf("%d warnings instead of one", n)
	}
}

// What a library counts and which object it prints is no part of why a
// connection broke.
func TestPipRetries(t *testing.T) {
	in := "WARNING: Retrying (Retry(total=4, connect=None, read=None)) after connection broken by 'ConnectTimeoutError(<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f0>, 'Connection to pypi.example timed out.')': /simple/kiln/\n" +
		"WARNING: Retrying (Retry(total=3, connect=None, read=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f1>: Failed to establish a new connection: [Errno 111] Connection refused')': /simple/kiln/\n"
	equal(t, shown(parseCut(t, "pip", in), Warn), "WARNING: Retrying after connection broken by 'ConnectTimeoutError(<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f0>, 'Connection to pypi.example timed out.')': /simple/kiln/",
		"WARNING: Retrying after connection broken by 'NewConnectionError('…Failed to establish a new connection: [Errno 111] Connection refused')': /simple/kiln/")
}

// What a build under pip said is told once, though pip ends with it again.
func TestPipSaysAFailedBuildOnce(t *testing.T) {
	in := `Processing ./kiln
  Installing build dependencies: started
  error: subprocess-exited-with-error

  × pip subprocess to install build dependencies did not run successfully.
  │ exit code: 1
  ╰─> [4 lines of output]
      Looking in links: /opt/wheels
      WARNING: Retrying (Retry(total=1, connect=None)) after connection broken by 'X': /simple/clay/
      WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'X': /simple/clay/
      ERROR: No matching distribution found for clay
      [end of output]

  note: This error originates from a subprocess, and is likely not a problem with pip.
error: subprocess-exited-with-error

× pip subprocess to install build dependencies did not run successfully.
│ exit code: 1
╰─> See above for output.

note: This error originates from a subprocess, and is likely not a problem with pip.
`
	var got []string
	for _, l := range shown(parseCut(t, "pip", in), Failure) {
		if l != "" {
			got = append(got, l)
		}
	}
	equal(t, got, "  error: subprocess-exited-with-error", "  × pip subprocess to install build dependencies did not run successfully.", "  │ exit code: 1", "  ╰─> [4 lines of output]",
		"      WARNING: Retrying after connection broken by 'X': /simple/clay/", "      ERROR: No matching distribution found for clay")
	scrambleBy(t, parseCut, "pip", in)
}

// What npm says of a file that is missing is its path and the message.
func TestNpmMissingFile(t *testing.T) {
	in := "npm error code ENOENT\nnpm error syscall open\nnpm error path /srv/kiln/clay.tgz\nnpm error errno -2\nnpm error enoent ENOENT: no such file or directory, open '/srv/kiln/clay.tgz'\nnpm error enoent This is related to npm not being able to find a file.\nnpm error enoent\nnpm error A complete log of this run can be found in: /home/dev/x.log\n"
	equal(t, shown(parse(t, "npm", in), Failure), "npm error code ENOENT", "npm error path /srv/kiln/clay.tgz", "npm error enoent ENOENT: no such file or directory, open '/srv/kiln/clay.tgz'")
}

// What pnpm says below every fault of a kind is no part of it.
func TestPnpmAdvice(t *testing.T) {
	in := " ERR_PNPM_FETCH_404  GET https://registry.example/@kiln%2Fclay: Not Found - 404\n\nThis error happened while installing a direct dependency of /srv/kiln\n\n@kiln/clay is not in the npm registry, or you have no permission to fetch it.\n\nNo authorization header was set for the request.\n"
	equal(t, shown(parse(t, "npm", in), Failure), " ERR_PNPM_FETCH_404  GET https://registry.example/@kiln%2Fclay: Not Found - 404", "", "", "", "No authorization header was set for the request.")
}

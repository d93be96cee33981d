package compact

import (
	"fmt"
	"strings"
	"testing"
)

// The good cases of package managers and image builds. pnpm's and pip's
// outputs are captured, or made longer in the format of a captured one;
// docker's follow the format in its documentation, for want of a daemon.

func lacks(t *testing.T, res Result, gone ...string) {
	t.Helper()
	for _, g := range gone {
		if strings.Contains(res.Reduced, g) {
			t.Errorf("%q is left in\n%s", g, res.Reduced)
		}
	}
}

func TestG10PnpmInstall(t *testing.T) {
	_, res := captured(t, "install/pnpm-install")
	holds(t, res, 12, "Packages: +51", "+ react 18.2.0", "Done in 3.8s using pnpm v9.15.9")
	lacks(t, res, "Progress:", "+++++", "Update available", "postinstall")

	out := "Progress: resolved 1, reused 0, downloaded 0, added 0\n" +
		" WARN  deprecated inflight@1.0.6: This module is not supported\n WARN  deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported\n" +
		"Packages: +182\n" + strings.Repeat("+", 80) + "\nProgress: resolved 182, reused 182, downloaded 0, added 182, done\n\ndependencies:\n" +
		numbered(40, "+ package-%d 1.0.0") +
		" WARN  Issues with peer dependencies found\n.\n└─┬ react-dom 18.2.0\n  └── ✕ unmet peer react@^18.2.0: found 17.0.2\n\nDone in 4.3s using pnpm v9.15.9\n"
	res = reduce("pnpm install", out)
	holds(t, res, 17, "Packages: +182", "deprecated inflight@1.0.6", "glob@7.2.3", "✕ unmet peer react@^18.2.0: found 17.0.2", "Done in 4.3s")
	lacks(t, res, "package-39")
}

func TestG11PipInstall(t *testing.T) {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "Collecting tool-%d==1.%d (from -r requirements.txt (line %d))\n  Downloading tool_%d-1.%d-py3-none-any.whl (12 kB)\n     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 12.1/12.1 MB 9.8 MB/s eta 0:00:00\n", i, i, i+1, i, i)
	}
	progress := b.String()
	res := reduce("pip install -r requirements.txt", progress+"Installing collected packages: tool-0, tool-1\nSuccessfully installed tool-0-1.0 tool-1-1.1\n")
	holds(t, res, 3, "Successfully installed tool-0-1.0 tool-1-1.1")

	one := 1
	res = Compact(Envelope{Command: "pip install -r requirements.txt", ExitCode: &one, CombinedText: progress +
		"ERROR: Cannot install x and y because these package versions have conflicting dependencies.\n\nThe conflict is caused by:\n    x 2.0 depends on core>=1\n    y 1.0 depends on core>=5\n"}, Options{Level: Normal})
	holds(t, res, 8, "ERROR: Cannot install x and y", "    x 2.0 depends on core>=1", "    y 1.0 depends on core>=5")
	lacks(t, res, "Downloading", "━━━")
}

func TestG13DockerBuild(t *testing.T) {
	const digest = "sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
	head := "#0 building with \"default\" instance using docker driver\n\n#1 [internal] load build definition from Dockerfile\n#1 transferring dockerfile: 312B done\n#1 DONE 0.0s\n\n" +
		"#4 [1/4] FROM docker.io/library/node:20@" + digest + "\n" + numbered(60, "#4 sha256:ab%064d 29.13MB / 29.13MB 1.2s done") + numbered(30, "#4 extracting sha256:ab%064d 0.3s done") + "#4 DONE 3.1s\n\n" +
		"#5 [2/4] WORKDIR /app\n#5 CACHED\n\n#7 [4/4] RUN npm ci\n"
	pass := head + "#7 6.120 added 204 packages in 6s\n#7 DONE 6.3s\n\n#8 exporting to image\n#8 exporting layers 0.5s done\n#8 writing image " + digest + " done\n#8 naming to docker.io/library/shop:latest done\n#8 DONE 0.5s\n"
	res := reduce("docker build -t shop .", pass)
	holds(t, res, 14, "writing image "+digest, "naming to docker.io/library/shop:latest", "[4/4] RUN npm ci")
	lacks(t, res, "extracting", "29.13MB", "transferring")

	one := 1
	fail := head + "#7 1.204 npm error code ERESOLVE\n#7 ERROR: process \"/bin/sh -c npm ci\" did not complete successfully: exit code: 1\n------\n > [4/4] RUN npm ci:\n1.204 npm error code ERESOLVE\n------\n" +
		"Dockerfile:9\n--------------------\n   7 |     COPY package*.json ./\n   9 | >>> RUN npm ci\n--------------------\nERROR: failed to solve: process \"/bin/sh -c npm ci\" did not complete successfully: exit code: 1\n"
	res = Compact(Envelope{Command: "docker build .", CombinedText: fail, ExitCode: &one}, Options{Level: Normal})
	holds(t, res, 16, "npm error code ERESOLVE", "Dockerfile:9", "9 | >>> RUN npm ci", "ERROR: failed to solve")
	lacks(t, res, "extracting", "29.13MB")

	classic := "Sending build context to Docker daemon  2.048kB\nStep 1/2 : FROM node:20\n20: Pulling from library/node\n" + numbered(20, "%012d: Pull complete") + "Digest: " + digest + "\nStatus: Downloaded newer image for node:20\n ---> 0f1e2d3c4b5a\nStep 2/2 : RUN npm ci\n ---> Running in aa11bb22cc33\nRemoving intermediate container aa11bb22cc33\n ---> 1a2b3c4d5e6f\nSuccessfully built 1a2b3c4d5e6f\nSuccessfully tagged shop:latest\n"
	res = reduce("docker build .", classic)
	holds(t, res, 12, "Digest: "+digest, "Step 2/2 : RUN npm ci", "Successfully built 1a2b3c4d5e6f", "Successfully tagged shop:latest")
	lacks(t, res, "Pull complete", "Removing intermediate")
}

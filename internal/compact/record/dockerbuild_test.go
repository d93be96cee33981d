package record

import "testing"

// Of a build that fails stays the step that failed, what it printed once, and
// the line of the Dockerfile; what other steps printed goes.
func TestDockerBuildFails(t *testing.T) {
	plain := `#0 building with "default" instance using docker driver

#5 [internal] load build context
#5 DONE 0.1s

#6 [2/4] COPY go.mod ./
#6 CACHED

#7 [builder 3/4] RUN apk add make
#7 0.312 fetch https://mirror.example/APKINDEX.tar.gz
#7 0.900 OK: 12 MiB in 20 packages
#7 DONE 1.1s

#8 [builder 4/4] RUN make oven
#8 0.201 cc -c oven.c
#8 0.330 oven.c:7:3: error: unknown type name 'brick'
#8 0.331 make: *** [Makefile:3: oven] Error 1
#8 ERROR: process "/bin/sh -c make oven" did not complete successfully: exit code: 2
------
 > [builder 4/4] RUN make oven:
0.201 cc -c oven.c
0.330 oven.c:7:3: error: unknown type name 'brick'
0.331 make: *** [Makefile:3: oven] Error 1
------
Dockerfile:9
--------------------
   7 |     COPY . .
   8 |     RUN apk add make
   9 | >>> RUN make oven
  10 |
--------------------
ERROR: failed to solve: process "/bin/sh -c make oven" did not complete successfully: exit code: 2
`
	recs := parse(t, "dockerbuild", plain)
	equal(t, shown(recs, Keep, Failure, Body, Warn), "#8 [builder 4/4] RUN make oven", "#8 0.201 cc -c oven.c", "#8 0.330 oven.c:7:3: error: unknown type name 'brick'", "#8 0.331 make: *** [Makefile:3: oven] Error 1",
		"Dockerfile:9", "   9 | >>> RUN make oven", `ERROR: failed to solve: process "/bin/sh -c make oven" did not complete successfully: exit code: 2`)
	scramble(t, "dockerbuild", plain)

	terminal := ` => CACHED [2/4] COPY go.mod ./                0.0s
 => ERROR [builder 4/4] RUN make oven          0.4s
------
 > [builder 4/4] RUN make oven:
0.330 oven.c:7:3: error: unknown type name 'brick'
------
Dockerfile:9
--------------------
   9 | >>> RUN make oven
--------------------
ERROR: failed to solve: process "/bin/sh -c make oven" did not complete successfully: exit code: 2
`
	equal(t, shown(parse(t, "dockerbuild", terminal), Failure), " => ERROR [builder 4/4] RUN make oven          0.4s", " > [builder 4/4] RUN make oven:", "0.330 oven.c:7:3: error: unknown type name 'brick'",
		"Dockerfile:9", "   9 | >>> RUN make oven", `ERROR: failed to solve: process "/bin/sh -c make oven" did not complete successfully: exit code: 2`)
	scramble(t, "dockerbuild", terminal)

	classic := `Sending build context to Docker daemon  4.1kB
Step 1/3 : FROM alpine
 ---> 0f1e2d3c4b5a
Step 2/3 : RUN apk add make
 ---> Running in 1a2b3c4d5e6f
OK: 12 MiB in 20 packages
Removing intermediate container 1a2b3c4d5e6f
 ---> 112233445566
Step 3/3 : RUN make oven
 ---> Running in 2a2b3c4d5e6f
make: *** No rule to make target 'oven'.  Stop.
The command '/bin/sh -c make oven' returned a non-zero code: 2
`
	equal(t, shown(parse(t, "dockerbuild", classic), Keep, Failure, Body), "Step 3/3 : RUN make oven", "make: *** No rule to make target 'oven'.  Stop.", "The command '/bin/sh -c make oven' returned a non-zero code: 2")
	scramble(t, "dockerbuild", classic)
}

// A build that goes well is its steps and the image; one that is cut short shows
// what its last step printed.
func TestDockerBuildPasses(t *testing.T) {
	passes := "#6 [2/3] RUN make\n#6 0.2 cc -c oven.c\n#6 DONE 1.0s\n\n#7 exporting to image\n#7 writing image sha256:0123 done\n#7 naming to docker.io/bakery/oven done\n#7 DONE 0.1s\n"
	equal(t, shown(parse(t, "dockerbuild", passes), Keep, Body), "#6 [2/3] RUN make", "#7 writing image sha256:0123 done", "#7 naming to docker.io/bakery/oven done")
	equal(t, shown(parse(t, "dockerbuild", "#6 [2/3] RUN make\n#6 0.2 cc -c oven.c\n#6 9.1 waiting for the oven\n"), Keep, Body), "#6 [2/3] RUN make", "#6 0.2 cc -c oven.c", "#6 9.1 waiting for the oven")
}

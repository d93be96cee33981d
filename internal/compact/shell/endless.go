package shell

import (
	"slices"
	"strings"
)

const (
	// servers run until they are stopped, whatever their arguments.
	servers = "air browser-sync gunicorn http-server http.server hypercorn live-server livereload nodemon redis-server serve stern top htop uvicorn watch watchexec watchman entr"

	// scriptRunners run something by a name that their users chose, so the
	// name tells: npm run dev, make serve, turbo watch, php artisan serve.
	scriptRunners = "npm pnpm yarn bun deno make just task rake turbo nx lerna ng next nuxt astro remix gatsby vite vue-cli-service react-scripts webpack parcel expo rails flask django-admin manage.py python php hugo jekyll mkdocs docusaurus storybook netlify vercel wrangler firebase supabase cargo trunk mix dotnet ember quasar hatch"
	scriptOpeners = "run run-script task artisan manage.py workspace"
	endlessVerbs  = "dev develop serve server start watch preview runserver storybook"

	// shortWatch are the tools whose -w is --watch. Jest's is --maxWorkers.
	shortWatch = "tsc vitest mocha webpack rollup babel sass ava tsup kubectl stylus postcss"
)

// Endless reports whether the call is a server or a watcher: a command whose
// output is read while it runs, because it ends only when it is stopped.
func (c Call) Endless() bool {
	if listed(servers, c.Name) {
		return true
	}
	for _, f := range []string{"--watch", "--watchAll", "--watch-all"} {
		if c.hasFlag(f) && !listed(strings.Join(c.Args, " "), f+"=false") {
			return true
		}
	}
	if listed(shortWatch, c.Name) && c.hasFlag("-w") || c.follows() {
		return true
	}
	w := c.Words()
	switch {
	case c.HasPrefix([]string{"docker", "compose", "up"}):
		return !c.hasFlag("-d") && !c.hasFlag("--detach") && !c.hasFlag("--wait")
	case c.HasPrefix([]string{"kubectl", "port-forward"}), c.HasPrefix([]string{"flask", "run"}):
		return true
	case c.Name == "vite" && len(w) == 1, c.HasPrefix([]string{"php", "-S"}):
		return !c.hasFlag("--help") && !c.hasFlag("--version")
	case !listed(scriptRunners, c.Name):
		return false
	}
	i := 1
	for i+1 < len(w) && listed(scriptOpeners, w[i]) {
		if w[i] == "workspace" {
			i++
		}
		i++
	}
	return i < len(w) && isEndlessScript(w[i])
}

// isEndlessScript takes dev, dev:web and web:dev.
func isEndlessScript(name string) bool {
	first, _, _ := strings.Cut(name, ":")
	return listed(endlessVerbs, first) || listed(endlessVerbs, name[strings.LastIndexByte(name, ':')+1:])
}

// follows reports tail -f, and the logs of something that still runs.
func (c Call) follows() bool {
	args := c.Args
	if c.Name != "tail" && c.Name != "journalctl" {
		// In `docker compose -f FILE logs -f` only the second -f follows.
		for len(args) > 0 && args[0] != "logs" {
			args = args[1:]
		}
		if !listed("docker kubectl heroku fly flyctl vercel oc nerdctl pm2 supabase", c.Name) {
			return false
		}
	}
	return slices.ContainsFunc(args, func(a string) bool {
		short := len(a) > 1 && a[0] == '-' && a[1] != '-'
		return short && strings.ContainsAny(a, "fF") || strings.HasPrefix(a, "--follow") && a != "--follow=false"
	})
}

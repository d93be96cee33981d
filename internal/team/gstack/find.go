package gstack

import (
	"path/filepath"
	"slices"
	"strings"
)

// Where returns where the tool keeps its files, by the environment.
func Where(getenv func(string) string, user string) Source {
	src := Source{Evals: getenv("GSTACK_EVAL_DIR"), Slug: getenv("GSTACK_PROJECT_SLUG")}
	for _, name := range [...]string{"GSTACK_STATE_ROOT", "GSTACK_HOME", "GSTACK_STATE_DIR"} {
		if src.State == "" {
			src.State = getenv(name)
		}
	}
	if user == "" {
		return src
	}
	if src.State == "" {
		src.State = filepath.Join(user, ".gstack")
	}
	src.Dev = filepath.Join(user, ".gstack-dev")
	return src
}

// find lists what there is to read, settings first: they say whether there is a
// team for what follows.
func (im *importer) find() {
	src, repo := im.src, im.src.Repo
	state, ok := im.dir(Others, src.State)
	if ok {
		im.looked(state)
		im.findState(state)
	}
	if dev, ok := im.dir(Others, src.Dev); ok {
		im.looked(dev)
		if evals, ok := im.dir(Runs, dev, "evals"); ok {
			im.findRuns(evals, true, mostDepth)
		}
		im.findLive(dev)
	}
	known := filepath.Clean(src.Evals) == filepath.Join(src.Dev, "evals") || strings.HasPrefix(filepath.Clean(src.Evals), filepath.Join(src.State, "projects"))
	if evals, ok := im.dir(Runs, src.Evals); ok && !known {
		im.looked(evals)
		im.findRuns(evals, true, mostDepth)
	}
	if retros, ok := im.dir(Retros, repo.Dir, ".context", "retros"); ok {
		im.looked(retros)
		im.findRetros(retros)
	}
	if reports, ok := im.dir(QA, repo.Dir, ".gstack", "qa-reports"); ok {
		im.looked(reports)
		im.findQA(reports)
	}
	for _, dir := range append(slices.Clone(src.Temp), state) {
		if path, ok := im.file(dir, "gstack-ship-log.json"); ok {
			im.looked(path)
			im.add(found{path: path, read: (*importer).readShipLog})
		}
	}
	if path, ok := im.file(state, "sync-queue.json"); ok { // last: most of it is in files
		im.add(found{path: path, read: (*importer).readQueue, unnamed: true})
	}
	if path, ok := im.file(repo.Dir, ".gstack-sync.json"); ok {
		im.report.left(Left{Kind: Others, Path: path, Why: "names the server of the older tool, whose tables are others; cairn sync init writes .cairn/team.json"})
	}
	if path, ok := im.file(filepath.Dir(src.History), filepath.Base(src.History)); ok && src.History != "" && len(im.report.Looked) > 0 {
		im.report.left(Left{Kind: Others, Path: path, Why: "what was typed in sessions, which only cairn sync push-transcript shares"})
	}
}

func (im *importer) looked(path string) { im.report.Looked = append(im.report.Looked, path) }

func (im *importer) findState(state string) {
	if path, ok := im.file(state, "config.yaml"); ok {
		im.add(found{path: path, read: (*importer).readSettings})
	}
	if path, ok := im.file(state, "auth.json"); ok {
		im.report.left(Left{Kind: Others, Path: path, Why: "sign-in tokens, which are not read; cairn sync setup signs in"})
	}
	im.findUsage(state, im.findProjects(state))
	im.findShards(state)
	if path, ok := im.file(state, "greptile-history.md"); ok {
		im.add(found{path: path, read: (*importer).readVerdicts, unnamed: true})
	}
	if dir, ok := im.dir(Retros, state, "retros"); ok {
		for _, e := range im.list(Retros, dir) {
			im.report.left(Left{Kind: Retros, Path: filepath.Join(dir, e.Name()), Why: "of all projects at once; cairn retro measures each repository"})
		}
	}
	im.findLive(state)
}

// findProjects lists what is kept by project, of the repository; of the others
// it counts. It returns the repository's logs of skills.
func (im *importer) findProjects(state string) (logs []string) {
	projects, ok := im.dir(Others, state, "projects")
	if !ok {
		return nil
	}
	for _, e := range im.list(Others, projects) {
		if e.Type().IsRegular() {
			continue // a desktop's own
		}
		project, ok := im.dir(Others, projects, e.Name())
		if !ok {
			continue
		}
		if path, ok := im.file(project, "greptile-history.md"); ok { // its lines name their repositories
			im.add(found{path: path, read: (*importer).readVerdicts, unnamed: !im.slugs.mine(e.Name())})
		}
		evals, hasEvals := im.dir(Runs, project, "evals")
		shards, hasShards := im.dir(Runs, project, "shards")
		if !im.slugs.mine(e.Name()) {
			im.leaveProject(project, evals, shards)
			continue
		}
		unsure := im.namesake(project)
		if hasEvals {
			im.findRuns(evals, unsure, mostDepth)
		}
		if hasShards {
			im.findRuns(shards, unsure, mostDepth)
		}
		logs = append(logs, im.findLogs(project)...)
	}
	return logs
}

// findShards lists the parts of runs that several machines made, by project.
func (im *importer) findShards(state string) {
	if all, ok := im.dir(Runs, state, "shards"); ok {
		for _, e := range im.list(Runs, all) {
			if dir, ok := im.dir(Runs, all, e.Name()); ok && im.slugs.mine(e.Name()) {
				im.findRuns(dir, false, mostDepth)
			} else if ok {
				im.leaveProject(dir, dir, "")
			}
		}
	}
}

// leaveProject counts what is of another repository.
func (im *importer) leaveProject(project string, dirs ...string) {
	n := 0
	for _, dir := range dirs {
		if dir != "" {
			n += im.countRuns(dir, mostDepth)
		}
	}
	why := "of another repository; cairn migrate gstack in it takes them"
	if im.src.Repo.Dir == "" {
		why = "of a repository; cairn migrate gstack in it takes them"
	}
	if n > 0 {
		im.report.left(Left{Kind: Runs, Path: project, Count: n, Why: why})
	}
	if logs := im.findLogs(project); len(logs) > 0 {
		im.report.left(Left{Kind: Ships, Path: project, Count: len(logs), Why: why})
	}
}

// findLive tells of what says how far a run is.
func (im *importer) findLive(dir string) {
	if path, ok := im.file(dir, "e2e-live.json"); ok {
		im.report.left(Left{Kind: Others, Path: path, Why: "the sign of life of a run, no result"})
	}
	for _, is := range [...]struct{ name, why string }{
		{"e2e-runs", "logs of runs in progress, no results"},
		{"eval-cache", "a cache, which fills itself again"},
		{"eval-partials", "parts of runs that were not over; cairn eval push DIR joins the workers' files of one run"},
	} {
		if path, ok := im.file(dir, is.name); ok {
			im.report.left(Left{Kind: Others, Path: path, Why: is.why})
		}
	}
}

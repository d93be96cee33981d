package query

import (
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// row is a command: how it is called, what it takes, and what answers it. One
// of the functions is there.
type row struct {
	name  string // its words, by spaces; other spellings follow a |
	takes string // its options; see parse
	needs string // what is said when there is no first argument; "" when none has to be there
	bare  bool   // works on the working directory itself, not on its project
	part  string // of the settings, which has to be on

	run    func(*call) result
	phases func(*call) result                        // changes phases: errors have the older tool's words
	read   func(*call, *plan.Tx) result              // looks at the plan
	write  func(*call, *plan.Tx) result              // changes it
	look   func(*call, *plan.State) result           // at STATE.md
	edit   func(*call, *plan.State) result           // changes it
	phase  func(*call, *plan.Tx, *plan.Phase) result // looks at the phase that the first argument names
	file   func(*call, *doc.Text) result             // looks at the file that the first argument names
	start  func(*starting) object                    // gathers what a workflow begins with
	absent string                                    // left out on purpose, and why
	lists  string                                    // only a word of others, which the older tool listed so
}

// answer calls the row's function.
func (r *row) answer(c *call) (res result) {
	if r.part != "" && !c.settings().Bool(r.part+".enabled") {
		return data(object{{"disabled", true}, {"message", r.part + " is off: config-set " + r.part + ".enabled true turns it on"}})
	}
	switch {
	case r.run != nil:
		return r.run(c)
	case r.phases != nil:
		must.OK(oldWords(must.Catch(func() { res = r.phases(c) })))
	case r.read != nil:
		c.look(func(tx *plan.Tx) { res = r.read(c, tx) })
	case r.write != nil:
		c.change(func(tx *plan.Tx) { res = r.write(c, tx) })
	case r.look != nil:
		return readState(c, r.look)
	case r.edit != nil:
		return editState(c, r.edit)
	case r.phase != nil:
		return lookAtPhase(c, r.phase)
	case r.file != nil:
		return r.file(c, c.document(c.arg(0)))
	case r.start != nil:
		c.look(func(tx *plan.Tx) { res = data(r.start(&starting{c, tx, c.load(tx)})) })
	case r.absent != "":
		refuse("unknown", "Not in cairn: %s", r.absent)
	default:
		must.OK(badSubcommand(r.name, r.lists))
	}
	return res
}

// table is every command. It is data: the start of any other verb of cairn
// costs nothing.
var table = []row{
	{name: "find-phase", takes: "#phase", read: findPhase, needs: "phase identifier required"},
	{name: "phase next-decimal", takes: "#phase", read: phaseNextDecimal},
	{name: "phase add", takes: "--id= !", phases: phaseAdd},
	{name: "phase add-batch", takes: "--descriptions=* !", phases: phaseAddBatch},
	{name: "phase insert", takes: "!", phases: phaseInsert},
	{name: "phase remove", takes: "#phase --force !", phases: phaseRemove},
	{name: "phase complete", takes: "#phase --force --reason= !", phases: phaseComplete},
	{name: "phase mvp-mode", takes: "#phase --cli-flag", read: phaseMVPMode, needs: "phase number required for phase mvp-mode"},
	{name: "phase scaffold|scaffold", takes: "--phase= --name=...", run: scaffold},
	{name: "phase", lists: "next-decimal, add, add-batch, insert, remove, complete"},
	{name: "phases list", takes: "--type= --phase= --include-archived", read: phasesList},
	{name: "phases clear", takes: "--confirm", run: phasesClear},
	{name: "phases archive", run: phasesArchive, needs: "version required for phases archive"},
	{name: "phases", lists: "list, clear"},

	{name: "roadmap get-phase", takes: "#phase", read: roadmapGetPhase, needs: "phase number required for roadmap get-phase"},
	{name: "roadmap analyze", read: roadmapAnalyze},
	{name: "roadmap update-plan-progress", takes: "#phase", write: roadmapUpdateProgress, needs: "phase number required for roadmap update-plan-progress"},
	{name: "roadmap", lists: "get-phase, analyze, update-plan-progress, annotate-dependencies"},
	{name: "requirements mark-complete", run: requirementsMarkComplete},
	{name: "requirements extract-from-plans", takes: "#phase", phase: requirementsFromPlans, needs: "phase number required for requirements extract-from-plans"},
	{name: "requirements", lists: "mark-complete"},
	{name: "verify phase-completeness", takes: "#phase", phase: phaseCompleteness, needs: "phase required"},
	{name: "validate consistency", read: validateConsistency},

	{name: "config-get", run: configGet, needs: "Usage: config-get <key.path> [--default <value>]"},
	{name: "config-set", run: configSet},
	{name: "config-ensure-section", run: configEnsure},
	{name: "config-new-project", run: configNewProject},
	{name: "config-path", run: configPath},
	{name: "resolve-model", run: resolveModel, needs: "agent-type required"},
	{name: "config-set-model-profile", run: setModelProfile},
	{name: "agent-skills", run: agentSkills},
	{name: "validate agents", run: validateAgents},
	{name: "check config-gates", run: checkConfigGates},
	{name: "check auto-mode", run: checkAutoMode},

	{name: "generate-slug", run: generateSlug, bare: true},
	{name: "current-timestamp", run: currentTimestamp, bare: true},
	{name: "agent classify-failure", run: classifyFailure, bare: true},
	{name: "websearch", run: websearch, bare: true},
	{name: "migrate-config", run: migrateConfig},
	{name: "detect-custom-files", takes: "--config-dir=", run: detectCustomFiles, bare: true},
	{name: "learnings list", run: learningsList},
	{name: "learnings query", takes: "--tag=", run: learningsQuery},
	{name: "learnings copy", run: learningsCopy},
	{name: "learnings prune", takes: "--older-than=", run: learningsPrune},
	{name: "learnings delete", run: learningsDelete, needs: "Usage: learnings delete <id>"},
	{name: "prompt-budget", run: promptBudget, bare: true, takes: "--budget= --safety-margin-pct= --project-md-head-lines= " +
		"--instructions-file= --roadmap-file= --project-file= --context-file= --research-file= --requirements-file= --plan-file=* " +
		"--output-prompt= --output-metadata="},
	{name: "skill-manifest", takes: "--skills-dir= --write", run: skillManifest},
	{name: "intel status", part: "intel", run: intelStatus},
	{name: "intel query", part: "intel", run: intelQuery},
	{name: "intel diff", part: "intel", run: intelDiff},
	{name: "intel snapshot", part: "intel", run: intelSnapshot},
	{name: "intel patch-meta", part: "intel", run: intelPatchMeta},
	{name: "intel validate", part: "intel", run: intelValidate},
	{name: "intel extract-exports", part: "intel", run: intelExports},
	{name: "intel update", part: "intel", run: intelUpdate},
	{name: "graphify status", part: "graphify", run: graphStatus},
	{name: "graphify query", part: "graphify", run: graphMissing},
	{name: "graphify diff", part: "graphify", run: graphMissing},
	{name: "graphify build|graphify build snapshot", part: "graphify", run: graphMissing},
	{name: "commands", run: listCommands, bare: true},

	{name: "check decision-coverage-plan", run: coveragePlan},
	{name: "check decision-coverage-verify", run: coverageVerify},
	{name: "decisions parse", read: decisionsParse, needs: "CONTEXT.md path required"},
	{name: "verify schema-drift", takes: "#phase --skip", read: schemaDrift, needs: "Usage: verify schema-drift <phase> [--skip]"},
	{name: "verify codebase-drift", read: codebaseDrift},
	{name: "check phase-ready", takes: "#phase", phase: phaseReady},
	{name: "check completion", run: completion},
	{name: "check gates", takes: "--phase=", read: checkGates, needs: "workflow name required"},
	{name: "check verification-status", takes: "#phase", phase: verificationStatus},
	{name: "check ship-ready", takes: "#phase", phase: shipReady},
	{name: "route next-action", read: nextAction},
	{name: "detect phase-type", takes: "#phase", phase: phaseType},
	{name: "gap-analysis", takes: "--phase-dir=", read: gapAnalysis},

	{name: "state load|state", takes: "<subcommand>", read: stateLoad},
	{name: "state json", look: stateJSON},
	{name: "state get", takes: "<name>", read: stateGet},
	{name: "state update", edit: stateUpdate},
	{name: "state patch", takes: "<json>", edit: statePatch},
	{name: "state begin-phase", takes: "phase name plans", edit: stateBegin},
	{name: "state advance-plan", edit: stateAdvance},
	{name: "state planned-phase", takes: "phase plans", edit: statePlanned},
	{name: "state complete-phase", takes: "phase", edit: stateComplete},
	{name: "state record-metric", takes: "phase plan duration tasks files", edit: stateMetric},
	{name: "state update-progress", edit: stateProgress},
	{name: "state add-decision", takes: "summary [rationale] [phase] [summary-file] [rationale-file]", edit: stateDecide},
	{name: "state add-blocker", takes: "text [text-file]", edit: stateBlock},
	{name: "state resolve-blocker", takes: "text", edit: stateUnblock},
	{name: "state record-session", takes: "stopped-at resume-file", edit: stateSession},
	{name: "state add-roadmap-evolution", takes: "phase action [note] [after] [urgent]", edit: stateEvolve},
	{name: "state validate", look: stateValidate},
	{name: "state sync", takes: "[verify]", run: stateSync},
	{name: "state prune", takes: "[keep-recent] [dry-run]", run: statePrune},
	{name: "state milestone-switch", takes: "milestone name", edit: stateMilestone},
	{name: "state signal-waiting", takes: "type question options phase", run: stateWait},
	{name: "state signal-resume", run: stateResume},
	{name: "state-snapshot|state snapshot", look: stateSnapshot},

	{name: "init execute-phase", takes: "#phase --tdd --validate", start: initExecutePhase},
	{name: "init plan-phase", takes: "#phase --tdd --validate", start: initPlanPhase},
	{name: "init phase-op", takes: "#phase", start: initPhaseOp},
	{name: "init verify-work", takes: "#phase", start: initVerifyWork},
	{name: "init new-project", start: initNewProject},
	{name: "init new-milestone", start: initNewMilestone},
	{name: "init ingest-docs", start: initIngestDocs},
	{name: "init map-codebase", start: initMapCodebase},
	{name: "init milestone-op", start: initMilestoneOp},
	{name: "init progress", start: initProgress},
	{name: "init manager", start: initManager},
	{name: "init resume", start: initResume},
	{name: "init quick", start: initQuick},
	{name: "init todos", start: initTodos},
	{name: "init new-workspace", run: initNewWorkspace, bare: true},
	{name: "init list-workspaces", run: initListWorkspaces, bare: true},
	{name: "init remove-workspace", run: initRemoveWorkspace, bare: true, needs: "workspace name required for init remove-workspace"},
	{name: "init", run: initUnknown},
	{name: "docs-init", start: docsInit},
	{name: "list-todos|todo list", read: listTodos},
	{name: "todo complete", run: todoComplete, needs: "filename required for todo complete"},
	{name: "todo match-phase", takes: "#phase", read: todoMatch, needs: "phase required for todo match-phase"},

	{name: "phase-plan-index|phase plan-index", takes: "#phase", read: phasePlanIndex, needs: "phase required for phase-plan-index"},
	{name: "phase list-plans", takes: "#phase --with-schema=", read: phaseListPlans, needs: "phase required for phase list-plans"},
	{name: "phase list-artifacts", takes: "#phase --type=", read: phaseListArtifacts, needs: "phase required for phase list-artifacts"},
	{name: "roadmap annotate-dependencies", takes: "#phase", run: roadmapAnnotate, needs: "phase required for roadmap annotate-dependencies"},
	{name: "commit", takes: "--amend --no-verify --force --respect-staged", run: commitDocs},
	{name: "check-commit", run: checkCommit},
	{name: "commit-to-subrepo", run: commitToSubrepo},
	{name: "verify commits", run: verifyCommits},
	{name: "workstream create", takes: "--no-migrate --migrate-name=", run: workstreamCreate, needs: "workstream name required. Usage: workstream create <name>"},
	{name: "workstream list", run: workstreamList},
	{name: "workstream status", run: workstreamStatus, needs: "workstream name required. Usage: workstream status <name>"},
	{name: "workstream set", takes: "--clear", run: workstreamSet},
	{name: "workstream get", run: workstreamGet},
	{name: "workstream complete", run: workstreamComplete, needs: "workstream name required. Usage: workstream complete <name>"},
	{name: "workstream progress", run: workstreamProgress},
	{name: "worktree cleanup-wave", takes: "--manifest=", run: cleanupWave, bare: true},
	{name: "worktree reap-orphans", run: reapOrphans, bare: true},

	{name: "frontmatter get", takes: "--field=", file: frontmatterGet, bare: true, needs: "file path required"},
	{name: "frontmatter set", takes: "--field= --value=", run: frontmatterSet, bare: true},
	{name: "frontmatter merge", takes: "--data=", run: frontmatterMerge, bare: true},
	{name: "frontmatter validate", takes: "--schema=", run: frontmatterValidate, bare: true},
	{name: "verify plan-structure", file: verifyPlanStructure, needs: "file path required"},
	{name: "verify references", file: verifyReferences, needs: "file path required"},
	{name: "verify artifacts", file: verifyArtifacts, needs: "file path required"},
	{name: "verify key-links", file: verifyKeyLinks, needs: "file path required"},
	{name: "verify-summary|verify summary", takes: "--check-count=", run: verifySummary, bare: true, needs: "summary-path required"},
	{name: "verify-path-exists|verify path-exists", run: verifyPathExists, bare: true, needs: "path required for verification"},
	{name: "template select", file: templateSelect, bare: true, needs: "plan-path required"},
	{name: "template fill", takes: "--phase= --plan= --name= --type= --wave= --fields=", run: templateFill, bare: true},
	{name: "plan task-structure", file: planTaskStructure, needs: "file path required"},
	{name: "summary-extract|summary extract", takes: "--fields=", file: summaryExtract, needs: "summary-path required for summary-extract"},
	{name: "task is-behavior-adding", takes: "--task-content=", run: taskIsBehaviorAdding},
	{name: "user-story validate", takes: "--story=", run: userStoryValidate},
	{name: "uat render-checkpoint", takes: "--file=", run: uatRenderCheckpoint},
	{name: "milestone complete", takes: "--archive-phases --name=... <version>", run: milestoneComplete},
	{name: "validate health", takes: "--repair --backfill", run: validateHealth},
	{name: "validate context", takes: "--json --tokens-used= --context-window=", run: validateContext},
	{name: "audit-uat", read: auditUAT},
	{name: "audit-open", takes: "--json", read: auditOpen},
	{name: "history-digest", read: historyDigest},
	{name: "progress", takes: "<form>", read: progress},
	{name: "stats", takes: "<form>", read: stats},

	// Left out on purpose: they say so, where an unknown command would look
	// like a typing error.
	{name: "scan-sessions", absent: noProfile, bare: true},
	{name: "extract-messages", absent: noProfile, bare: true},
	{name: "profile-sample", absent: noProfile, bare: true},
	{name: "profile-questionnaire", absent: noProfile, bare: true},
	{name: "write-profile", absent: noProfile, bare: true},
	{name: "generate-dev-preferences", absent: noProfile, bare: true},
	{name: "generate-claude-profile", absent: noProfile, bare: true},
	{name: "generate-claude-md", absent: "CLAUDE.md is not generated from a plan", bare: true},
	{name: "from-gsd2", absent: "the files of .gsd/ are not known here; cairn plan init starts a plan", bare: true},
}

const noProfile = "no profile of a person is made of their sessions"

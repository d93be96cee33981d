// Package evalpage shows results of evals as pages: a run, a case with what was
// asked and answered, a comparison of two runs, and what a run cost. The pages are
// the same in one file, in cairn eval view and on the team's server.
//
//	onerun.go, onecase.go  what the pages of a run and of a case show
//	attempt.go, checks.go  one answer, and why it counts as right or wrong
//	said.go                texts of strangers: found in a result, made visible
//	compare.go, cost.go    what packages compare and cost say, which know no HTML
//	run.js, case.js, …     draw it; words.js marks what differs in two texts
//
// The command line, evalview and dashboard import it. It finds no runs and serves
// nothing: addresses of pages are the caller's.
package evalpage

// Package evalpage writes results of evals as pages in one file: a comparison of two
// runs, and what a run cost. What they show is said by packages compare and cost,
// which know no HTML; only the command line imports this one.
package evalpage

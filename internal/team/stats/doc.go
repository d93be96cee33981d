// Package stats holds the formulas by which results are compared: pure
// functions of numbers, without files, clock, text or a source of randomness
// that the caller did not seed. Any package may import it; it imports nothing
// of ours. What is compared, what counts as one case, and what is said of a
// figure belongs to the callers.
//
// Conventions that hold everywhere here:
//   - The unit is the case. Repeats of a case are averaged before they come here.
//   - A rate, a p-value and a confidence are shares in 0..1, never percent.
//   - "A" is what was before, "B" what is now; a difference is B − A.
//   - An argument outside its domain (a negative count, more passed than ran,
//     NaN) gives NaN, or ok = false where a function has an ok: never a panic,
//     and never a number that looks like an answer.
//   - The same arguments give the same result, also with another order of the
//     cases: what is random takes a seed.
package stats

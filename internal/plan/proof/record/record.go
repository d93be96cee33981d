// Package record is the file NN-PROOF.jsonl of a phase: what ran for its proof, what
// came of it, what a person accepted, and the verdict with what it holds for.
//
// Package proof writes it; package lifecycle asks it whether a phase is proven. It
// runs nothing but git.
package record

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/plan"
	"cairn/internal/plan/gate"
)

// Run is a command that was run, and what came of it.
type Run struct {
	For     string  `json:"for"` // before, after
	Command string  `json:"command"`
	Commit  string  `json:"commit"` // that was checked out, "" for an empty tree
	Exit    int     `json:"exit"`   // -1: it did not end by itself
	Seconds float64 `json:"seconds"`
	Output  string  `json:"output"`            // a hash of it
	Said    string  `json:"said,omitempty"`    // the end of it, of a failure
	Nothing bool    `json:"nothing,omitempty"` // a runner of tests found none
	Timeout bool    `json:"timeout,omitempty"`
	Reused  bool    `json:"reused,omitempty"`
}

// Coverage is which of the phase's lines tests run, in a language.
type Coverage struct {
	Files map[string]Lines `json:"files,omitempty"`
	By    string           `json:"by,omitempty"`  // the command
	Why   string           `json:"why,omitempty"` // it is not known
	Red   string           `json:"red,omitempty"` // and nothing else is: the tests cannot be used
}

// Lines are those of a file that tests ran, and that they did not.
type Lines struct {
	Hit  []int `json:"hit"`
	Miss []int `json:"miss"`
}

// Ran reports whether tests run one of the lines from one to another.
func (c *Coverage) Ran(file string, from, to int) bool {
	for _, n := range c.Files[file].Hit {
		if from <= n && n <= to {
			return true
		}
	}
	return false
}

// Without is what was seen when a function was switched off, or a change reverted.
type Without struct {
	File    string  `json:"file"`
	What    string  `json:"what"`
	Noticed bool    `json:"noticed"`
	Broken  bool    `json:"broken,omitempty"` // it could not be built: that says nothing of the tests
	By      string  `json:"by,omitempty"`     // the command that turned red
	Exit    int     `json:"exit"`
	Seconds float64 `json:"seconds"`
}

// Word is what became of a claim.
type Word string

const (
	Proven    Word = "proven"
	Guard     Word = "guard"     // held before and after: it proves nothing new
	Accepted  Word = "accepted"  // a person said so
	Unchecked Word = "unchecked" // nothing could look
	Unproven  Word = "unproven"
)

// Claim is something that the phase says, or must not have.
type Claim struct {
	ID      string   `json:"id"` // names it for --accept
	Kind    string   `json:"kind"`
	Plan    string   `json:"plan,omitempty"`
	Verdict Word     `json:"verdict"`
	What    string   `json:"what"` // in a line
	File    string   `json:"file,omitempty"`
	Line    int      `json:"line,omitempty"`
	Remedy  string   `json:"remedy,omitempty"`   // what would prove it
	Runs    []Run    `json:"runs,omitempty"`     // of a verify
	Found   []string `json:"evidence,omitempty"` // of a decision or requirement: files of the plans that cite it
	Plans   []string `json:"plans,omitempty"`    // those whose work could prove it, where it is of no single one
}

// Line is a line of the file: one of its parts is there.
type Line struct {
	Time     string    `json:"time,omitempty"`
	Key      string    `json:"key,omitempty"` // what the result holds for
	Run      *Run      `json:"run,omitempty"`
	Coverage *Coverage `json:"coverage,omitempty"`
	Without  *Without  `json:"without,omitempty"`
	Verdict  *Verdict  `json:"verdict,omitempty"`
	Accepted *Answer   `json:"accepted,omitempty"`
	Sum      string    `json:"sum,omitempty"` // of the rest of the line: what was edited by hand is no result
}

// Verdict is the end of a proof.
type Verdict struct {
	For      string         `json:"for"`            // see Key
	Plan     string         `json:"plan,omitempty"` // when only this one was asked for
	Commit   string         `json:"commit"`
	Proven   bool           `json:"proven"`
	Counts   map[string]int `json:"counts"`
	Unproven []string       `json:"unproven"`
	Claims   []Claim        `json:"claims,omitempty"` // those of before they were kept: none
}

// Of returns the claims of some kinds, all without any.
func (v *Verdict) Of(kinds ...string) (out []Claim) {
	for _, c := range v.Claims {
		if len(kinds) == 0 || slices.Contains(kinds, c.Kind) {
			out = append(out, c)
		}
	}
	return out
}

// Said returns the claims of a verdict.
func (v *Verdict) Said(words ...Word) (out []Claim) {
	for _, c := range v.Claims {
		if slices.Contains(words, c.Verdict) {
			out = append(out, c)
		}
	}
	return out
}

// Answer is a person's word for what nothing can prove.
type Answer struct {
	ID     string `json:"id"`
	By     string `json:"by,omitempty"`
	Reason string `json:"reason"`
}

// File is where the results of a phase are kept.
func File(p *plan.Phase) string { return path.Join(p.Dir, p.ID.Padded()+"-PROOF.jsonl") }

// Edited is what a verdict lists as unproven that cairn did not write.
const Edited = "proof: this verdict is edited, or of an older cairn"

// Parse reads the file. It ignores a line that is not JSON, such as the half that a killed
// process left, and a result whose sum is wrong. Older versions of cairn wrote no sums:
// their results count if they stand before the first line with a sum, their verdicts
// never. A verdict whose sum is wrong or missing proves nothing.
func Parse(b []byte) (out []Line) {
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 4<<20)
	summed := false
	for lines.Scan() {
		var l Line
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue
		}
		holds := l.Sum == "" && !summed
		if l.Sum != "" {
			summed, holds = true, l.Sum == l.sum()
		}
		if l.Verdict != nil && (l.Sum == "" || !holds) {
			l.Verdict.Proven, l.Verdict.Unproven = false, append(l.Verdict.Unproven, Edited)
		} else if !holds {
			continue
		}
		out = append(out, l)
	}
	return out
}

// sum is a hash of the line without its sum.
func (l Line) sum() string {
	l.Sum = ""
	b, err := json.Marshal(l)
	if err != nil {
		return ""
	}
	return Hash("a line of a proof", string(b))
}

// Last is the last verdict on the whole phase, nil when there is none.
func Last(lines []Line) (last *Verdict) {
	for _, l := range lines {
		if l.Verdict != nil && l.Verdict.Plan == "" {
			last = l.Verdict
		}
	}
	return last
}

// Append adds a line to the file.
func Append(name string, l Line) error {
	l.Sum = l.sum()
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return atomicfile.Append(name, append(b, '\n'), home.SharedDir, home.SharedFile)
}

// Claims are what the documents of a phase claim, for Key.
func Claims(tx *plan.Tx, p *plan.Phase) (out []string) {
	for _, f := range gate.Plans(tx, p) {
		out = append(out, f.Path, f.String())
	}
	if c := gate.Document(tx, p, "CONTEXT"); c != nil {
		decisions, _ := c.Decisions()
		for _, d := range decisions {
			out = append(out, d.ID, d.Text)
		}
	}
	for _, r := range gate.Wanted(tx, p) {
		out = append(out, r.ID)
	}
	return out
}

// Key is what a verdict holds for: the project's files, and what is claimed of them.
func Key(tree string, claims []string) string {
	return Hash(append([]string{tree}, claims...)...)
}

// Hash is a short hash of texts.
func Hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])[:16]
}

// Tree is a hash of the project's files at HEAD without the plan.
func Tree(ctx context.Context, root string) (string, error) {
	prefix, err := git.Run(ctx, root, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	var out strings.Builder
	dir := ""
	for part := range strings.SplitSeq(prefix, "/") { // the plan is in the last of them
		spec := "HEAD:" + dir
		if dir == "" {
			spec = "HEAD"
		}
		list, err := git.Run(ctx, root, "ls-tree", "--full-tree", spec)
		if err != nil {
			return "", err
		}
		skip := part
		if part == "" {
			skip = plan.Planning
		}
		for line := range strings.Lines(list) {
			meta, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
			if name != skip {
				fmt.Fprintf(&out, "%s %s/%s\n", meta, dir, name)
			}
		}
		if part == "" {
			break
		}
		dir = path.Join(dir, part)
	}
	return Hash(out.String()), nil
}

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// The simple reader of phases: a line at a time, with regular expressions.

const number = `(?:[A-Z]{1,6}-)?\d+[A-Za-z]?(?:\.\d+)*`

var (
	headingRE   = regexp.MustCompile(`^(#{2,5})\s+(.*)$`)
	titleRE     = regexp.MustCompile(`^(?i:[^\w]*(?:(v[\d.]+) )?phase\s+)(` + number + `)\b[*~]*\s*(:|—|–|·|-\s|\.\s|$|\(|[^\w\s])(.*)$`)
	boxRE       = regexp.MustCompile(`^\s*[-*+]\s+\[([ xX])\]\s+(.*)$`)
	rowRE       = regexp.MustCompile(`^(?i:[^\w]*(?:(v[\d.]+) )?(?:phase )?)(` + number + `)\b[.:*]*\s*[-—–:]?\s*(.*)$`)
	dirRE       = regexp.MustCompile(`^(` + number + `)(?:-(.*))?$`)
	versionRE   = regexp.MustCompile(`\bv\d+(?:\.\d+)*`)
	rangeRE     = regexp.MustCompile(`(?i)phases?\s+((?:\d[\d.]*(?:\s*(?:-|–|—|to|[^\x00-\x7f]+)\s*\d[\d.]*)?(?:,\s*|\s*and\s+|\s*\+\s*|\s*incl\.?\s+)?)+)`)
	pairRE      = regexp.MustCompile(`(\d[\d.]*)(?:\s*(?:-|–|—|to|[^\x00-\x7f]+)\s*(\d[\d.]*))?`)
	doneRE      = regexp.MustCompile(`(?i)^[^\w]*(?:✅|✓|✔|phase complete|complete|completed|done|shipped|closed|finished|implemented)(?:\b|$|\s|\*)`)
	openRE      = regexp.MustCompile(`(?i)^[^\w]*(?:🚧|📋|⏳|📝|not|in progress|in-progress|pending|planned|planning|partial|blocked|verifying|deferred|active|ready|executing|\*\*descoped)`)
	tailRE      = regexp.MustCompile(`(?i)(?:\s[-—–]+\s|\(|\[|✓\s|✅\s)\s*(?:(✅|✓|phase complete|complete|completed|done|shipped|closed)|(in progress|planned|pending|active))\b[^()]*[\])]?\**\s*$`)
	shippedRE   = regexp.MustCompile(`✅|🚢|\[x\]|(?i:\bshipped\b|\(archived\)|\((?:phase )?complete|[-—–] complete)`)
	runningRE   = regexp.MustCompile(`🚧|📋|\[ \]|(?i:in progress|\bactive\)|planned\)|[-—–] active)`)
	detailsRE   = regexp.MustCompile(`(?i)^[\s>*-]*<details`) // not the word in a sentence
	countRE     = regexp.MustCompile(`(?i),?\s*\b\d+ (?:plans?|requirements?|tasks?)\b`)
	noDetailsRE = regexp.MustCompile(`(?i)</details`)
)

// phase is one that the simple reader found.
type phase struct {
	number, milestone string
	names             []string
	claims            []bool
	archives          map[string]bool
}

func (p *phase) complete() bool {
	done := false
	for _, c := range p.claims {
		if !c {
			return false
		}
		done = true
	}
	return done
}

// reading is the phases of one .planning, or of a workstream of it.
type reading struct {
	dir    string
	phases []*phase
}

func normal(id string) string {
	if i := strings.LastIndexByte(id, '-'); i >= 0 {
		id = id[i+1:]
	}
	id = strings.TrimLeft(id, "0")
	if id == "" || id[0] == '.' {
		id = "0" + id
	}
	return strings.ToUpper(id)
}

// at returns the phase of that number. A number is given twice only where two
// milestones have it and the names have nothing in common.
func (r *reading) at(id, milestone, name string) *phase {
	id = normal(id)
	var same []*phase
	for _, p := range r.phases {
		if p.number == id {
			same = append(same, p)
		}
	}
	for _, p := range same {
		if milestone != "" && p.milestone == milestone {
			return p.called(name)
		}
	}
	for _, p := range same {
		if p.alike(name) || milestone == "" && len(same) == 1 || p.milestone == "" {
			if p.milestone == "" {
				p.milestone = milestone
			}
			return p.called(name)
		}
	}
	if milestone == "" && len(same) > 0 {
		return same[len(same)-1].called(name)
	}
	p := &phase{number: id, milestone: milestone}
	r.phases = append(r.phases, p)
	return p.called(name)
}

func (p *phase) called(name string) *phase {
	p.names = append(p.names, name)
	return p
}

var wordRE = regexp.MustCompile(`[\pL]{3,}`)

func (p *phase) alike(name string) bool {
	words := wordRE.FindAllString(strings.ToLower(name), -1)
	for _, n := range p.names {
		n = strings.ToLower(n)
		for _, w := range words {
			if strings.Contains(n, w) && w != "phase" && w != "and" && w != "plans" && w != "plan" && w != "completed" {
				return true
			}
		}
	}
	return len(words) == 0
}

func (p *phase) claim(done bool) { p.claims = append(p.claims, done) }

// read reads the phases of a directory.
func read(dir string) *reading {
	r := &reading{dir: dir}
	data, _ := os.ReadFile(filepath.Join(dir, "ROADMAP.md"))
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	r.lines(lines)
	r.dirs(filepath.Join(dir, "phases"), "")
	archives, _ := filepath.Glob(filepath.Join(dir, "milestones", "*-phases"))
	sort.Strings(archives)
	for _, a := range archives {
		r.dirs(a, strings.TrimSuffix(filepath.Base(a), "-phases"))
	}
	r.ranges(lines)
	return r
}

func (r *reading) dirs(dir, milestone string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		m := dirRE.FindStringSubmatch(e.Name())
		if m == nil || !e.IsDir() {
			continue
		}
		p := r.at(m[1], milestone, strings.ReplaceAll(m[2], "-", " "))
		if milestone != "" {
			p.claim(true)
		}
	}
}

func (r *reading) lines(lines []string) {
	fence, folded, summary := false, false, ""
	milestone, heading := "", ""
	var section *phase
	var table []string
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence = !fence
		}
		if fence {
			continue
		}
		if detailsRE.MatchString(line) {
			folded, summary = true, ""
		}
		if folded && summary == "" {
			summary = strings.TrimSpace(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(line, ""))
		}
		if noDetailsRE.MatchString(line) {
			folded, summary, section = false, "", nil
		}
		version, over := milestone, shippedRE.MatchString(heading) && !runningRE.MatchString(heading)
		if folded {
			over = !runningRE.MatchString(summary) && versionRE.MatchString(summary)
			if version = versionRE.FindString(summary); len(versionRE.FindAllString(summary, -1)) > 1 {
				version = ""
			}
		}
		if m := headingRE.FindStringSubmatch(line); m != nil {
			section = nil
			t := titleRE.FindStringSubmatch(m[2])
			if t != nil {
				if t[1] != "" {
					version = t[1]
				}
				section = r.at(t[2], version, t[4])
				if tail := tailRE.FindStringSubmatch(m[2]); tail != nil {
					section.claim(tail[1] != "")
				}
				if over {
					section.claim(true)
				}
			} else if v := versionRE.FindString(m[2]); v != "" && len(m[1]) < 4 {
				milestone, heading = v, m[2]
			} else if len(m[1]) == 2 {
				milestone, heading = "", ""
			}
			continue
		}
		if m := boxRE.FindStringSubmatch(line); m != nil {
			if t := titleRE.FindStringSubmatch(m[2]); t != nil {
				if t[1] != "" {
					version = t[1]
				}
				p := r.at(t[2], version, t[4])
				p.claim(m[1] != " ")
				if over {
					p.claim(true)
				}
			}
			continue
		}
		if section != nil {
			if s, ok := strings.CutPrefix(strings.ReplaceAll(line, "**", ""), "Status:"); ok {
				section.status(s)
			}
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "|") {
			table = nil
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if table == nil {
			table = cells
			continue
		}
		r.row(table, cells, folded, version)
	}
}

func (p *phase) status(s string) {
	switch s = strings.TrimSpace(s); {
	case doneRE.MatchString(s):
		p.claim(true)
	case openRE.MatchString(s):
		p.claim(false)
	}
}

func (r *reading) row(head, cells []string, folded bool, version string) {
	if h := strings.ToLower(head[0]); h != "phase" && h != "#" {
		return
	}
	m := rowRE.FindStringSubmatch(cells[0])
	if m == nil {
		return
	}
	if !folded {
		version = ""
	}
	status := -1
	name := m[3]
	for i, h := range head {
		if i >= len(cells) {
			break
		}
		switch strings.ToLower(h) {
		case "status", "state":
			status = i
		case "milestone":
			if v := versionRE.FindString(cells[i]); v != "" {
				version = v
			}
		case "name":
			if name == "" {
				name = cells[i]
			}
		}
	}
	if m[1] != "" {
		version = m[1]
	}
	if status < 0 {
		return
	}
	p := r.at(m[2], version, name)
	before := len(p.claims)
	if p.status(cells[status]); len(p.claims) > before {
		return
	}
	for _, c := range cells[1:] { // a row whose cells have slipped
		if p.status(c); len(p.claims) > before {
			return
		}
	}
}

// ranges: `- ✅ **v1.0** — Phases 1-6 (shipped)`.
func (r *reading) ranges(lines []string) {
	for i, line := range lines {
		plain := strings.TrimSpace(line)
		isTable := strings.HasPrefix(plain, "|") && i > 0
		if !strings.HasPrefix(plain, "-") && !strings.HasPrefix(plain, "#") && !strings.HasPrefix(plain, "<summary") && !isTable {
			continue
		}
		if titleRE.MatchString(strings.TrimLeft(plain, "-#* [x]")) || runningRE.MatchString(line) {
			continue
		}
		version := versionRE.FindString(line)
		text := line
		if isTable {
			cells := strings.Split(strings.Trim(plain, "|"), "|")
			if len(cells) < 4 || !doneRE.MatchString(strings.TrimSpace(cells[3])) || version == "" || !regexp.MustCompile(`^\s*\d+(\s*[-–]\s*\d+)?\s*$`).MatchString(cells[1]) {
				continue
			}
			text = "Phases " + strings.TrimSpace(cells[1])
		} else if version == "" || !shippedRE.MatchString(line) {
			continue
		}
		for _, m := range rangeRE.FindAllStringSubmatch(text, -1) {
			for _, pair := range pairRE.FindAllStringSubmatch(m[1], -1) {
				r.shipped(pair[1], pair[2], version, len(versionRE.FindAllString(line, -1)) > 1 && (strings.Contains(line, version+"–") || strings.Contains(line, version+"-v")))
			}
		}
	}
}

func (r *reading) shipped(from, to, version string, several bool) {
	if to == "" {
		to = from
	}
	for _, p := range r.phases {
		whole, _, _ := strings.Cut(p.number, ".")
		inside := !strings.Contains(from, ".") && atoi(from) <= atoi(whole) && atoi(whole) <= atoi(to) || normal(from) == p.number
		if inside && (p.milestone == version || several || p.milestone == "" && r.only(p)) {
			p.claim(true)
		}
	}
}

func (r *reading) only(p *phase) bool {
	n := 0
	for _, q := range r.phases {
		if q.number == p.number {
			n++
		}
	}
	return n == 1
}

func atoi(s string) int {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	return n
}

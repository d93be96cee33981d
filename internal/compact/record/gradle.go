package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// gradle is the parser for Gradle's plain console: tasks that ran are Good, a
// failed test with its exception and own frames is a record, so is what went
// wrong. Advice, the daemon's talk and the trace of Gradle itself go.
// Compilers' messages are left to diag, but for Kotlin's.
type gradle struct {
	test   []Line // a failed test
	frames int    // own frames in it
	went   []Line // "* What went wrong:" and what follows
	silent bool   // in advice, up to the next heading
	overDiag
	reasons reasons
}

const (
	gradleFrames = 3
	gradleLines  = 80 // of one failure
)

func (p *gradle) Line(l Line, emit Emit) {
	s := l.Text
	if p.test != nil && (indented(s) || lines.Blank(s)) {
		p.trace(l, emit)
		return
	}
	p.endTest(emit)
	class, heading := gradleHeadings.class(s)
	switch {
	case heading:
		emit.block(Failure, &p.went)
		p.silent = class == Good
		if class == Failure {
			p.went = []Line{l}
			return
		}
		p.one(l, class, "", emit)
	case p.went != nil && !lines.Blank(s) && len(p.went) < gradleLines && !hasPrefix(s, gradleEnd...):
		p.went = append(p.went, l)
	case hasPrefix(s, gradleEnd...):
		emit.block(Failure, &p.went)
		p.silent = false
		p.one(l, Keep, "", emit)
	case p.silent:
		p.advice(l, emit)
	default:
		p.line(l, emit)
	}
}

// line takes a line of the build's progress.
func (p *gradle) line(l Line, emit Emit) {
	s := l.Text
	name, result := gradleTest(s)
	switch {
	case result == "FAILED":
		p.diag.Close(emit)
		p.test, p.frames = []Line{l}, 0
	case result != "":
		count := map[string]string{"PASSED": "passed", "SKIPPED": "skipped"}[result]
		p.one(l, Good, count, emit)
	case gradleTask(s), name == "" && gradleTalk(s):
		p.one(l, Good, "", emit)
	case counted(s, "tests completed", "test completed"):
		p.one(l, Keep, "", emit)
	case hasPrefix(s, "e: ") && hasAny(s, ".kt", ".gradle"):
		p.diag.Close(emit)
		rec := Record{Class: Failure, Key: s, Site: lines.Location(s), Brief: 1, Lines: []Line{l}}
		if _, text, ok := strings.Cut(s, rec.Site); ok && rec.Site != "" {
			rec.Says = "e: " + strings.TrimLeft(text, ": ")
		}
		emit(rec)
	case hasPrefix(s, "w: "):
		p.diag.Close(emit)
		_, text, _ := strings.Cut(s, " ")
		if i := strings.LastIndex(s, ") "); i > 0 {
			text = s[i:]
		}
		emit(Record{Class: Warn, Key: lines.Template(text), Site: lines.Location(s), Lines: []Line{l}})
	default:
		p.diag.Line(l, emit)
	}
}

// advice takes a line of Gradle's advice or of its own trace, of which what
// the causes say stays.
func (p *gradle) advice(l Line, emit Emit) {
	class, key := Good, ""
	if cause, ok := strings.CutPrefix(l.Text, "Caused by: "); ok {
		class, key = Keep, lines.Template(cause)
	} else if strings.HasPrefix(strings.TrimSpace(l.Text), "at ") && hasAny(l.Text, ".gradle:", ".gradle.kts:") && !strings.Contains(l.Text, "_") {
		class = Keep
	}
	emit(Record{Class: class, Key: key, Lines: []Line{l}})
}

// trace takes a line of the exception of a failed test.
func (p *gradle) trace(l Line, emit Emit) {
	s := strings.TrimSpace(l.Text)
	frame, own := lines.Frame(l.Text)
	switch {
	case s == "":
		emit.line(Folded, l)
		return
	case strings.HasPrefix(s, "at ") && frame && own && p.frames < gradleFrames:
		p.frames++
	case hasPrefix(s, "at ", "... "), len(p.test) >= gradleLines:
		emit.line(Good, l)
		return
	case strings.HasPrefix(s, "Caused by:"):
		p.frames = 0
	}
	p.test = append(p.test, l)
}

func (p *gradle) endTest(emit Emit) {
	if test := take(&p.test); test != nil {
		key := said(test[1:], nil)
		if key != "" {
			key = p.reasons.key(key)
		}
		emit(Record{Class: Failure, Key: key, Site: strings.TrimSuffix(test[0].Text, " FAILED"), Lines: test})
	}
}

func (p *gradle) Close(emit Emit) {
	p.endTest(emit)
	emit.block(Failure, &p.went)
	p.diag.Close(emit)
}

// gradleHeadings are the heads of sections of the report on a failure.
var gradleHeadings = forms{
	{class: Failure, start: words{"* What went wrong:", "* Where:"}},
	{class: Good, start: words{"* Try:", "* Get more help", "* Exception is:", "FAILURE: Build ", "Deprecated Gradle features were used", "[Incubating] Problems report", "====", "----------"}},
}

var gradleEnd = words{"BUILD SUCCESSFUL", "BUILD FAILED"}

// gradleTest reads a test's result: "ferry.FerryTest > full FAILED", "x > y()
// PASSED".
func gradleTest(s string) (name, result string) {
	for _, r := range [...]string{"FAILED", "PASSED", "SKIPPED", "STANDARD_OUT", "STANDARD_ERR", "STARTED"} {
		if name, ok := strings.CutSuffix(s, " "+r); ok && strings.Contains(name, " > ") && !strings.HasPrefix(name, "> ") {
			return name, r
		}
	}
	return "", ""
}

// gradleTask reports whether s names a task that ran: "> Task :app:test
// FAILED", ":compileJava UP-TO-DATE".
func gradleTask(s string) bool {
	s, _ = strings.CutPrefix(s, "> Task ")
	if !strings.HasPrefix(s, ":") || len(s) < 2 {
		return hasPrefix(s, "> Configure project ", "> Transform ")
	}
	name, state, _ := strings.Cut(s, " ")
	return !strings.ContainsAny(name, "/\\") && oneOf(state, "", "UP-TO-DATE", "NO-SOURCE", "FROM-CACHE", "SKIPPED", "FAILED")
}

// gradleTalk reports whether s is about Gradle itself.
func gradleTalk(s string) bool {
	return s == " FAILED" || hasPrefix(s, "WARNING: System::setSecurityManager ", "WARNING: Please consider reporting this", "Starting a Gradle Daemon", "Daemon will be stopped", "To honour the JVM settings", "Welcome to Gradle", "Here are the highlights", "For more details see https://docs.gradle.org",
		"You can use '--warning-mode all'", "For more on this, please refer to https://docs.gradle.org", "Downloading https://", "Calculating task graph", "Reusing configuration cache", "Configuration cache entry ", "Parallel Configuration Cache", "Consider enabling configuration cache") ||
		strings.Contains(s, " actionable task") || strings.HasPrefix(s, "<") && strings.Contains(s, "% ") || strings.Trim(s, ".10%2345678 ") == "" && strings.Contains(s, "%")
}

package query

import (
	"slices"
	"strings"
	"unicode"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/gate"
)

func schemaDrift(c *call, tx *plan.Tx) result {
	p := phaseOf(tx, c.arg(0))
	if p.Dir == "" {
		return drifted(gate.Schema{Result: gate.Result{Passed: true, Message: "Phase directory not found: " + c.arg(0)}})
	}
	subject := gate.Look(c.context, tx, p)
	subject.SkipSchema = c.given("skip") || c.Getenv("GSD_SKIP_SCHEMA_CHECK") == "true"
	return drifted(subject.Schema(gate.Execute, gate.Plans(tx, p), gate.Summaries(tx, p)))
}

func drifted(s gate.Schema) result {
	return data(object{
		{"drift_detected", len(s.Unpushed) > 0}, {"blocking", s.Result.No()}, {"schema_files", list(s.Files)}, {"orms", list(s.ORMs)},
		{"unpushed_orms", list(s.Unpushed)}, {"message", s.Result.Message}, {"skipped", s.Result.Skipped},
	})
}

func codebaseDrift(c *call, tx *plan.Tx) result {
	subject := gate.Look(c.context, tx, nil)
	settings := subject.Settings
	var d gate.Drift
	if err := must.Catch(func() { d = subject.Drift() }); err != nil { // this gate never fails
		d.Result.Skipped, d.Result.Reason, d.Result.Message = true, err.Error(), err.Error()
	}
	var reason any
	if d.Result.Skipped {
		reason = d.Result.Reason
	}
	directive := either(d.Required, settings.DriftAction, "none")
	return data(object{
		{"skipped", d.Result.Skipped}, {"reason", reason}, {"action_required", d.Required}, {"directive", directive},
		{"spawn_mapper", directive == "auto-remap"}, {"affected_paths", list(d.Affected)},
		{"elements", list(d.Elements)}, {"threshold", settings.DriftThreshold}, {"action", settings.DriftAction},
		{"last_mapped_commit", orNull(d.LastMapped)}, {"message", d.Result.Message},
	})
}

// frontendWords are those of a phase with a user interface.
func frontendWords() []string {
	return strings.Fields("ui ux frontend interface component components page pages screen screens view views form forms dashboard " +
		"layout widget modal responsive css")
}

// schemaFiles are the places where projects keep a schema, by tool.
var schemaFiles = [...]struct{ path, orm, push string }{
	{"src/collections", "payload", "CI=true PAYLOAD_MIGRATING=true npx payload migrate"},
	{"prisma/schema.prisma", "prisma", "npx prisma db push"},
	{"prisma/schema", "prisma", "npx prisma db push"},
	{"drizzle/schema.ts", "drizzle", "npx drizzle-kit push"},
	{"src/db/schema.ts", "drizzle", "npx drizzle-kit push"},
	{"supabase/migrations", "supabase", "supabase db push"},
	{"src/entities", "typeorm", "npx typeorm migration:run"},
}

// phaseType says what kind of work a phase is, by the words of its name and
// goal and by the schemas that the project has.
func phaseType(c *call, tx *plan.Tx, p *plan.Phase) result {
	number, about := c.arg(0), ""
	if known(p) {
		number = p.ID.Padded()
		about = phaseText(tx, p)
	}
	frontend := wordsIn(about, frontendWords())
	var orm, push any
	files := []string{}
	for _, f := range schemaFiles {
		if !tx.Has(f.path) {
			continue
		}
		if files = append(files, f.path); orm == nil {
			orm, push = f.orm, f.push
		}
	}
	has := func(words ...string) bool { return len(wordsIn(about, words)) > 0 }
	return data(object{
		{"phase", number}, {"has_frontend", len(frontend) > 0}, {"frontend_indicators", frontend},
		{"has_schema", len(files) > 0 || has("schema", "database", "migration", "migrations", "orm", "prisma", "drizzle", "sql")},
		{"schema_orm", orm}, {"schema_files", files}, {"push_command", push},
		{"has_api", has("api", "apis", "endpoint", "endpoints", "route", "routes", "rest", "graphql", "backend", "server", "webhook")},
		{"has_infra", has("infra", "infrastructure", "deploy", "deployment", "docker", "kubernetes", "terraform", "ci", "cd", "pipeline", "hosting")},
	})
}

// wordsIn returns those of the words, in lower case, that the text has.
func wordsIn(text string, words []string) []string {
	have := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '✓'
	})
	return only(words, func(w string) bool { return slices.Contains(have, w) })
}

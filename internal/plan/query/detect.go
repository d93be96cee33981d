package query

import (
	"slices"
	"strings"
	"unicode"

	"cairn/internal/plan"
)

func frontendWords() []string {
	return []string{
		"ui", "ux", "frontend", "interface", "component", "components", "page", "pages", "screen", "screens",
		"view", "views", "form", "forms", "dashboard", "layout", "widget", "modal", "responsive", "css",
	}
}

// schemaFile is a place where a project keeps a schema.
type schemaFile struct{ path, orm, push string }

func schemaFiles() []schemaFile {
	return []schemaFile{
		{"src/collections", "payload", "CI=true PAYLOAD_MIGRATING=true npx payload migrate"},
		{"prisma/schema.prisma", "prisma", "npx prisma db push"},
		{"prisma/schema", "prisma", "npx prisma db push"},
		{"drizzle/schema.ts", "drizzle", "npx drizzle-kit push"},
		{"src/db/schema.ts", "drizzle", "npx drizzle-kit push"},
		{"supabase/migrations", "supabase", "supabase db push"},
		{"src/entities", "typeorm", "npx typeorm migration:run"},
	}
}

// phaseType says what kind of work a phase is, by the words of its name and
// goal and by the schemas that the project has.
func phaseType(c *call, tx *plan.Tx, p *plan.Phase) (result, error) {
	number, about := c.arg(0), ""
	if p != nil {
		number = p.ID.Padded()
		var err error
		if about, err = phaseText(tx, p); err != nil {
			return result{}, err
		}
	}
	frontend := wordsIn(about, frontendWords())
	var orm, push any
	files := []string{}
	for _, f := range schemaFiles() {
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
	}), nil
}

// wordsIn returns those of the words, in lower case, that the text has.
func wordsIn(text string, words []string) []string {
	have := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '✓'
	})
	out := []string{}
	for _, w := range words {
		if slices.Contains(have, w) {
			out = append(out, w)
		}
	}
	return out
}

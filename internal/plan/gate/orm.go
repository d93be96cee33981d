package gate

// orm is a tool whose schema files change nothing until a command pushes
// them to the database. Files are patterns of [matches].
type orm struct {
	Name     string
	Files    []string
	Near     string   // a file in a directory above that must be there, when the pattern alone says too little
	Holds    string   // a text that the file itself must hold, likewise
	Evidence []string // a line with one of these says that the push was run; * is any text, case does not count
	Push     string
}

// orms lists the tools in the order in which they are reported.
var orms = []orm{
	{Name: "payload", Push: "CI=true PAYLOAD_MIGRATING=true npx payload migrate",
		Files:    []string{"src/collections/**/*.ts", "src/globals/**/*.ts"},
		Evidence: []string{"payload migrate", "PAYLOAD_MIGRATING"}},
	{Name: "prisma", Push: "npx prisma db push",
		Files:    []string{"prisma/schema.prisma", "prisma/schema/**/*.prisma", "prisma/migrations/**/*.sql"},
		Evidence: []string{"prisma db push", "prisma migrate deploy", "prisma migrate dev"}},
	{Name: "drizzle", Push: "npx drizzle-kit push",
		Files:    []string{"drizzle/**/*.ts", "drizzle/**/*.sql", "src/db/schema.ts", "src/db/schema/**/*.ts"},
		Evidence: []string{"drizzle-kit push", "drizzle-kit push:*", "drizzle-kit migrate"}},
	{Name: "supabase", Push: "supabase db push",
		Files:    []string{"supabase/migrations/**/*.sql"},
		Evidence: []string{"supabase db push", "supabase migration up"}},
	{Name: "typeorm", Push: "npx typeorm migration:run",
		Files:    []string{"src/entities/**/*.ts", "src/migrations/**/*.ts", "*.entity.ts"},
		Evidence: []string{"typeorm migration:run", "typeorm * migration:run", "typeorm schema:sync", "typeorm * schema:sync"}},
	{Name: "rails", Push: "bin/rails db:migrate",
		Files:    []string{"db/migrate/**/*.rb", "db/schema.rb", "db/structure.sql"},
		Evidence: []string{"rails db:migrate", "rake db:migrate", "rails db:prepare", "rails db:schema:load", "rake db:schema:load"}},
	{Name: "django", Near: "manage.py", Push: "python manage.py migrate",
		Files:    []string{"models.py", "models/**/*.py", "migrations/[0-9]*.py"},
		Evidence: []string{"manage.py migrate", "django-admin migrate"}},
	{Name: "alembic", Push: "alembic upgrade head",
		Files:    []string{"alembic/versions/*.py", "migrations/versions/*.py"},
		Evidence: []string{"alembic upgrade", "alembic * upgrade", "flask db upgrade"}},
	{Name: "golang-migrate", Push: `migrate -path migrations -database "$DATABASE_URL" up`,
		Files:    []string{"*.up.sql", "*.down.sql"},
		Evidence: []string{"migrate up", "migrate-up", "migrate -* up"}},
	{Name: "goose", Holds: "goose", Push: "goose up",
		Files:    []string{"migrations/**/*.sql", "migrations/**/*.go"},
		Evidence: []string{"goose up", "goose * up", "goose-up"}},
	{Name: "ecto", Push: "mix ecto.migrate",
		Files:    []string{"priv/*/migrations/**/*.exs"},
		Evidence: []string{"mix ecto.migrate", "mix ecto.setup"}},
}

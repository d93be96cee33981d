package gate

import (
	"io/fs"
	"reflect"
	"testing"
)

// Each tool is known by its files at the root and deep in a monorepo, and is
// satisfied by its command alone.
func TestSchemaDriftTools(t *testing.T) {
	for name, tt := range map[string]struct {
		files []string // schema files of the tool
		pushed,
		not []string // evidence, and what only looks like it
		project map[string]string
	}{
		"payload":  {[]string{"src/collections/Posts.ts", "src/globals/a/b.ts"}, []string{"ran Payload Migrate.", "PAYLOAD_MIGRATING=true x"}, []string{"payload migrate:create"}, nil},
		"prisma":   {[]string{"prisma/schema.prisma", "prisma/schema/user.prisma"}, []string{"`npx prisma db push`", "prisma migrate deploy", "prisma migrate dev --name x"}, []string{"prisma generate"}, nil},
		"drizzle":  {[]string{"drizzle/schema.ts", "src/db/schema.ts", "drizzle/a/b.ts"}, []string{"drizzle-kit push", "drizzle-kit push:pg", "drizzle-kit migrate"}, []string{"drizzle-kit generate"}, nil},
		"supabase": {[]string{"supabase/migrations/1_a.sql"}, []string{"supabase db push", "supabase migration up"}, []string{"supabase migration new x"}, nil},
		"typeorm":  {[]string{"src/entities/User.ts", "src/migrations/1.ts", "src/user/user.entity.ts"}, []string{"typeorm migration:run", "typeorm -d ds.ts migration:run"}, []string{"typeorm migration:generate"}, nil},
		"rails":    {[]string{"db/migrate/1_a.rb", "db/schema.rb"}, []string{"bin/rails db:migrate", "rake db:migrate"}, []string{"rails db:migrate:status"}, nil},
		"django": {[]string{"shop/models.py", "shop/migrations/0002_x.py"}, []string{"python manage.py migrate"}, []string{"manage.py makemigrations"},
			map[string]string{"manage.py": "", "apps/web/manage.py": ""}},
		"alembic":        {[]string{"alembic/versions/1.py", "migrations/versions/1.py"}, []string{"alembic upgrade head", "alembic -c x.ini upgrade head"}, []string{"alembic revision"}, nil},
		"golang-migrate": {[]string{"migrations/1.up.sql", "db/1.down.sql"}, []string{"migrate -path m -database $U up", "make migrate-up"}, []string{"migrate create"}, nil},
		"goose": {[]string{"migrations/1.sql"}, []string{"goose up", "goose postgres $DSN up"}, []string{"goose status"},
			map[string]string{"migrations/1.sql": "-- +goose Up", "apps/web/migrations/1.sql": "-- +goose Up"}},
		"ecto": {[]string{"priv/repo/migrations/1.exs"}, []string{"mix ecto.migrate"}, []string{"mix ecto.gen.migration"}, nil},
	} {
		read := func(file string) ([]byte, error) {
			if content, ok := tt.project[file]; ok {
				return []byte(content), nil
			}
			return nil, fs.ErrNotExist
		}
		drift := func(file, log string) Schema {
			return schemaDrift(Execute, planOf("---\nfiles_modified: ["+file+"]\n---\n"), nil, func() string { return log }, read)
		}
		for _, file := range tt.files {
			for _, at := range []string{file, "apps/web/" + file} {
				s := drift(at, "nothing")
				if !s.Result.No() || !reflect.DeepEqual(s.Unpushed, []string{name}) || !reflect.DeepEqual(s.Files, []string{at}) {
					t.Errorf("%s: %s: %v %+v", name, at, s.Unpushed, s.Result)
				}
			}
			for _, log := range tt.pushed {
				if s := drift(file, "x\nabc "+log+"\ny"); s.Result.No() || len(s.ORMs) != 1 {
					t.Errorf("%s: %q is no evidence", name, log)
				}
			}
			for _, log := range tt.not {
				if s := drift(file, log); !s.Result.No() {
					t.Errorf("%s: %q is evidence", name, log)
				}
			}
		}
	}
	if len(orms) != 11 {
		t.Errorf("%d tools, not all are tested", len(orms))
	}
}

func TestSchemaDriftNone(t *testing.T) {
	read := func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	log := func() string { t.Error("git was asked"); return "" }
	for _, file := range []string{"src/a.ts", "notprisma/schema.prisma", "prisma/schema.prisma.md", "shop/models.py", "migrations/1.sql", "db/seeds.rb"} {
		if s := schemaDrift(Execute, planOf("---\nfiles_modified: ["+file+"]\n---\n"), nil, log, read); !s.Result.Passed || len(s.ORMs) > 0 {
			t.Errorf("%s: %+v", file, s)
		}
	}
}

// Where files and evidence are looked for, by stage.
func TestSchemaDriftStages(t *testing.T) {
	const touches = "---\nfiles_modified:\n  - prisma/schema.prisma\n---\n"
	read := func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	for _, tt := range []struct {
		stage              Stage
		plan, summary, log string
		want               bool
		what               string
	}{
		{Plan, touches, "", "", false, "no task"},
		{Plan, touches + "<tasks>npx prisma db push</tasks>", "", "", true, "a task"},
		{Plan, touches, "", "prisma db push", false, "a commit of an earlier phase"},
		{Execute, touches + "<tasks>npx prisma db push</tasks>", "", "", false, "a task is not a run"},
		{Execute, touches, "ran prisma db push", "", true, "a summary"},
		{Execute, touches, "", "abc prisma db push", true, "a commit"},
		{Verify, "", "---\nkey-files:\n  created: [prisma/schema.prisma]\n---\n", "", false, "the summary's files"},
	} {
		s := schemaDrift(tt.stage, planOf(tt.plan), []File{file("S", tt.summary)}, func() string { return tt.log }, read)
		if s.Result.Passed != tt.want {
			t.Errorf("%s, %s: %v", tt.stage, tt.what, s.Result.Passed)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"a/b.ts", "a/b.ts", true}, {"a/b.ts", "x/a/b.ts", true}, {"a/b.ts", "xa/b.ts", false}, {"a/b.ts", "a/b.ts/c", false},
		{"a/**/*.ts", "a/b.ts", true}, {"a/**/*.ts", "a/b/c/d.ts", true}, {"a/**/*.ts", "a/b.tsx", false}, {"a/**/*", "a", false},
		{"*.up.sql", "m/1.up.sql", true}, {"a/b.ts", `x\a\b.ts`, true}, {"a/b.ts", "./a/b.ts", true},
	} {
		if got := matches(tt.pattern, tt.name); got != tt.want {
			t.Errorf("%s, %s: %v", tt.pattern, tt.name, got)
		}
	}
}

package db

import (
	"fmt"
	"strings"
)

// Script returns the steps for a Supabase project as one text to paste into its
// SQL editor. It does what MigrateSupabase does: everything or nothing, what was
// done before is not done again, and each step is remembered with its checksum.
func Script() string {
	var b strings.Builder
	b.WriteString(`-- The tables of a team, for a Supabase project. Run all of it in the SQL editor, as the user postgres.
-- It may be run again: what is there stays as it is.
begin;
select pg_advisory_xact_lock(hashtext('cairn.migrate'));
do $cairn$ declare lacks text; begin
  lacks := (` + missing + `);
  if lacks <> '' then raise exception 'this is not a Supabase project: it lacks %', lacks; end if;
end $cairn$;
`)
	for _, q := range firstSteps(PostgreSQL) {
		b.WriteString(q + ";\n")
	}
	var names []string
	for _, m := range Migrations(PostgreSQL) {
		names = append(names, quoted(m.Name))
		if m.Server {
			continue
		}
		fmt.Fprintf(&b, `
do $cairn$ declare was text; begin
  select sha256 into was from cairn.migrations where name = %[1]s;
  if was = %[2]s then return; end if;
%[4]s  if was is not null then raise exception 'migration %% is not the one that was applied to this database', %[1]s; end if;
  execute $step$
%[3]s$step$;
  insert into cairn.migrations (name, sha256) values (%[1]s, %[2]s);
end $cairn$;
`, quoted(m.Name), quoted(m.SHA256), m.SQL, scriptBridges(m))
	}
	fmt.Fprintf(&b, `
do $cairn$ declare newer text; begin
  select name into newer from cairn.migrations where name not in (%s) limit 1;
  if newer is not null then raise exception 'the database was written by a newer version of cairn: it has migration %%', newer; end if;
end $cairn$;
commit;
%s;
`, strings.Join(names, ", "), reload)
	return b.String()
}

// scriptBridges takes a project from another text of a migration to today's.
func scriptBridges(m Migration) string {
	var b strings.Builder
	for _, from := range m.Bridges {
		fmt.Fprintf(&b, `  if was like '%s%%' then execute $step$
%s$step$;
    update cairn.migrations set sha256 = %s where name = %s;
    return; end if;
`, from.From, from.SQL, quoted(m.SHA256), quoted(m.Name))
	}
	return b.String()
}

// quoted is a text of ours as SQL.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

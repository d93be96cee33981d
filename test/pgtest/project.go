package pgtest

import (
	"context"
	"database/sql"
	"net/url"
)

// likeSupabase is what a project has before anything of ours: roles, an owner
// that is no superuser, the schema auth, and default privileges that give
// everybody everything in public.
const likeSupabase = `
do $$ declare r text; begin
  foreach r in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = r) then execute format('create role %I nologin noinherit', r); end if;
  end loop;
  if not exists (select from pg_roles where rolname = 'project') then create role project login createrole noinherit; end if;
  if not exists (select from pg_roles where rolname = 'authenticator') then create role authenticator login noinherit; end if;
  if not exists (select from pg_roles where rolname = 'auth_admin') then create role auth_admin nologin; end if;
end $$;
alter role service_role bypassrls;
grant anon, authenticated, service_role to project, authenticator;
do $$ begin
  execute format('alter database %I owner to project', current_database());
  execute format('grant create on database %I to auth_admin', current_database()); end $$;
alter schema public owner to project;
grant usage on schema public to anon, authenticated, service_role;
set role auth_admin;
create schema auth;
create table auth.users (instance_id uuid, id uuid primary key, aud varchar(255), role varchar(255), email varchar(255), encrypted_password varchar(255), created_at timestamptz);
create function auth.uid() returns uuid language sql stable as
  $$ select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'))::uuid $$;
grant usage on schema auth to anon, authenticated, service_role, project;
grant all on auth.users to project;
set role project;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;`

// Project makes a database that is like a new Supabase project's, and returns the
// URLs of its superuser, of its owner and of the role by which requests come. It is
// in a cluster of its own: roles belong to a whole cluster, and a project's
// service_role has more rights than a server's.
func (c *Cluster) Project() (super, owner, requests string, err error) {
	c = projects.get()
	if super, err = c.Database(); err != nil {
		return "", "", "", err
	}
	pool, err := sql.Open("pgx", super)
	if err != nil {
		return "", "", "", err
	}
	defer pool.Close()
	as := func(user string) string {
		u, _ := url.Parse(super) // ours
		u.User = url.User(user)
		return u.String()
	}
	err = c.alone(context.Background(), func() error {
		_, err := pool.Exec(likeSupabase)
		return err
	})
	return super, as("project"), as("authenticator"), err
}

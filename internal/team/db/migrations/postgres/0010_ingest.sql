-- Ids of cases are computed here, and every text has a limit.

-- The low 63 bits of a SHA-256, as wire.CaseID has them.
create function cairn.case_id(repo text, suite text, name text, variant text) returns bigint language sql immutable set search_path = '' as
  $$ select ('x' || encode(substring(sha256(convert_to(repo, 'UTF8') || '\x00'::bytea || convert_to(suite, 'UTF8') || '\x00'::bytea
       || convert_to(name, 'UTF8') || '\x00'::bytea || convert_to(variant, 'UTF8') || '\x00'::bytea) from 25), 'hex'))::bit(64)::bigint
     & 9223372036854775807 $$;
-- The cases of a push: the id by which its results name each, and the true one. A case that its runner knows by an id
-- of its own (own_id, or case_id in the payload of a result) keeps that id when its name changes.
create function cairn.pushed_cases(p_repo text, p_run jsonb)
  returns table (given bigint, id bigint, suite text, name text, variant text, category text, own boolean) language sql stable set search_path = '' as $$
  with f as materialized (
    select c.*, cairn.case_id(p_repo, c.suite, c.name, c.variant) as plain from (
      select coalesce((e ->> 'id')::bigint, 0) as given, coalesce(e ->> 'suite', '') as suite, coalesce(e ->> 'name', '') as name,
        coalesce(e ->> 'variant', '') as variant, coalesce(e ->> 'category', '') as category, coalesce(e ->> 'own_id', '') as own_id
      from jsonb_array_elements(p_run -> 'cases') e) c),
  said as (
    select distinct on (1) (r ->> 'case_id')::bigint as given, r -> 'payload' ->> 'case_id' as own_id from jsonb_array_elements(p_run -> 'results') r
    where (select bool_or(f.given <> f.plain and f.own_id = '') from f) and jsonb_typeof(r -> 'payload' -> 'case_id') = 'string' order by 1)
  select f.given, case when f.given = f.plain or o.own_id = '' then f.plain else cairn.case_id(p_repo, f.suite, '', o.own_id) end,
    f.suite, f.name, f.variant, f.category, f.given <> f.plain and o.own_id <> ''
  from f left join said s on s.given = f.given, lateral (select coalesce(nullif(f.own_id, ''), s.own_id, '') as own_id) o $$;
-- Names the cases of a push and returns the true ids of those that results name by another. What somebody else had
-- named by an id, before ids were computed here, is corrected.
create function cairn.name_cases(p_team uuid, p_repo text, p_run jsonb) returns table (given bigint, id bigint)
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare g bigint[]; t bigint[]; bad bigint; begin
  if (select auth.uid()) is not null and p_team not in (select cairn.my_teams()) then
    raise exception 'not a member of the team' using errcode = '42501'; end if;
  with c as materialized (select * from cairn.pushed_cases(p_repo, p_run)),
  named as (
    insert into public.eval_cases as e (team_id, id, repo_slug, suite, name, variant, category)
      select distinct on (c.id) p_team, c.id, p_repo, c.suite, c.name, c.variant, c.category from c
      where not exists (select from public.eval_cases e where e.team_id = p_team and e.id = c.id and e.repo_slug = p_repo and e.suite = c.suite
        and (c.own or e.name = c.name and e.variant = c.variant)) order by c.id
    on conflict (team_id, id) do update set repo_slug = excluded.repo_slug, suite = excluded.suite, name = excluded.name,
      variant = excluded.variant, category = excluded.category)
  select array_agg(c.given order by c.given), array_agg(c.id order by c.given), min(c.given) filter (where c.name = '')
    into g, t, bad from c;
  if bad is not null then
    raise check_violation using message = 'new row for relation "eval_cases" violates check constraint "eval_cases_name_check"'; end if;
  if exists (select from unnest(g, t) a(given, id) group by a.given having count(distinct a.id) > 1) then
    raise exception 'two cases of the run have the same id' using errcode = '22023'; end if;
  select r.case_id into bad from (select distinct coalesce(m.id, (e ->> 'case_id')::bigint) as case_id from jsonb_array_elements(p_run -> 'results') e
      left join unnest(g, t) m(given, id) on m.given = (e ->> 'case_id')::bigint) r
    where not exists (select from public.eval_cases c where c.team_id = p_team and c.id = r.case_id and c.repo_slug = p_repo) limit 1;
  if bad is not null then
    raise foreign_key_violation using message = 'a result is of a case that neither the run nor its repository has'; end if;
  return query select distinct a.given, a.id from unnest(g, t) a(given, id) where a.given <> a.id;
end $$;
revoke all on function cairn.case_id(text, text, text, text), cairn.pushed_cases(text, jsonb), cairn.name_cases(uuid, text, jsonb) from public;
grant execute on function cairn.case_id(text, text, text, text), cairn.name_cases(uuid, text, jsonb) to authenticated, service_role;
drop policy team_insert on public.eval_cases;
create policy team_insert on public.eval_cases for insert to authenticated
  with check (team_id in (select cairn.my_teams()) and id = cairn.case_id(repo_slug, suite, name, variant));

-- Parts of runs that are too large for one request: {"cases", "results"}, until the run itself comes and says in "parts"
-- how many there are. They are their sender's own, and nobody else's run takes them.
create table cairn.eval_parts (
  team_id uuid not null references public.teams (id) on delete cascade, user_id uuid not null, ingest_key text not null, part int not null,
  body jsonb not null, created_at timestamptz not null default now(), primary key (team_id, user_id, ingest_key, part));
create function public.push_eval_part(p_team uuid, p_key text, p_part int, p_body jsonb) returns json language plpgsql security definer set search_path = '' as $$
declare me uuid := coalesce((select auth.uid()), '00000000-0000-0000-0000-000000000000'); begin
  if (select auth.uid()) is not null and p_team not in (select cairn.my_teams()) then
    raise exception 'new row violates row-level security policy for table "eval_runs"' using errcode = '42501'; end if;
  if length(p_key) not between 16 and 128 or p_part not between 0 and 999 or jsonb_typeof(p_body) <> 'object' or pg_column_size(p_body) > 20000000 then
    raise exception 'a part has the ingest key of its run, a number from 0 to 999 and a body, which is an object of at most 20 MB' using errcode = '22023'; end if;
  delete from cairn.eval_parts where team_id = p_team and created_at < now() - interval '1 day';
  if (select coalesce(sum(pg_column_size(body)), 0) from cairn.eval_parts where team_id = p_team) > 500000000 then
    raise exception 'the team has 500 MB of parts whose runs did not come' using errcode = '53400'; end if;
  insert into cairn.eval_parts (team_id, user_id, ingest_key, part, body) values (p_team, me, p_key, p_part, p_body)
    on conflict (team_id, user_id, ingest_key, part) do update set body = excluded.body, created_at = now();
  return json_build_object('part', p_part); end $$;
-- A part of one's own run, null where it is not there.
create function cairn.eval_part(p_team uuid, p_key text, p_part int) returns jsonb language sql stable security definer set search_path = '' as $$
  select body from cairn.eval_parts where team_id = p_team and user_id = coalesce((select auth.uid()), '00000000-0000-0000-0000-000000000000')
    and ingest_key = p_key and part = p_part $$;
create function cairn.drop_eval_parts(p_team uuid, p_key text) returns void language sql security definer set search_path = '' as $$
  delete from cairn.eval_parts where team_id = p_team and user_id = coalesce((select auth.uid()), '00000000-0000-0000-0000-000000000000') and ingest_key = p_key $$;
revoke all on function public.push_eval_part(uuid, text, int, jsonb), cairn.eval_part(uuid, text, int), cairn.drop_eval_parts(uuid, text) from public, anon;
grant execute on function public.push_eval_part(uuid, text, int, jsonb), cairn.eval_part(uuid, text, int), cairn.drop_eval_parts(uuid, text) to authenticated, service_role;

-- Adds cases, results and payloads to a run that was inserted in the same transaction.
create function cairn.add_results(p_team uuid, p_id uuid, p_at timestamptz, p_repo text, p_run jsonb) returns void language plpgsql security invoker set search_path = '' as $$
declare g bigint[]; t bigint[]; begin
  select array_agg(c.given), array_agg(c.id) into g, t from cairn.name_cases(p_team, p_repo, p_run) c;
  insert into public.eval_results (team_id, run_id, run_at, case_id, repeat_no, status, score, duration_ms, cost_usd, turns)
    select p_team, p_id, p_at, coalesce(m.id, c.case_id), coalesce(c.repeat_no, 0), c.status, c.score, c.duration_ms, c.cost_usd, c.turns
    from jsonb_populate_recordset(null::public.eval_results, p_run -> 'results') c left join unnest(g, t) m(given, id) on m.given = c.case_id;
  insert into public.eval_payloads (team_id, run_id, run_at, case_id, repeat_no, payload)
    select p_team, p_id, p_at, coalesce(m.id, (c ->> 'case_id')::bigint), coalesce((c ->> 'repeat_no')::smallint, 0), c -> 'payload'
    from jsonb_array_elements(p_run -> 'results') c left join unnest(g, t) m(given, id) on m.given = (c ->> 'case_id')::bigint
    where jsonb_typeof(c -> 'payload') = 'object';
end $$;
revoke all on function cairn.add_results(uuid, uuid, timestamptz, text, jsonb) from public;
grant execute on function cairn.add_results(uuid, uuid, timestamptz, text, jsonb) to authenticated, service_role;

-- Stores a run with everything in it, or finds that it is there. {"id", "duplicate"}.
create or replace function public.push_eval_run(p_team uuid, p_run jsonb) returns json language plpgsql security invoker set search_path = '' as $$
declare r public.eval_runs; n int; known uuid; part jsonb; parts int := coalesce((p_run ->> 'parts')::int, 0); begin
  r := jsonb_populate_record(null::public.eval_runs, p_run);
  if parts = 0 and r.total_tests > 0 and coalesce(jsonb_array_length(nullif(p_run -> 'results', 'null')), 0) = 0
    and cairn.eval_part(p_team, r.ingest_key, 0) is not null then -- a server of the version before has dropped what says how many
    raise exception 'the run comes in parts, which this server does not know; try again' using errcode = 'PT503'; end if;
  perform cairn.ensure_month(r.run_at); -- before any lock on eval_runs
  insert into public.eval_runs (team_id, id, run_at, ingest_key, user_id, repo_slug, branch, git_sha, git_dirty, label, suite, hostname, tool, tool_version,
      kind, scope, judge_tier, tier, prompt_sha, attempt, total_tests, passed, failed, skipped, errored, total_cost_usd, total_duration_ms, wall_clock_ms,
      judge_averages, by_category, meta, schema_version)
    values (p_team, r.id, r.run_at, r.ingest_key, (select auth.uid()), r.repo_slug, coalesce(r.branch, ''), coalesce(r.git_sha, ''), r.git_dirty, r.label,
      coalesce(r.suite, ''), coalesce(r.hostname, ''), coalesce(r.tool, ''), coalesce(r.tool_version, ''), coalesce(r.kind, 'eval'), coalesce(r.scope, 'standard'),
      r.judge_tier, coalesce(r.tier, 'standard'), r.prompt_sha, coalesce(r.attempt, 1), r.total_tests, r.passed, r.failed, coalesce(r.skipped, 0), coalesce(r.errored, 0),
      coalesce(r.total_cost_usd, 0), coalesce(r.total_duration_ms, 0), r.wall_clock_ms, r.judge_averages, r.by_category, coalesce(r.meta, '{}'), coalesce(r.schema_version, 1))
    on conflict do nothing;
  get diagnostics n = row_count;
  if n = 0 then
    select e.id into known from public.eval_runs e where e.team_id = p_team and e.ingest_key = r.ingest_key;
    if known is null then -- its id is another run's
      raise unique_violation using message = 'duplicate key value violates unique constraint "eval_runs_pkey"';
    end if;
    if parts > 0 then perform cairn.drop_eval_parts(p_team, r.ingest_key); end if;
    return json_build_object('id', known, 'duplicate', true);
  end if;
  perform cairn.add_results(p_team, r.id, r.run_at, r.repo_slug, p_run);
  for i in 0 .. parts - 1 loop
    part := cairn.eval_part(p_team, r.ingest_key, i);
    if part is null then raise exception 'part % of the run has not come; send all of them again', i using errcode = 'PT503'; end if;
    perform cairn.add_results(p_team, r.id, r.run_at, r.repo_slug, part);
  end loop;
  if parts > 0 then perform cairn.drop_eval_parts(p_team, r.ingest_key); end if;
  insert into public.eval_costs (team_id, run_id, model, run_at, calls, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, estimated_cost_usd, price_table)
    select p_team, r.id, c.model, r.run_at, coalesce(c.calls, 0), coalesce(c.input_tokens, 0), coalesce(c.output_tokens, 0), coalesce(c.cache_read_tokens, 0),
      coalesce(c.cache_write_tokens, 0), coalesce(c.estimated_cost_usd, 0), coalesce(c.price_table, '')
    from jsonb_populate_recordset(null::public.eval_costs, p_run -> 'costs') c;
  return json_build_object('id', r.id, 'duplicate', false); end $$;

-- Texts that are too long: they would break an index, or whoever pulls the row. The registry of cairn's own server has
-- the same limits; of JSON it counts less white space. As triggers, so that rows from before can still lose their author.
create function cairn.too_long() returns trigger language plpgsql set search_path = '' as $$ begin
  raise exception 'a value of % is too long', tg_table_name using errcode = '22001'; end $$;
revoke all on function cairn.too_long() from public;
create trigger size before insert or update of repo_slug, branch, git_sha, label, suite, hostname, tool, tool_version, kind, tier, prompt_sha, judge_averages, by_category, meta on public.eval_runs for each row
  when (octet_length(new.repo_slug) > 500 or octet_length(new.branch) > 1000 or octet_length(new.git_sha) > 100 or octet_length(new.label) > 1000
    or octet_length(new.suite) > 800 or octet_length(new.hostname) > 1000 or octet_length(new.tool) > 1000 or octet_length(new.tool_version) > 1000
    or octet_length(new.kind) > 100 or octet_length(new.tier) > 1000 or octet_length(new.prompt_sha) > 1000
    or octet_length(new.judge_averages::text) > 2000000 or octet_length(new.by_category::text) > 2000000 or octet_length(new.meta::text) > 2000000) execute function cairn.too_long();
create trigger size before insert or update of repo_slug, suite, name, variant, category on public.eval_cases for each row
  when (octet_length(new.repo_slug) > 500 or octet_length(new.suite) > 800 or octet_length(new.name) > 10000 or octet_length(new.variant) > 10000
    or octet_length(new.category) > 1000) execute function cairn.too_long();
create trigger size before insert or update of model, price_table on public.eval_costs for each row
  when (octet_length(new.model) > 500 or octet_length(new.price_table) > 100) execute function cairn.too_long();
create trigger size before insert or update of ingest_key, repo_slug, period, metrics, authors, version_range, tweetable, greptile, backlog, test_health on public.retro_snapshots for each row
  when (octet_length(new.ingest_key) > 1000 or octet_length(new.repo_slug) > 500 or octet_length(new.period) > 1000
    or octet_length(new.metrics::text) > 2000000 or octet_length(new.authors::text) > 2000000 or octet_length(new.version_range::text) > 2000000
    or octet_length(new.tweetable) > 10000 or octet_length(new.greptile::text) > 2000000 or octet_length(new.backlog::text) > 2000000
    or octet_length(new.test_health::text) > 2000000) execute function cairn.too_long();
create trigger size before insert or update of ingest_key, repo_slug, url, mode, issues, category_scores, report_markdown on public.qa_reports for each row
  when (octet_length(new.ingest_key) > 1000 or octet_length(new.repo_slug) > 500 or octet_length(new.url) > 10000 or octet_length(new.mode) > 1000
    or octet_length(new.issues::text) > 2000000 or octet_length(new.category_scores::text) > 2000000 or octet_length(new.report_markdown) > 2000000) execute function cairn.too_long();
create trigger size before insert or update of ingest_key, repo_slug, version, branch, git_sha, title, author, author_email, pr_url, review_findings, greptile_stats, todos_completed, test_results on public.ship_logs for each row
  when (octet_length(new.ingest_key) > 1000 or octet_length(new.repo_slug) > 500 or octet_length(new.version) > 1000 or octet_length(new.branch) > 1000
    or octet_length(new.git_sha) > 1000 or octet_length(new.title) > 10000 or octet_length(new.author) > 1000 or octet_length(new.author_email) > 1000
    or octet_length(new.pr_url) > 10000 or octet_length(new.review_findings::text) > 2000000 or octet_length(new.greptile_stats::text) > 2000000
    or octet_length(new.todos_completed::text) > 2000000 or octet_length(new.test_results::text) > 2000000) execute function cairn.too_long();
create trigger size before insert or update of ingest_key, repo_slug, file_pattern, category on public.greptile_triage for each row
  when (octet_length(new.ingest_key) > 1000 or octet_length(new.repo_slug) > 500 or octet_length(new.file_pattern) > 10000
    or octet_length(new.category) > 1000) execute function cairn.too_long();
create trigger size before insert or update of ingest_key, repo_slug, session_id, messages, tools_used, summary on public.session_transcripts for each row
  when (octet_length(new.ingest_key) > 1000 or octet_length(new.repo_slug) > 500 or octet_length(new.session_id) > 1000
    or octet_length(new.messages::text) > 16000000 or octet_length(new.tools_used::text) > 2000000 or octet_length(new.summary) > 100000) execute function cairn.too_long();
create trigger size before insert or update of ingest_key, repo_slug, project, workstream, milestone, detail on public.plan_snapshots for each row
  when (octet_length(new.ingest_key) > 1000 or octet_length(new.repo_slug) > 500 or octet_length(new.project) > 1000 or octet_length(new.workstream) > 1000
    or octet_length(new.milestone) > 1000 or octet_length(new.detail::text) > 2000000) execute function cairn.too_long();
create trigger size before insert or update of ingest_key, repo_slug, hostname, agent, tools on public.usage_days for each row
  when (octet_length(new.ingest_key) > 1000 or octet_length(new.repo_slug) > 500 or octet_length(new.hostname) > 1000 or octet_length(new.agent) > 1000
    or octet_length(new.tools::text) > 2000000) execute function cairn.too_long();
create trigger size before insert or update of hostname on public.sync_heartbeats for each row
  when (octet_length(new.hostname) > 1000) execute function cairn.too_long();

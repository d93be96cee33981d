// What a program that uses supabase-js does with the teams' tables, against the
// server at SUPABASE_URL. Prints "ok" or "not ok" and the name of each check.
import { createClient } from '@supabase/supabase-js'
import { randomUUID, createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

globalThis.WebSocket ??= class {} // supabase-js wants one to be there
const { SUPABASE_URL: url, SUPABASE_ANON_KEY: anon, SUPABASE_SERVICE_KEY: service } = process.env
const memory = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false }
const client = key => createClient(url, key, { auth: memory })
let failed = 0
async function check(name, fn) {
  try {
    await fn()
    console.log('ok', name)
  } catch (err) {
    failed++
    console.log('not ok', name, '\n   ', String(err?.message ?? err).replaceAll('\n', '\n    '))
  }
}
function same(got, want, what = '') {
  if (!isDeepStrictEqual(got, want)) throw new Error(`${what} got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`)
}
const good = ({ data, error, status, count }, wantStatus) => {
  if (error) throw new Error(`${status} ${JSON.stringify(error)}`)
  if (wantStatus) same(status, wantStatus, 'status')
  return count ?? data
}
const bad = ({ data, error, status }, code, wantStatus) => {
  if (!error) throw new Error(`no error, but ${JSON.stringify(data)}`)
  same([error.code, status], [code, wantStatus], `${error.message}:`)
  return error
}

const admin = client(service), stranger = client(anon)
const password = 'correct-horse-battery'
const stamp = Date.now()
async function person(name) {
  const email = `${name}${stamp}@example.test`
  const { data, error } = await admin.auth.admin.createUser({ email, password, email_confirm: true })
  if (error) throw error
  const c = client(anon)
  const { error: refused } = await c.auth.signInWithPassword({ email, password })
  if (refused) throw refused
  return { email, id: data.user.id, db: c, auth: c.auth }
}
const ada = await person('ada'), bob = await person('bob'), eve = await person('eve')
const team = good(await ada.db.rpc('create_team', { team_slug: `acme-${stamp}`, team_name: 'Acme' }))
const other = good(await eve.db.rpc('create_team', { team_slug: `evil-${stamp}`, team_name: 'Evil' }))
const invitation = good(await ada.db.rpc('invite_member', { p_team: team, p_email: bob.email }))
good(await bob.db.rpc('accept_invite', { p_token: invitation }))

let n = 0
const run = (more = {}) => ({
  team_id: team, id: randomUUID(), run_at: '2026-03-15T10:30:00+00:00', ingest_key: `key-${stamp}-${String(n++).padStart(12, '0')}`,
  repo_slug: 'acme/web', label: `run ${n}`, total_tests: 10, passed: 8, failed: 2, ...more,
})
const runs = t => t.from('eval_runs')

// ---- sign-in
await check('a session has tokens and a user', async () => {
  const { data: { session } } = await ada.auth.getSession()
  same([session.token_type, session.expires_in, session.user.email, session.user.role], ['bearer', 3600, ada.email, 'authenticated'])
})
await check('refreshing gives new tokens', async () => {
  const before = (await ada.auth.getSession()).data.session
  const { data, error } = await ada.auth.refreshSession()
  if (error) throw error
  if (data.session.refresh_token === before.refresh_token) throw new Error('the same refresh token')
})
await check('getUser asks the server', async () => same((await ada.auth.getUser()).data.user.id, ada.id))
await check('updateUser keeps metadata', async () => {
  const { data, error } = await bob.auth.updateUser({ data: { nickname: 'Bobby' } })
  if (error) throw error
  same(data.user.user_metadata.nickname, 'Bobby')
})
await check('wrong password', async () => {
  const { error } = await client(anon).auth.signInWithPassword({ email: ada.email, password: 'wrong' })
  same([error.code, error.status], ['invalid_credentials', 400])
})
await check('an unknown user is a wrong password', async () => {
  const { error } = await client(anon).auth.signInWithPassword({ email: 'nobody@example.test', password })
  same([error.code, error.status], ['invalid_credentials', 400])
})
await check('strangers cannot sign up', async () => {
  const { error } = await client(anon).auth.signUp({ email: `new${stamp}@example.test`, password })
  same([error.code, error.status], ['signup_disabled', 422])
})
await check('strangers are no admins', async () => {
  const { error } = await stranger.auth.admin.listUsers()
  same([error.code, error.status], ['not_admin', 403])
})
await check('the admin finds, changes and deletes users', async () => {
  const { data: { user } } = await admin.auth.admin.createUser({ email: `temp${stamp}@example.test`, password, email_confirm: true })
  same((await admin.auth.admin.getUserById(user.id)).data.user.email, user.email)
  same((await admin.auth.admin.updateUserById(user.id, { user_metadata: { a: 1 } })).data.user.user_metadata.a, 1)
  if (!(await admin.auth.admin.listUsers()).data.users.some(u => u.id === user.id)) throw new Error('not in the list')
  const again = await admin.auth.admin.createUser({ email: user.email, password })
  same([again.error.code, again.error.status], ['email_exists', 422])
  same((await admin.auth.admin.deleteUser(user.id)).error, null)
  same((await admin.auth.admin.getUserById(user.id)).error.code, 'user_not_found')
})
await check('a link signs in once', async () => {
  const { data, error } = await admin.auth.admin.generateLink({ type: 'magiclink', email: bob.email })
  if (error) throw error
  const c = client(anon)
  const { data: first, error: e1 } = await c.auth.verifyOtp({ token_hash: data.properties.hashed_token, type: 'email' })
  if (e1) throw e1
  same(first.user.email, bob.email)
  const { error: e2 } = await client(anon).auth.verifyOtp({ token_hash: data.properties.hashed_token, type: 'email' })
  same([e2.code, e2.status], ['otp_expired', 403])
})
await check('a code signs in', async () => {
  const { data } = await admin.auth.admin.generateLink({ type: 'magiclink', email: bob.email })
  const { error } = await client(anon).auth.verifyOtp({ email: bob.email, token: data.properties.email_otp, type: 'email' })
  same(error, null)
})
await check('after signing out the session is over everywhere', async () => {
  const c = client(anon)
  const { data: { session } } = await c.auth.signInWithPassword({ email: bob.email, password })
  same((await c.auth.signOut({ scope: 'local' })).error, null)
  const res = await fetch(`${url}/auth/v1/user`, { headers: { apikey: anon, authorization: `Bearer ${session.access_token}` } })
  same([res.status, (await res.json()).error_code], [403, 'session_not_found'])
})

// ---- a second factor
const totp = (secret, at = Date.now()) => {
  const bits = [...secret].map(c => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g).map(b => parseInt(b, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30000)))
  const sum = createHmac('sha1', key).update(step).digest()
  return String((sum.readUInt32BE(sum[19] & 15) & 0x7fffffff) % 1e6).padStart(6, '0')
}
const mia = await person('mia')
const miasTeam = good(await mia.db.rpc('create_team', { team_slug: `mia-${stamp}`, team_name: 'Mia' }))
const levels = async c => { const { data } = await c.auth.mfa.getAuthenticatorAssuranceLevel(); return [data.currentLevel, data.nextLevel] }
let factor
await check('a factor is enrolled and verified', async () => {
  same(await levels(mia), ['aal1', 'aal1'])
  const { data, error } = await mia.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' })
  if (error) throw error
  factor = data
  if (!data.totp.qr_code.startsWith('data:image/svg+xml') || !data.totp.uri.startsWith('otpauth://totp/')) throw new Error(data.totp.uri)
  same((await mia.auth.mfa.listFactors()).data.totp, [])
  const wrong = await mia.auth.mfa.challengeAndVerify({ factorId: data.id, code: '000000' })
  same([wrong.error.code, wrong.error.status], ['mfa_verification_failed', 422])
  const { error: refused } = await mia.auth.mfa.challengeAndVerify({ factorId: data.id, code: totp(data.totp.secret, Date.now() - 30000) })
  if (refused) throw refused
  same(await levels(mia), ['aal2', 'aal2'])
  same((await mia.auth.mfa.listFactors()).data.totp.map(f => [f.id, f.status, f.friendly_name]), [[data.id, 'verified', 'phone']])
  same(good(await mia.db.from('teams').select('id')).map(t => t.id), [miasTeam])
})
await check('without the factor a sign-in reads nothing', async () => {
  const c = client(anon)
  const { error } = await c.auth.signInWithPassword({ email: mia.email, password })
  if (error) throw error
  same(await levels(c), ['aal1', 'aal2'])
  same((await c.from('teams').select('id')).status, 401)
  same((await c.auth.updateUser({ password: 'another-horse-battery' })).error.code, 'insufficient_aal')
  same((await c.auth.mfa.unenroll({ factorId: factor.id })).error.code, 'insufficient_aal')
  const { data: challenge } = await c.auth.mfa.challenge({ factorId: factor.id })
  const code = totp(factor.totp.secret)
  const { error: refused } = await c.auth.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code })
  if (refused) throw refused
  same(await levels(c), ['aal2', 'aal2'])
  same((await c.auth.refreshSession()).error, null)
  same(await levels(c), ['aal2', 'aal2'])
  same(good(await c.from('teams').select('id')).map(t => t.id), [miasTeam])
  same((await c.auth.mfa.challengeAndVerify({ factorId: factor.id, code })).error.code, 'mfa_verification_failed')
  same((await admin.auth.admin.mfa.listFactors({ userId: mia.id })).data.factors.length, 1)
  same((await c.auth.mfa.unenroll({ factorId: factor.id })).error, null)
  same((await c.auth.mfa.listFactors()).data.all, [])
})

// ---- insert
const a = run({ branch: 'main', judge_averages: { accuracy: 0.9, voice: { tone: 'dry' } }, total_cost_usd: 0.123456 })
await check('insert answers 201 and nothing', async () => same(good(await runs(ada.db).insert(a), 201), null))
await check('insert and select', async () => {
  const b = run({ branch: 'feat/a,b(c) "d"&x=1', total_cost_usd: 2.5 })
  const got = good(await runs(ada.db).insert(b).select('id,label,total_cost_usd,created_at').single(), 201)
  same([got.id, got.total_cost_usd], [b.id, 2.5])
  if (Math.abs(Date.parse(got.created_at) - Date.now()) > 60_000) throw new Error(got.created_at)
})
await check('insert many', async () => {
  const got = good(await runs(ada.db).insert([run({ branch: 'x' }), run({ branch: 'y', suite: 's' })], { defaultToNull: false }).select('branch,suite'), 201)
  same(got, [{ branch: 'x', suite: '' }, { branch: 'y', suite: 's' }])
})
await check('who sends is filled in', async () => same(good(await runs(ada.db).select('user_id').eq('id', a.id).single()).user_id, ada.id))
await check('created_at cannot be backdated', async () => {
  const got = good(await runs(ada.db).insert(run({ created_at: '2001-01-01T00:00:00Z' })).select('created_at').single())
  if (got.created_at.startsWith('2001')) throw new Error(got.created_at)
})
await check('a duplicate', async () => bad(await runs(ada.db).insert({ ...a, id: randomUUID() }), '23505', 409))
await check('a duplicate that may be ignored', async () => {
  same(good(await runs(ada.db).upsert({ ...a, id: randomUUID() }, { onConflict: 'team_id,ingest_key', ignoreDuplicates: true }).select('id'), 201), [])
})
await check('runs cannot be merged', async () => bad(await runs(ada.db).upsert({ ...a, label: 'changed' }, { onConflict: 'team_id,ingest_key' }), '42501', 403))
await check('runs cannot be changed', async () => bad(await runs(ada.db).update({ label: 'changed' }).eq('id', a.id), '42501', 403))
await check('an unknown column', async () => bad(await runs(ada.db).insert({ ...run(), wall_clock: 1 }), 'PGRST204', 400))
await check('a missing column', async () => { const r = run(); delete r.label; bad(await runs(ada.db).insert(r), '23502', 400) })
await check('counts that do not add up', async () => bad(await runs(ada.db).insert(run({ passed: 99 })), '23514', 400))
await check('a negative count', async () => bad(await runs(ada.db).insert(run({ passed: 12, failed: -2 })), '23514', 400))
await check('no UUID', async () => bad(await runs(ada.db).insert(run({ id: 'x' })), '22P02', 400))
await check('a number out of range', async () => bad(await runs(ada.db).insert(run({ passed: 3e9, total_tests: 3e9 })), '22003', 400))
await check('big token counts', async () => {
  const cost = { team_id: team, run_id: a.id, model: 'm1', run_at: a.run_at, calls: 2, input_tokens: 9_000_000_000, output_tokens: 7, estimated_cost_usd: 1.5 }
  good(await ada.db.from('eval_costs').insert(cost), 201)
  same(good(await ada.db.from('eval_costs').select('input_tokens').eq('run_id', a.id).single()).input_tokens, 9_000_000_000)
})
await check('rollback', async () => {
  const r = run()
  bad(await runs(ada.db).insert(r).rollback(), 'PGRST127', 400)
  same(good(await runs(ada.db).select('id').eq('id', r.id)), [])
})

// ---- filters
const seven = Array.from({ length: 7 }, (_, i) => run({
  repo_slug: 'filters', label: ['apple', 'Banana', 'cherry', 'date', 'a_b', 'a%b', 'fig'][i], passed: i, failed: 10 - i,
  run_at: `2026-04-0${i + 1}T00:00:00+00:00`, git_dirty: [true, false, null][i % 3], judge_averages: i % 2 ? { s: i / 10, k: ['x', 'y'], o: { p: i } } : null,
  wall_clock_ms: i < 3 ? null : i * 1000,
}))
good(await runs(ada.db).insert(seven), 201)
const some = async build => good(await build(runs(ada.db).select('passed').eq('repo_slug', 'filters')).order('passed')).map(r => r.passed)
for (const [name, build, want] of [
  ['eq', q => q.eq('passed', 3), [3]],
  ['neq', q => q.neq('passed', 3), [0, 1, 2, 4, 5, 6]],
  ['gt', q => q.gt('passed', 3), [4, 5, 6]],
  ['gte', q => q.gte('passed', 3), [3, 4, 5, 6]],
  ['lt', q => q.lt('passed', 2), [0, 1]],
  ['lte', q => q.lte('passed', 2), [0, 1, 2]],
  ['gte of a time', q => q.gte('run_at', '2026-04-05T02:00:00+02:00'), [4, 5, 6]],
  ['in', q => q.in('label', ['apple', 'fig', 'a,b']), [0, 6]],
  ['not in', q => q.not('label', 'in', '(apple,fig)'), [1, 2, 3, 4, 5]],
  ['is null', q => q.is('git_dirty', null), [2, 5]],
  ['is true', q => q.is('git_dirty', true), [0, 3, 6]],
  ['not is null', q => q.not('git_dirty', 'is', null), [0, 1, 3, 4, 6]],
  ['or', q => q.or('passed.lt.1,and(passed.gt.4,label.gte.f)'), [0, 6]],
  ['or with quotes', q => q.or('label.eq."apple",label.in.("fig","a,b")'), [0, 6]],
  ['not and', q => q.not('passed', 'gt', 2), [0, 1, 2]],
  ['match of several', q => q.match({ passed: 2, label: 'cherry' }), [2]],
  ['filter()', q => q.filter('passed', 'gte', 5), [5, 6]],
]) await check(`filter ${name}`, async () => same(await some(build), want))
await check('a list', async () => {
  const ship = { team_id: team, ingest_key: `ship-${stamp}-00000000`, repo_slug: 'filters', version: 'v1', todos_completed: ['a', 'b, c', '"q"'] }
  good(await ada.db.from('ship_logs').insert(ship), 201)
  same(good(await ada.db.from('ship_logs').select('version,todos_completed').eq('repo_slug', 'filters')), [{ version: 'v1', todos_completed: ship.todos_completed }])
})
// What only a general PostgREST has is refused with a sentence.
for (const [name, build, code = 'PGRST100'] of [
  ['like', q => q.like('label', 'a%')],
  ['ilike', q => q.ilike('label', 'B%')],
  ['likeAnyOf', q => q.likeAnyOf('label', ['app%', 'che%'])],
  ['likeAllOf', q => q.likeAllOf('label', ['a%', '%e'])],
  ['ilikeAnyOf', q => q.ilikeAnyOf('label', ['BAN%', 'FIG'])],
  ['match', q => q.filter('label', 'match', '^[a-c]')],
  ['imatch', q => q.filter('label', 'imatch', '^b')],
  ['isDistinct', q => q.filter('wall_clock_ms', 'isdistinct', 3000)],
  ['contains', q => q.contains('judge_averages', { k: ['y'] })],
  ['containedBy', q => q.containedBy('judge_averages', { s: 0.3 })],
  ['overlaps', q => q.overlaps('judge_averages', ['a'])],
  ['textSearch', q => q.textSearch('label', 'apple', { type: 'plain', config: 'english' })],
  ['rangeGt', q => q.rangeGt('passed', '[1,2]')],
  ['a json path', q => q.gt('judge_averages->o->p', 2), 'PGRST127'],
  ['a json text path', q => q.eq('judge_averages->o->>p', '5'), 'PGRST127'],
  ['eq of JSON', q => q.eq('judge_averages', '{}'), 'PGRST127'],
]) await check(`refused: ${name}`, async () => {
  const error = bad(await build(runs(ada.db).select('passed')), code, 400)
  if (!/not supported; /.test(error.message)) throw new Error(error.message)
})
for (const [name, columns] of [['alias', 'n:passed'], ['cast', 'passed::text'], ['json', 'judge_averages->o'], ['a column twice', 'id,id'], ['!inner', 'id,eval_costs!inner(model)'], ['spread', 'id,...teams(slug)'],
  ['a table in an embedded one', 'id,eval_costs(model,eval_runs(id))'], ['a table in itself', 'id,teams(id,eval_runs(id,teams(id,eval_runs(id))))']])
  await check(`refused in select: ${name}`, async () => { bad(await runs(ada.db).select(columns), 'PGRST127', 400) })
await check('refused: filters and limits of what is embedded', async () => {
  bad(await runs(ada.db).select('id,eval_costs(model)').gt('eval_costs.calls', 5), 'PGRST127', 400)
  bad(await runs(ada.db).select('id,eval_costs(model)').limit(1, { referencedTable: 'eval_costs' }), 'PGRST127', 400)
})
await check('refused: a negative offset', async () => {
  bad(await runs(ada.db).select('id').range(-1, 5), 'PGRST103', 416)
  bad(await runs(ada.db).select('id').limit(-1), 'PGRST103', 416)
})
await check('a filter with every special character', async () => {
  same(good(await runs(ada.db).select('branch').eq('branch', 'feat/a,b(c) "d"&x=1')).length, 1)
})
await check('an injection is a value', async () => {
  for (const evil of ["'; drop table eval_runs; --", "' or '1'='1", '") or true --', '\\', '%00', '${7*7}'])
    same(good(await runs(ada.db).select('id').eq('label', evil)), [])
  bad(await runs(ada.db).select('id').filter('label;drop', 'eq', 'x'), '42703', 400)
  bad(await runs(ada.db).select('id,(select 1)'), 'PGRST100', 400)
})

// ---- shape of answers
await check('order, nulls, limit, range', async () => {
  const q = () => runs(ada.db).select('passed').eq('repo_slug', 'filters')
  same(good(await q().order('wall_clock_ms', { ascending: false, nullsFirst: true }).order('passed').limit(4)).map(r => r.passed), [0, 1, 2, 6])
  same(good(await q().order('wall_clock_ms', { ascending: true, nullsFirst: false }).order('passed').range(2, 4)).map(r => r.passed), [5, 6, 0])
})
await check('times and decimals', async () => {
  const got = good(await runs(ada.db).select('run_at,total_cost_usd,git_dirty,meta').eq('id', a.id).single())
  same(got, { run_at: '2026-03-15T10:30:00+00:00', total_cost_usd: 0.123456, git_dirty: null, meta: {} })
})
await check('embed children and parent', async () => {
  same(good(await runs(ada.db).select('id,eval_costs(model,calls)').eq('id', a.id).single()), { id: a.id, eval_costs: [{ model: 'm1', calls: 2 }] })
  same(good(await ada.db.from('eval_costs').select('model,eval_runs(label)').eq('run_id', a.id).single()), { model: 'm1', eval_runs: { label: a.label } })
})
await check('an unknown relation', async () => bad(await runs(ada.db).select('id,pg_catalog(x)'), 'PGRST200', 400))
await check('aggregates are off', async () => bad(await ada.db.from('eval_costs').select('calls.sum()'), 'PGRST123', 400))
await check('count', async () => {
  const got = await runs(ada.db).select('id', { count: 'exact' }).eq('repo_slug', 'filters').range(0, 2)
  same([got.count, got.data.length, got.status], [7, 3, 206])
  same((await runs(ada.db).select('*', { count: 'exact', head: true }).eq('repo_slug', 'filters')).count, 7)
  same((await runs(ada.db).select('id', { count: 'estimated' }).eq('repo_slug', 'none')).count, 0)
})
await check('single of none and of many', async () => {
  bad(await runs(ada.db).select('id').eq('repo_slug', 'none').single(), 'PGRST116', 406)
  bad(await runs(ada.db).select('id').eq('repo_slug', 'filters').single(), 'PGRST116', 406)
  same(good(await runs(ada.db).select('id').eq('repo_slug', 'none').maybeSingle()), null)
})
await check('an offset beyond the end', async () => bad(await runs(ada.db).select('id', { count: 'exact' }).eq('repo_slug', 'filters').range(100, 110), 'PGRST103', 416))
await check('no csv', async () => bad(await runs(ada.db).select('passed,label').csv(), 'PGRST107', 406))
await check('400 ids', async () => same(good(await runs(ada.db).select('id').in('id', [...Array.from({ length: 399 }, randomUUID), a.id])).length, 1))
await check('unknown table, column, function, schema', async () => {
  bad(await ada.db.from('users').select(), 'PGRST205', 404)
  bad(await ada.db.from('pg_shadow').select(), 'PGRST205', 404)
  bad(await runs(ada.db).select('nope'), '42703', 400)
  bad(await runs(ada.db).select('id').order('nope'), '42703', 400)
  bad(await ada.db.rpc('pg_sleep', { seconds: 1 }), 'PGRST202', 404)
  bad(await ada.db.schema('auth').from('users').select(), 'PGRST106', 406)
})
await check('a value that is not of the type', async () => bad(await runs(ada.db).select('id').eq('passed', 'many'), '22P02', 400))

// ---- update, upsert, delete
const qa = { team_id: team, ingest_key: `qa-${stamp}-0000000000`, repo_slug: 'web', url: 'http://127.0.0.1/', health_score: 91.25 }
await check('one may correct one\'s own report', async () => {
  const row = good(await ada.db.from('qa_reports').insert(qa).select().single(), 201)
  same([row.health_score, row.mode, row.user_id], [91.25, 'full', ada.id])
  same(good(await ada.db.from('qa_reports').update({ health_score: 50 }).eq('id', row.id).select('health_score')), [{ health_score: 50 }])
  same(good(await ada.db.from('qa_reports').upsert({ ...qa, health_score: 60 }, { onConflict: 'team_id,ingest_key' }).select('id,health_score').single()), { id: row.id, health_score: 60 })
  same(good(await bob.db.from('qa_reports').update({ health_score: 1 }).eq('id', row.id).select()), [])
  good(await ada.db.from('qa_reports').update({ health_score: 61 }).eq('id', row.id), 204)
  bad(await ada.db.from('qa_reports').delete().eq('id', row.id).order('url'), 'PGRST127', 400)
  bad(await ada.db.from('qa_reports').update({ health_score: 161 }).eq('id', row.id), '23514', 400)
})
await check('maxAffected', async () => {
  bad(await ada.db.from('qa_reports').update({ mode: 'quick' }).eq('team_id', team).gte('health_score', 0).maxAffected(0), 'PGRST122', 400)
})
await check('members do not delete, owners do', async () => {
  const r = run()
  good(await runs(bob.db).insert(r))
  same(good(await runs(bob.db).delete({ count: 'exact' }).eq('id', r.id)), 0)
  same(good(await runs(ada.db).delete().eq('id', r.id).select('id')), [{ id: r.id }])
})
await check('daily sums follow', async () => {
  const sum = async () => good(await ada.db.from('daily_evals').select('runs,passed,total').eq('label', 'sums').maybeSingle())
  const one = run({ label: 'sums', run_at: '2026-05-01T00:00:00Z' }), two = run({ label: 'sums', run_at: '2026-05-01T23:59:59Z' })
  good(await runs(ada.db).insert([one, two]))
  same(await sum(), { runs: 2, passed: 16, total: 20 })
  good(await runs(ada.db).delete().eq('id', one.id))
  same(await sum(), { runs: 1, passed: 8, total: 10 })
  good(await runs(ada.db).delete().eq('id', two.id))
  same(await sum(), null)
})

// ---- functions
await check('rpc', async () => {
  same(good(await ada.db.rpc('team_pulse', { p_team: team })).members, 2)
  same(good(await ada.db.rpc('team_pulse', { p_team: team, p_days: 30 })).members, 2)
  bad(await ada.db.rpc('team_pulse', { p_team: team, p_days: 30 }, { get: true }), 'PGRST101', 405)
  same(good(await ada.db.rpc('team_people', { p_team: team })).map(p => [p.email, p.role]), [[ada.email, 'owner'], [bob.email, 'member']])
  bad(await ada.db.rpc('team_people', { p_team: team }).select('email'), 'PGRST127', 400)
  same(good(await eve.db.rpc('team_people', { p_team: team })), [])
  bad(await ada.db.rpc('create_team', { team_slug: 'Not A Slug', team_name: 'x' }), '23514', 400)
  bad(await eve.db.rpc('create_team', { team_slug: `acme-${stamp}`, team_name: 'x' }), '23505', 409)
  bad(await ada.db.rpc('create_team', { wrong: 1 }), 'PGRST202', 404)
})
await check('a whole run in one call, twice', async () => {
  const p_run = { ...run(), cases: [{ id: 7, name: 'one' }, { id: 8, name: 'two' }], total_tests: 3, passed: 1, failed: 1, errored: 1,
    results: [{ case_id: 7, status: 0, score: 0.5 }, { case_id: 8, status: 1, payload: { response: 'x' } }, { case_id: 8, repeat_no: 1, status: 3 }],
    costs: [{ model: 'm', calls: 1, estimated_cost_usd: 0.25 }] }
  delete p_run.team_id
  same(good(await bob.db.rpc('push_eval_run', { p_team: team, p_run })), { id: p_run.id, duplicate: false })
  same(good(await bob.db.rpc('push_eval_run', { p_team: team, p_run })), { id: p_run.id, duplicate: true })
  // The ids of cases are the server's: those that their names have.
  same(good(await ada.db.from('eval_results').select('repeat_no,status').eq('run_id', p_run.id).order('status')),
    [{ repeat_no: 0, status: 0 }, { repeat_no: 0, status: 1 }, { repeat_no: 1, status: 3 }])
  same(good(await ada.db.from('eval_payloads').select('payload').eq('run_id', p_run.id)), [{ payload: { response: 'x' } }])
  bad(await eve.db.rpc('push_eval_run', { p_team: team, p_run: { ...p_run, id: randomUUID(), ingest_key: `other-${stamp}-000000` } }), '42501', 403)
})

// ---- members
await check('the last owner stays', async () => {
  bad(await ada.db.from('team_members').delete().eq('team_id', team).eq('user_id', ada.id), '23514', 400)
  bad(await ada.db.from('team_members').update({ role: 'member' }).eq('team_id', team).eq('user_id', ada.id), '23514', 400)
})
await check('members do not promote themselves', async () => {
  same(good(await bob.db.from('team_members').update({ role: 'owner' }).eq('user_id', bob.id).eq('team_id', team).select()), [])
  bad(await bob.db.from('team_members').insert({ team_id: other, user_id: bob.id, role: 'owner' }), '42501', 403)
  bad(await bob.db.from('teams').insert({ name: 'x', slug: 'x' }), '42501', 403)
})
await check('an admin is no owner', async () => {
  good(await ada.db.from('team_members').update({ role: 'admin' }).eq('team_id', team).eq('user_id', bob.id), 204)
  bad(await bob.db.from('team_members').update({ role: 'owner' }).eq('team_id', team).eq('user_id', bob.id), '42501', 403)
  same(good(await bob.db.from('team_members').delete().eq('team_id', team).eq('user_id', ada.id).select()), [])
  good(await ada.db.from('team_members').update({ role: 'member' }).eq('team_id', team).eq('user_id', bob.id), 204)
})
await check('an invitation counts once and only for its team', async () => {
  const { error } = await eve.db.rpc('accept_invite', { p_token: invitation })
  same(error.code, '42501')
  bad(await bob.db.rpc('invite_member', { p_team: team, p_email: 'x@example.test' }), '42501', 403)
  same(good(await bob.db.from('team_invites').select()), [])
  bad(await ada.db.from('team_invites').select('token_hash'), '42501', 403)
})

// ---- one team sees nothing of another
for (const t of ['teams', 'team_members', 'team_invites', 'eval_runs', 'eval_cases', 'eval_results', 'eval_payloads', 'eval_costs', 'eval_labels', 'daily_evals', 'daily_costs',
  'retro_snapshots', 'qa_reports', 'ship_logs', 'greptile_triage', 'session_transcripts', 'spend_days', 'sync_heartbeats']) {
  const column = t === 'teams' ? 'id' : 'team_id'
  await check(`nothing of another team: ${t}`, async () => {
    same(good(await eve.db.from(t).select(column === 'id' ? 'id' : 'team_id').eq(column, team)), [])
    same((await eve.db.from(t).select('*', { count: 'exact', head: true }).eq(column, team)).count ?? 0, 0)
  })
  await check(`nothing for strangers: ${t}`, async () => bad(await stranger.from(t).select(column), '42501', 401))
}
await check('no row into another team', async () => {
  bad(await runs(eve.db).insert(run()), '42501', 403)
  bad(await runs(ada.db).insert([run(), run({ team_id: other })]), '42501', 403)
  bad(await eve.db.from('eval_costs').insert({ team_id: other, run_id: a.id, model: 'm', run_at: a.run_at }), '23503', 409)
  bad(await eve.db.from('eval_costs').insert({ team_id: team, run_id: a.id, model: 'm2', run_at: a.run_at }), '42501', 403)
  bad(await eve.db.from('eval_results').insert({ team_id: other, run_id: a.id, run_at: a.run_at, case_id: 1, status: 0 }), '23503', 409)
})
await check('no row in another\'s name', async () => bad(await runs(bob.db).insert(run({ user_id: ada.id })), '42501', 403))
await check('no delete in another team', async () => same(good(await runs(eve.db).delete().eq('id', a.id).select('id')), []))
await check('no embedding of another team', async () => same(good(await eve.db.from('teams').select('id,eval_runs(id)')), [{ id: other, eval_runs: [] }]))
await check('or does not lead out', async () => same(good(await runs(eve.db).select('id').or('id.not.is.null,passed.gte.0')), []))
await check('transcripts are their author\'s and the admins\'', async () => {
  const t = { team_id: team, ingest_key: `tr-${stamp}-000000000`, repo_slug: 'web', session_id: `s-${stamp}`, messages: [{ role: 'user' }] }
  good(await bob.db.from('session_transcripts').insert(t), 201)
  same(good(await bob.db.from('session_transcripts').select('session_id').eq('session_id', t.session_id)).length, 1)
  same(good(await ada.db.from('session_transcripts').select('session_id').eq('session_id', t.session_id)).length, 1)
  good(await ada.db.from('session_transcripts').insert({ ...t, ingest_key: `tr-${stamp}-000000001`, session_id: `a-${stamp}` }), 201)
  same(good(await bob.db.from('session_transcripts').select('session_id').eq('session_id', `a-${stamp}`)), [])
})

// ---- tokens
const b64 = v => Buffer.from(typeof v === 'string' ? v : JSON.stringify(v)).toString('base64url')
const forge = (header, claims, secret) => {
  const body = `${b64(header)}.${b64(claims)}`
  return `${body}.${secret ? createHmac('sha256', secret).update(body).digest('base64url') : ''}`
}
const claims = { sub: ada.id, role: 'authenticated', aud: 'authenticated', exp: 4102444800 }
for (const [name, token] of [
  ['signed with another secret', forge({ alg: 'HS256', typ: 'JWT' }, claims, 'x'.repeat(40))],
  ['alg none', forge({ alg: 'none', typ: 'JWT' }, claims)],
  ['alg None, service role', forge({ alg: 'None', typ: 'JWT' }, { ...claims, role: 'service_role' })],
  ['signed with the public key', forge({ alg: 'HS256', typ: 'JWT' }, claims, anon)],
  ['alg RS256', forge({ alg: 'RS256', typ: 'JWT' }, claims, anon)],
  ['not a token', 'x.y.z'], ['nearly nothing', '...'],
]) await check(`forged token: ${name}`, async () => {
  const res = await fetch(`${url}/rest/v1/eval_runs?select=id`, { headers: { apikey: anon, authorization: `Bearer ${token}` } })
  same(res.status, 401)
  const body = await res.json()
  if (!/^PGRST30[0-3]$/.test(body.code)) throw new Error(JSON.stringify(body))
  const user = await fetch(`${url}/auth/v1/user`, { headers: { apikey: anon, authorization: `Bearer ${token}` } })
  same([user.status, (await user.json()).error_code], [403, 'bad_jwt'])
})
await check('the public key is nobody', async () => {
  bad(await runs(stranger).insert(run()), '42501', 401)
  bad(await stranger.rpc('create_team', { team_slug: 'x1', team_name: 'x' }), '42501', 401)
})
await check('the service key is everybody', async () => {
  same(good(await runs(admin).select('id').eq('id', a.id)).length, 1)
  good(await runs(admin).update({ label: 'by the service' }).eq('id', a.id), 204)
})

// ---- abuse
const raw = (path, init = {}) => fetch(url + path, { ...init, headers: { apikey: anon, authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers } })
const token = (await ada.auth.getSession()).data.session.access_token
for (const [name, path, init, status, code] of [
  ['no JSON', '/rest/v1/eval_runs', { method: 'POST', body: '{bad' }, 400, 'PGRST102'],
  ['another content type', '/rest/v1/eval_runs', { method: 'POST', body: '<x/>', headers: { 'content-type': 'application/xml' } }, 415, 'PGRST107'],
  ['a filter without an operator', '/rest/v1/eval_runs?passed=3', {}, 400, 'PGRST100'],
  ['an unknown operator', '/rest/v1/eval_runs?passed=zz.3', {}, 400, 'PGRST100'],
  ['an open parenthesis', '/rest/v1/eval_runs?or=(passed.eq.1', {}, 400, 'PGRST100'],
  ['a limit that is none', '/rest/v1/eval_runs?limit=x', {}, 400, 'PGRST100'],
  ['another method', '/rest/v1/eval_runs', { method: 'TRACE' }, 405, ''],
  ['another media type', '/rest/v1/eval_runs?select=id', { headers: { accept: 'image/png' } }, 406, 'PGRST107'],
]) await check(`abuse: ${name}`, async () => {
  if (init.method === 'TRACE') return // fetch refuses to send it
  const res = await raw(path, init)
  const body = await res.json()
  same([res.status, body.code], [status, code], JSON.stringify(body))
})
await check('abuse: a tree of 10,000 parentheses', async () => {
  const res = await raw(`/rest/v1/eval_runs?or=${'(and'.repeat(5000)}${')'.repeat(5000)}`)
  if (res.status < 400 || res.status >= 500) throw new Error(String(res.status))
})
await check('abuse: 40 MB', async () => {
  const res = await raw('/rest/v1/eval_runs', { method: 'POST', body: JSON.stringify({ label: 'x'.repeat(40 << 20) }) }).catch(() => ({ status: 413 }))
  same(res.status, 413)
})
await check('realtime, storage and functions are absent but polite', async () => {
  for (const path of ['/realtime/v1/websocket', '/storage/v1/bucket', '/functions/v1/x']) {
    const res = await fetch(url + path)
    same([res.status, typeof (await res.json()).message], [404, 'string'], path)
  }
  const { error } = await ada.db.storage.listBuckets()
  if (!error) throw new Error('buckets?')
})
await check('a team goes with all it has', async () => {
  good(await admin.from('teams').delete().eq('id', team), 204)
  for (const t of ['eval_runs', 'eval_results', 'eval_costs', 'daily_evals', 'team_members', 'qa_reports'])
    same((await admin.from(t).select('*', { count: 'exact', head: true }).eq('team_id', team)).count, 0, t)
})
process.exit(failed ? 1 : 0)

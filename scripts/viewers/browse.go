package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
	"cairn/test/soak"
)

var client = http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000, DisableCompression: true}, Timeout: 2 * time.Minute}

func ready(base string) bool {
	resp, err := client.Get(base + "/readyz")
	if err == nil {
		resp.Body.Close()
	}
	return err == nil && resp.StatusCode == http.StatusOK
}

// A session is a member of a team with an access token.
type session struct {
	team   *soak.Seeded
	person uuid.UUID
	token  string
}

// signIn makes a session for every member of every team.
func (b *bench) signIn(ctx context.Context, d *db.DB) {
	keys := must.Get(access.NewKeys([]byte(secret), b.url+"/auth/v1"))
	must.OK(d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		for i := range b.teams {
			for _, person := range b.teams[i].People {
				id := uuid.New()
				if _, err := tx.Exec(ctx, `insert into auth.sessions (id, user_id, method) values (?, ?, 'password')`, id, person); err != nil {
					return err
				}
				token, _, err := keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: person.String()}, Role: "authenticated", SessionID: id.String()})
				if err != nil {
					return err
				}
				b.sessions = append(b.sessions, session{&b.teams[i], person, token})
			}
		}
		return nil
	}))
}

// An asked is a page that somebody waited for.
type asked struct {
	view      string
	took      time.Duration
	unchanged bool
	failed    error
}

// browse lets so many viewers ask for pages, one after the other, while runs are pushed.
func (b *bench) browse(ctx context.Context, viewers int) {
	ctx, cancel := context.WithTimeout(ctx, b.long)
	defer cancel()
	var pushing sync.WaitGroup
	var pushed []asked
	pushing.Go(func() { pushed = b.pushEvery(ctx) })
	each := make([][]asked, viewers)
	var work sync.WaitGroup
	begin, before := time.Now(), b.cpu()
	for i := range viewers {
		work.Go(func() {
			v := viewer{session: b.sessions[(i*len(b.teams[0].People)+i/len(b.teams))%len(b.sessions)], base: b.url, random: rand.New(rand.NewPCG(uint64(i), 4)), tags: map[string]string{}}
			for ctx.Err() == nil {
				each[i] = append(each[i], v.page(ctx))
				look(ctx, time.Duration(v.random.Float64()*2*float64(b.pause)))
			}
		})
	}
	work.Wait()
	long, after := time.Since(begin), b.cpu()
	pushing.Wait()
	all := slices.DeleteFunc(slices.Concat(each...), func(a asked) bool { return a.view == "" })
	pages := map[string][]asked{}
	for _, a := range all {
		pages[a.view] = append(pages[a.view], a)
	}
	row(viewers, "all", all, long)
	for _, view := range slices.Sorted(maps.Keys(pages)) {
		row(viewers, view, pages[view], long)
	}
	if len(pushed) > 0 {
		row(viewers, "(a push of 100 cases)", pushed, long)
	}
	mean := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(max(1, len(all))) }
	fmt.Printf("| %d | (processor time of a page: server %.1f ms, database %.1f ms) | | | | | | |\n", viewers, mean(after.server-before.server), mean(after.database-before.database))
	for _, a := range slices.Concat(all, pushed) {
		if a.failed != nil {
			must.Fail(fmt.Errorf("%s: %w", a.view, a.failed))
		}
	}
}

// look waits, as somebody does who reads a page.
func look(ctx context.Context, long time.Duration) {
	select {
	case <-time.After(long):
	case <-ctx.Done():
	}
}

func row(viewers int, view string, all []asked, long time.Duration) {
	slices.SortFunc(all, func(x, y asked) int { return int(x.took - y.took) })
	at := func(part float64) string {
		return fmt.Sprintf("%.0f ms", float64(all[min(len(all)-1, int(part*float64(len(all))))].took.Microseconds())/1000)
	}
	unchanged, failed := 0, 0
	for _, a := range all {
		if a.unchanged {
			unchanged++
		}
		if a.failed != nil {
			failed++
		}
	}
	fmt.Printf("| %d | %s | %d | %.1f | %s | %s | %d | %d |\n", viewers, view, len(all), float64(len(all))/long.Seconds(), at(.5), at(.99), unchanged, failed)
}

// A viewer walks through pages with a filter, as somebody does who follows links.
type viewer struct {
	session
	base   string
	random *rand.Rand
	tags   map[string]string // ETags of the pages that were seen
}

// views are the pages of the navigation and, as often as one of them, what their links lead to.
var views = [...]string{"pulse", "velocity", "quality", "cost", "code", "people", "plans", "alerts", "freshness", "suite", "run", "case", "rows/runs"}

func (v *viewer) page(ctx context.Context) asked {
	one := func(list ...string) string { return list[v.random.IntN(len(list))] }
	view, q := one(views[:]...), url.Values{}
	switch view {
	case "suite":
		q.Set("suite", one(v.team.Suites...))
	case "run":
		q.Set("id", v.team.Runs[v.random.IntN(len(v.team.Runs))].String())
	case "case":
		q.Set("id", strconv.FormatInt(v.team.Cases[v.random.IntN(len(v.team.Cases))], 10))
	}
	for _, f := range [...][2]string{{"weeks", one("", "", "4", "26", "52", "104")}, {"repo", one(slices.Concat(v.team.Repos, []string{"", ""})...)}, {"branch", one("", "", "", "main")}, {"person", one("", "", "", v.person.String())}} {
		if f[1] != "" && view != "run" && view != "case" {
			q.Set(f[0], f[1])
		}
	}
	path := "/t/" + v.team.Slug + "/" + view + "?" + q.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.base+path, nil)
	if err != nil {
		return asked{view: view, failed: err}
	}
	r.Header.Set("Authorization", "Bearer "+v.token)
	if tag := v.tags[path]; tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	begin := time.Now()
	resp, err := client.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return asked{} // the time is over
		}
		return asked{view: view, failed: err}
	}
	n, err := io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	a := asked{view: view, took: time.Since(begin), unchanged: resp.StatusCode == http.StatusNotModified}
	switch {
	case ctx.Err() != nil:
		return asked{}
	case err != nil:
		a.failed = err
	case !a.unchanged && (resp.StatusCode != http.StatusOK || n < 1000):
		a.failed = fmt.Errorf("%s: %d, %d bytes", path, resp.StatusCode, n)
	}
	v.tags[path] = resp.Header.Get("ETag")
	return a
}

// pushEvery pushes a run of 100 cases into a random team, again and again.
func (b *bench) pushEvery(ctx context.Context) (all []asked) {
	if b.every == 0 {
		return nil
	}
	random := rand.New(rand.NewPCG(3, 4))
	for tick := time.Tick(b.every); ; {
		select {
		case <-ctx.Done():
			return all
		case <-tick:
		}
		s := b.sessions[random.IntN(len(b.sessions))]
		body, _ := json.Marshal(aRun(s.team, random))
		r, _ := http.NewRequest(http.MethodPost, b.url+wire.PushEvalRun, bytes.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+s.token)
		r.Header.Set("Content-Type", "application/json")
		a := asked{view: "push"}
		begin := time.Now()
		resp, err := client.Do(r)
		if a.failed = err; err == nil {
			text, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				a.failed = fmt.Errorf("%d %s", resp.StatusCode, text)
			}
		}
		a.took = time.Since(begin)
		all = append(all, a)
	}
}

func aRun(t *soak.Seeded, random *rand.Rand) wire.EvalPush {
	run := wire.EvalRun{RunAt: time.Now(), IngestKey: "viewed-" + uuid.NewString(), RepoSlug: t.Repos[random.IntN(len(t.Repos))], Branch: "main", Label: "main",
		Suite: t.Suites[random.IntN(len(t.Suites))], TotalTests: 100, TotalCostUSD: 0.4, Costs: []wire.EvalCost{{Model: "model-0", Calls: 100, InputTokens: 40_000, EstimatedCostUSD: 0.4}}}
	run.ID = wire.RunID(t.ID, run.IngestKey)
	for n := range 100 {
		name := soak.CaseName(n)
		one := wire.EvalResult{CaseID: wire.CaseID(run.RepoSlug, run.Suite, name, "")}
		if random.IntN(10) == 0 {
			one.Status = 1
			run.Failed++
		} else {
			run.Passed++
		}
		run.Cases = append(run.Cases, wire.EvalCase{ID: one.CaseID, Suite: run.Suite, Name: name})
		run.Results = append(run.Results, one)
	}
	return wire.EvalPush{Team: t.ID, Run: run}
}

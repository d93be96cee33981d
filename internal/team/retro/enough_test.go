package retro

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/test/cairntest"
)

// What is read of a long history for one week gives the same as all of it.
func TestEnoughIsRead(t *testing.T) {
	cairntest.Long(t)
	b := build(t)
	at := day("2025-01-01")
	for i := range 7000 {
		at = at.Add(2 * time.Hour)
		if i == 4000 { // a day without work: here the streak begins
			at = at.AddDate(0, 0, 2)
		}
		when := fmt.Sprintf("%d +0000", at.Unix())
		if i%500 == 499 { // a clock that was wrong
			when = "100000000 +0000"
		}
		b.add(made{who: []string{ada, bob, zoë}[i%3], at: when, message: "x", root: i == 0, files: []string{fmt.Sprintf("f%d=%d\n", i%50, i)}})
	}
	dir := b.end()
	for i, back := range []int{6900, 6500, 20} { // the last two are older than what is read
		t.Setenv("GIT_COMMITTER_DATE", fmt.Sprintf("2025-0%d-02T00:00:00Z", 3-i))
		run(t, dir, "tag", "-m", "x", fmt.Sprintf("v1.%d", 9-i), fmt.Sprintf("main~%d", back))
	}
	run(t, dir, "checkout", "-q", "--orphan", "apart")
	t.Setenv("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z")
	run(t, dir, "commit", "-q", "-m", "apart")
	for i := range fewTags + 3 {
		run(t, dir, "tag", fmt.Sprintf("v8.%d", i))
	}
	ctx := context.Background()
	o := Options{Dir: dir, Rev: "main"}
	weeks, err := Weeks(ctx, o, at, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := weeks[len(weeks)-1]
	p := endingWith(day(want.Date), 7, time.UTC)
	h, err := read(ctx, o, enoughFor(p))
	if err != nil || !h.part || len(h.commits) > 5000 {
		t.Fatalf("%d commits were read, %v", len(h.commits), err)
	}
	got, err := h.measure(ctx, []period{p})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(got[0], json.Deterministic(true))
	all, _ := json.Marshal(want, json.Deterministic(true))
	if string(a) != string(all) {
		t.Errorf("in part\n%s\nof all\n%s", a, all)
	}
	if want.StreakDays < 240 || len(want.VersionRange) != 2 || want.VersionRange[0] != "v1.9" {
		t.Errorf("streak %d, versions %v", want.StreakDays, want.VersionRange)
	}
}

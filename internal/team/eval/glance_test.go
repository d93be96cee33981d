package eval

import (
	"testing"

	"cairn/internal/team/result"
)

// What a glance sees is what Load reads.
func TestGlance(t *testing.T) {
	s := Open(t.TempDir())
	run := &result.Run{SchemaVersion: 1, Suite: "s", Results: []result.Result{
		{Name: "a", Variant: "x", Output: []byte(`{"response":"r"}`)}, {Name: "b", Suite: "other", CaseID: "7", X: []byte(`{"status2":"pass"}`)}, {Name: "b", Suite: "other", CaseID: "7", Attempt: 2}}}
	for i, status := range []result.Status{result.Pass, result.Error, result.Fail} {
		run.Results[i].Set(status)
	}
	run.Derive()
	e, _, err := s.Put(run)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := s.Glance(e)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := s.Load(e)
	if err != nil || len(seen.Results) != len(loaded.Results) {
		t.Fatal(err, len(seen.Results))
	}
	for i := range seen.Results {
		a, b := &seen.Results[i], &loaded.Results[i]
		if seen.Key(a) != loaded.Key(b) || a.Status != b.Status || a.Passed != b.Passed {
			t.Errorf("%+v, loaded %+v", a, b)
		}
	}
}

func BenchmarkGlance(b *testing.B) {
	s := Open(b.TempDir())
	run := &result.Run{SchemaVersion: 1, Suite: "s"}
	for range 10_000 {
		r := result.Result{Name: "a case", Output: []byte(`{"response":"your order is on its way, and so on and so forth, as answers are"}`), X: []byte(`{"input":"where is my order, which I paid last week?","prompt":"You are a shop's assistant. Answer in two sentences."}`), JudgeScores: map[string]float64{"accuracy": .9}}
		r.Set(result.Pass)
		run.Results = append(run.Results, r)
	}
	run.NumberAttempts()
	run.Derive()
	e, _, err := s.Put(run)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("glance", func(b *testing.B) {
		for b.Loop() {
			_, _ = s.Glance(e)
		}
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			_, _ = s.Load(e)
		}
	})
}

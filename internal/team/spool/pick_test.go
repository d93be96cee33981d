package spool

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// Only what is wanted is claimed, and what is not tried is put back as it was.
func TestPick(t *testing.T) {
	s, _ := open(t)
	s.URL, s.Team = "https://a.example", "acme"
	put(t, s, "1")
	s.URL = "https://b.example"
	id := put(t, s, "2")
	list, err := s.Pick(Pick{Limit: 5, Now: noon, Wants: func(r Record) bool { return r.URL == "https://b.example" && r.Body == nil }})
	if err != nil || len(list) != 0 { // the second look has the body
		t.Errorf("%v, %v", list, err)
	}
	pick := Pick{Limit: 5, Now: noon, Wants: func(r Record) bool { return r.ID == id && r.Team == "acme" }}
	if list, err = s.Pick(pick); err != nil || len(list) != 1 || list[0].URL != "https://b.example" {
		t.Fatalf("%v, %v", list, err)
	}
	if err := list[0].Release(); err != nil {
		t.Error(err)
	}
	status(t, s, 2, 0, 0)
	list, _ = s.Pick(pick)
	if err := list[0].Retry(errors.New("busy"), 0); err != nil {
		t.Error(err)
	}
	if list, _ = s.Pick(pick); len(list) != 0 {
		t.Error("its time had not come")
	}
	pick.Early = true
	if list, _ = s.Pick(pick); len(list) != 1 || list[0].Attempts != 1 {
		t.Errorf("%v", list)
	}
}

func TestRefusals(t *testing.T) {
	s, _ := open(t)
	if list, err := s.Refusals(); list != nil || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	s.URL = "https://a.example"
	id := put(t, s, "1")
	if err := claim(t, s, noon, 1)[0].Refuse("403: no"); err != nil {
		t.Fatal(err)
	}
	list, err := s.Refusals()
	if err != nil || len(list) != 1 || list[0].ID != id || list[0].Kind != "eval_run" || list[0].URL != "https://a.example" ||
		list[0].Reason != "403: no" || time.Since(list[0].At) > time.Hour || !strings.HasSuffix(list[0].File, id+suffix) {
		t.Errorf("%+v, %v", list, err)
	}
}

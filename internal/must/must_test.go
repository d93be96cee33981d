package must_test

import (
	"errors"
	"testing"

	"cairn/internal/must"
)

func TestCatch(t *testing.T) {
	wrong := errors.New("wrong")
	went := false
	err := must.Catch(func() {
		if must.Get(3, nil) != 3 {
			t.Error("Get changed the value")
		}
		must.Get2("a", "b", wrong)
		went = true
	})
	if err != wrong || went {
		t.Errorf("%v, went on: %v", err, went)
	}
	if err := must.Catch(func() { must.OK(nil) }); err != nil {
		t.Error(err)
	}
}

func TestCatchLeavesOtherPanics(t *testing.T) {
	defer func() {
		if p := recover(); p != "another" {
			t.Error(p)
		}
	}()
	_ = must.Catch(func() { panic("another") })
}

package compact

import (
	"strings"
	"testing"
)

// Of failed examples whose failures are shown one command is left that runs all.
func TestRSpecRunsAgain(t *testing.T) {
	fail := func(n, title, at string) string {
		return "  " + n + ") " + title + "\n     Failure/Error: expect(pot).to be_full\n       expected: true\n            got: " + n + "\n     # ./spec/" + at + ":in `block (2 levels) in <top (required)>'\n\n"
	}
	in := "FFFF\n\nFailures:\n\n" + fail("1", "Pot is full", "pot_spec.rb:4") + fail("2", "Pot is warm", "pot_spec.rb:9") + fail("3", "Cup holds", "cup_spec.rb:7") + fail("4", "Mug holds", "mug_spec.rb:3") + fail("5", "Mug tips", "mug_spec.rb:9") +
		"Finished in 0.1 seconds (files took 0.2 seconds to load)\n4 examples, 4 failures\n\nFailed examples:\n\n" +
		"rspec ./spec/pot_spec.rb:3 # Pot is full\nrspec ./spec/pot_spec.rb:8 # Pot is warm\nrspec ./spec/cup_spec.rb:6 # Cup holds\nrspec './spec/lid_spec.rb[1:2]' # Lid fits\nrspec ./spec/mug_spec.rb[1:1] # Mug holds\nrspec ./spec/mug_spec.rb[1:3] # Mug tips\n\nRandomized with seed 3\n"
	got := reduce("bundle exec rspec", in).Reduced
	if !strings.HasSuffix(got, "\n4 examples, 4 failures\nrspec ./spec/pot_spec.rb:3:8 ./spec/cup_spec.rb:6 ./spec/mug_spec.rb[1:1,1:3]\nrspec './spec/lid_spec.rb[1:2]' # Lid fits\n") {
		t.Error(got)
	}
	if l := invented(in, got); l != "" {
		t.Errorf("invented %q", l)
	}
}

// What a failure of Ruby says twice: short values and their diff, the code that a
// frame has the place of.
func TestRubySaidTwice(t *testing.T) {
	got := reduce("bundle exec rspec", `F

Failures:

  1) Pot lists
     Failure/Error: expect(pot.teas).to eq [:mint, :ash]

       expected: [:mint, :ash]
            got: [:mint]

       (compared using ==)

       Diff:
       @@ -1 +1 @@
       -[:mint, :ash]
       +[:mint]

     # ./spec/pot_spec.rb:4:in `+"`block (2 levels) in <top (required)>'"+`

  2) Pot pours
     Failure/Error: water.first.pour

     NoMethodError:
       undefined method `+"`first' for nil:NilClass"+`

           water.first.pour
                ^^^^^^
     # ./lib/pot.rb:9:in `+"`pour'"+`

Finished in 0.1 seconds (files took 0.2 seconds to load)
2 examples, 2 failures
`+strings.Repeat("\n", 40)).Reduced
	for _, w := range []string{"expected: [:mint, :ash]", "got: [:mint]", "pot_spec.rb:4", "undefined method `first'", "lib/pot.rb:9"} {
		if !strings.Contains(got, w) {
			t.Errorf("lost %q", w)
		}
	}
	for _, w := range []string{"Diff:", "@@", "^^^"} {
		if strings.Contains(got, w) {
			t.Errorf("kept %q:\n%s", w, got)
		}
	}
}

// A result of a test of minitest comes out once.
func TestMinitestResultOnce(t *testing.T) {
	got := reduce("rake test", "# Running:\n\n"+strings.Repeat("PotTest#test_fits = 0.00 s = .\n", 30)+"PotTest#test_pours = 0.00 s = E\n\nFinished in 0.1s, 1 runs/s.\n\n  1) Error:\nPotTest#test_pours:\nNoMethodError: undefined method `x'\n    lib/pot.rb:3:in `pour'\n\n31 runs, 30 assertions, 0 failures, 1 errors, 0 skips\n").Reduced
	if strings.Count(got, "s = E") != 1 || strings.Contains(got, "fits") {
		t.Error(got)
	}
}

package compact

import "testing"

func TestUnruled(t *testing.T) {
	for in, want := range map[string]string{
		"=========== FAILURES ===========\n": "FAILURES\n",
		"=== 1 failed in 0.1s ====\n":        "1 failed in 0.1s\n",
		"=== RUN   TestA\n":                  "=== RUN   TestA\n",
		"== x ==\n":                          "== x ==\n",
		"=======\n":                          "=======\n",

		"______ test_x[a - b] _______\n":                      "_ test_x[a - b] _\n",
		"_ test_with_a_name_of_the_whole_width_of_a_line _\n": "_ test_with_a_name_of_the_whole_width_of_a_line _\n",
		"⎯⎯⎯⎯⎯⎯ Unhandled Error ⎯⎯⎯⎯⎯⎯\n":                     "⎯ Unhandled Error ⎯\n",
		"  1) a.spec.ts:3:5 › adds ─────────────────────":     "  1) a.spec.ts:3:5 › adds",
		"------------------------\n":                          "------------------------\n",
		"----- x\n":                                           "----- x\n",
		"_______init_______\n":                                "_______init_______\n",
		"-----BEGIN CERTIFICATE-----\n":                       "-----BEGIN CERTIFICATE-----\n",
		"    # ------ section ------\n":                       "    # ------ section ------\n",
		"\n":                                                  "\n",
	} {
		if got := unruled(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
		if !Shows(want, in) {
			t.Errorf("%q does not show %q", want, in)
		}
	}
}

package record

import "testing"

const rspecRunOutput = `Randomized with seed 4711

Cart
  #total
    adds up
    rounds (FAILED - 1)
    is zero (PENDING: Not yet implemented)
Using the old API

Pending: (Failures listed here are expected and do not affect your suite's status)

  1) Cart#total is zero
     # Not yet implemented
     # ./spec/cart_spec.rb:3

Failures:

  1) Cart#total rounds
     Failure/Error: price.round

     NoMethodError:
       undefined method ` + "`round'" + ` for nil:NilClass
     # ./lib/price.rb:9:in ` + "`round'" + `
     # ./lib/cart.rb:4:in ` + "`total'" + `
     # /usr/lib/ruby/gems/3.1.0/gems/x-1.0/lib/x.rb:3:in ` + "`call'" + `
     # ./lib/cart.rb:2:in ` + "`each'" + `
     # ./spec/cart_spec.rb:12:in ` + "`block (3 levels) in <top (required)>'" + `

Top 10 slowest examples (0.01 seconds, 50.0% of total time):
  Cart#total adds up
    0.01 seconds ./spec/cart_spec.rb:5

Finished in 0.02 seconds (files took 0.1 seconds to load)
3 examples, 1 failure, 1 pending

Failed examples:

rspec ./spec/cart_spec.rb:11 # Cart#total rounds

Deprecation Warnings:

Using ` + "`should`" + ` is deprecated. Called from /home/dev/shop/spec/cart_spec.rb:5.


If you need more of the backtrace for any of these deprecations to
identify where to make the necessary changes, you can configure
` + "`config.raise_errors_for_deprecations!`" + `, and it will turn the
deprecation warnings into errors, giving you the full backtrace.

1 deprecation warning total
`

func TestRSpec(t *testing.T) {
	want := `  1) Cart#total rounds
     Failure/Error: price.round
     NoMethodError:
       undefined method ` + "`round'" + ` for nil:NilClass
     # ./lib/price.rb:9:in ` + "`round'" + `
     # ./lib/cart.rb:4:in ` + "`total'" + `
     # ./spec/cart_spec.rb:12:in ` + "`block (3 levels) in <top (required)>'" + `
3 examples, 1 failure, 1 pending
rspec ./spec/cart_spec.rb:11
Using ` + "`should`" + ` is deprecated. Called from /home/dev/shop/spec/cart_spec.rb:5.
1 deprecation warning total
`
	rs := parse(t, "rspec", rspecRunOutput)
	if got := kept(rs); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	body := ""
	for _, r := range rs {
		if r.Class == Body {
			body += r.Lines[0].Text + "\n"
		}
	}
	if body != "Using the old API\n" {
		t.Errorf("ordinary text is %q", body)
	}
	scramble(t, "rspec", rspecRunOutput)
}

func TestRSpecLoadErrors(t *testing.T) {
	in := `
An error occurred while loading ./spec/a_spec.rb.
Failure/Error: require "gone"

LoadError:
  cannot load such file -- gone
# ./lib/a.rb:1:in ` + "`<top (required)>'" + `
# ./spec/a_spec.rb:1:in ` + "`<top (required)>'" + `
No examples found.

Finished in 0.00006 seconds (files took 0.1 seconds to load)
0 examples, 0 failures, 1 error occurred outside of examples
`
	want := `Failure/Error: require "gone"
LoadError:
  cannot load such file -- gone
# ./lib/a.rb:1:in ` + "`<top (required)>'" + `
# ./spec/a_spec.rb:1:in ` + "`<top (required)>'" + `
0 examples, 0 failures, 1 error occurred outside of examples
`
	if got := kept(parse(t, "rspec", in)); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestMinitest(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", `Run options: --seed 29449

# Running:

FE.S

Finished in 0.002579s, 3489.2688 runs/s, 3489.2688 assertions/s.

  1) Failure:
TestCart#test_total [test/test_cart.rb:16]:
Expected: 1
  Actual: 2

  2) Error:
TestCart#test_price:
NoMethodError: undefined method ` + "`fetch'" + ` for nil:NilClass
    lib/price.rb:3:in ` + "`price'" + `
    /usr/lib/ruby/gems/3.1.0/gems/x-1.0/lib/x.rb:3:in ` + "`call'" + `
    test/test_cart.rb:20:in ` + "`test_price'" + `

  3) Skipped:
TestCart#test_label [test/test_cart.rb:46]:
no printer

4 runs, 3 assertions, 1 failures, 1 errors, 1 skips
`, `  1) Failure:
TestCart#test_total [test/test_cart.rb:16]:
Expected: 1
  Actual: 2

  2) Error:
TestCart#test_price:
NoMethodError: undefined method ` + "`fetch'" + ` for nil:NilClass
    lib/price.rb:3:in ` + "`price'" + `
    test/test_cart.rb:20:in ` + "`test_price'" + `

4 runs, 3 assertions, 1 failures, 1 errors, 1 skips
`},
		{"rails", `Running 2 tests in a single process (parallelization threshold is 50)
..F

Failure:
CartTest#test_total [test/models/cart_test.rb:6]:
Expected false to be truthy.


bin/rails test test/models/cart_test.rb:5

.

Finished in 0.1s, 1 runs/s, 1 assertions/s.
2 runs, 2 assertions, 1 failures, 0 errors, 0 skips
`, `Failure:
CartTest#test_total [test/models/cart_test.rb:6]:
Expected false to be truthy.


bin/rails test test/models/cart_test.rb:5
2 runs, 2 assertions, 1 failures, 0 errors, 0 skips
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := kept(parse(t, "minitest", tt.in)); got != tt.want {
				t.Errorf("got:\n%swant:\n%s", got, tt.want)
			}
			scramble(t, "minitest", tt.in)
		})
	}
}

func TestMinitestDeprecated(t *testing.T) {
	rs := parse(t, "minitest", `# Running:

A#test_1 = DEPRECATED: global use of must_equal from test/a.rb:3. Use _(obj).must_equal instead. This will fail in Minitest 6.
DEPRECATED: global use of must_equal from test/a.rb:4. Use _(obj).must_equal instead. This will fail in Minitest 6.
0.00 s = .
.DEPRECATED: global use of must_be_nil from test/a.rb:9. Use _(obj).must_be_nil instead. This will fail in Minitest 6.
`)
	sites, passed := map[string][]string{}, 0
	for _, r := range rs {
		if r.Class == Warn {
			sites[r.Key] = append(sites[r.Key], r.Site)
		}
		if r.Count == "passed" {
			passed++
		}
	}
	if len(sites) != 2 || len(sites["DEPRECATED: global use of must_equal"]) != 2 || passed != 1 {
		t.Errorf("warnings %v, %d passed", sites, passed)
	}
}

package record

import "testing"

func TestRubyRaised(t *testing.T) {
	in := `booting
/app/lib/cart.rb:7:in ` + "`" + `total': line without a price (ArgumentError)
	from /usr/lib/ruby/3.1.0/set.rb:501:in ` + "`" + `each'
	from /app/lib/cart.rb:4:in ` + "`" + `map'
	from /app/bin/shop.rb:11:in ` + "`" + `<main>'
done
`
	recs := parse(t, "ruby", in)
	equal(t, shown(recs, Failure), "/app/lib/cart.rb:7:in `total': line without a price (ArgumentError)", "\tfrom /app/lib/cart.rb:4:in `map'", "\tfrom /app/bin/shop.rb:11:in `<main>'")
	equal(t, shown(recs, Body), "booting", "done")
	scramble(t, "ruby", in)
}

func TestBundlerNoise(t *testing.T) {
	for _, s := range []string{"/usr/lib/ruby/vendor_ruby/rubygems/ext/builder.rb:95:in", "`build_extensions'", "build_extensions'", "users on this machine."} {
		if !bundlerNoise(s) {
			t.Errorf("%q is kept", s)
		}
	}
	for _, s := range []string{"Could not find gem 'x'", "/app/lib/cart.rb:3:in `x'", "extconf failed, exit code 1", "can't"} {
		if bundlerNoise(s) {
			t.Errorf("%q is dropped", s)
		}
	}
}

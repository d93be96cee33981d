package command

import (
	"context"
	"slices"
	"testing"
)

// A value from elsewhere is read and checked as one of the line is.
func TestFill(t *testing.T) {
	t.Parallel()
	above := &Command{Path: "serve", Local: true, Flags: []Flag{{Name: "data", Default: "here"}}}
	c := &Command{Path: "serve audit", Flags: []Flag{
		{Name: "limit", Default: 200, Min: 1}, {Name: "format", Default: "text", OneOf: []string{"text", "json"}},
		{Name: "proxy", Default: []string(nil), Commas: true}, {Name: "signup", Default: false},
	}}
	Link([]*Command{above, c})
	call := NewCall(context.Background(), &Env{}, c, nil, nil)
	if call.Has("data") {
		t.Error("the flags of a command with Local are another's, too")
	}
	for flag, tt := range map[string]struct {
		values []string
		err    string
	}{
		"limit":  {[]string{"0"}, "must be 1 or more, not 0"},
		"format": {[]string{"xml"}, `must be text or json, not "xml"`},
		"signup": {[]string{"maybe"}, `must be true or false, not "maybe"`},
	} {
		if err := call.Fill(flag, tt.values...); err == nil || err.Error() != tt.err {
			t.Errorf("%s: %v, not %s", flag, err, tt.err)
		}
	}
	if err := call.Fill("limit", "1", "2"); err == nil || err.Error() != "must be one value" {
		t.Error(err)
	}
	for flag, values := range map[string][]string{"limit": {"7"}, "proxy": {"a,b", "c"}, "signup": {"true"}} {
		if err := call.Fill(flag, values...); err != nil {
			t.Errorf("%s: %v", flag, err)
		}
	}
	if call.Int("limit") != 7 || !slices.Equal(call.List("proxy"), []string{"a", "b", "c"}) || !call.Bool("signup") || call.String("format") != "text" || call.Given("limit") {
		t.Errorf("%d, %v, %v, %s", call.Int("limit"), call.List("proxy"), call.Bool("signup"), call.String("format"))
	}
}

package record

import "testing"

func TestGH(t *testing.T) {
	in := "title:\tTotals\nstate:\tOPEN\nprojects:\t\n--\n<!-- how was it\ntested -->\ntext\nbuild\tpass\t1m12s\thttps://example.com/1\t\nlint\tfail\t38s\thttps://example.com/2\t\nGraphQL: Could not resolve to a PullRequest\n"
	recs := parseCut(t, "gh", in)
	equal(t, shown(recs, Keep), "title:\tTotals", "state:\tOPEN", "build\tpass", "lint\tfail\t38s\thttps://example.com/2\t")
	equal(t, shown(recs, Failure), "GraphQL: Could not resolve to a PullRequest")
	equal(t, shown(recs, Body), "--", "text")
}

func TestJournalFields(t *testing.T) {
	in := `{"__CURSOR":"s=1","MESSAGE":"a \"b\"","PRIORITY":"3","__REALTIME_TIMESTAMP":"17952043","_PID":"1"}`
	if got, want := journalFields(in), `"__REALTIME_TIMESTAMP":"17952043" "PRIORITY":"3" "MESSAGE":"a \"b\""`; got != want {
		t.Errorf("got %s", got)
	}
	if got := journalFields(`{"level":"info"}`); got != `{"level":"info"}` {
		t.Errorf("got %s", got)
	}
	if logLevel(in) != Failure {
		t.Error("priority 3 is no error")
	}
}

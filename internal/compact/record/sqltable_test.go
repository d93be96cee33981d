package record

import (
	"fmt"
	"strings"
	"testing"
)

// lossy parsers take padding out, so their lines are read without parse.
func texts(parser, in string, classes ...Class) []string {
	var out []Record
	p := New(parser)
	emit := func(r Record) { out = append(out, r) }
	for i, s := range strings.Split(strings.TrimSuffix(in, "\n"), "\n") {
		p.Line(Line{N: i, Text: s}, emit)
	}
	p.Close(emit)
	return shown(out, classes...)
}

func TestSQLTable(t *testing.T) {
	var b strings.Builder
	b.WriteString(" id |  name   | note \n----+---------+------\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  %d | ship %d |    \n", i, i)
	}
	b.WriteString("(40 rows)\n\n")
	got := texts("sqltable", b.String(), Keep)
	if len(got) != 1+40+1 || got[0] != "id | name | note" || got[1] != "0 | ship 0" || got[len(got)-2] != "39 | ship 39" || got[len(got)-1] != "(40 rows)" {
		t.Errorf("got %q", got)
	}
}

func TestSQLErrors(t *testing.T) {
	in := `BEGIN
psql:x.sql:4: ERROR:  duplicate key value
DETAIL:  Key (id)=(1) already exists.
NOTICE:  relation "a" already exists, skipping
ROLLBACK
+----+------+
| id | name |
+----+------+
|  1 | x    |
+----+------+
1 row in set (0.00 sec)
ERROR 1064 (42000): You have an error in your SQL syntax
`
	equal(t, texts("sqltable", in, Failure), "psql:x.sql:4: ERROR:  duplicate key value", "DETAIL:  Key (id)=(1) already exists.", "ERROR 1064 (42000): You have an error in your SQL syntax")
	equal(t, texts("sqltable", in, Warn), `NOTICE:  relation "a" already exists, skipping`)
	equal(t, texts("sqltable", in, Keep), "BEGIN", "ROLLBACK", "| id | name |", "| 1 | x |", "1 row in set (0.00 sec)")
	equal(t, texts("sqltable", in, Body))
}

// Of a script what each statement said is told once, and an error that comes
// again by its lines.
func TestSQLScript(t *testing.T) {
	aborted := "ERROR:  current transaction is aborted, commands ignored until end of transaction block\n"
	recs := parse(t, "sqltable", "BEGIN\nCREATE TABLE\nCREATE TABLE\nDELETE 0\nDELETE 5000\npsql:x.sql:4: ERROR:  no such column\nLINE 1: SELECT x\n               ^\npsql:x.sql:5: "+aborted+"psql:x.sql:6: "+aborted+"ROLLBACK\n")
	var said []string
	for _, r := range recs {
		said = append(said, r.Key+" "+r.Site)
	}
	aborted = strings.TrimSuffix(strings.TrimPrefix(aborted, "ERROR:  "), "\n")
	equal(t, said, "BEGIN ", "CREATE TABLE ", "CREATE TABLE ", "DELETE 0 ", "DELETE 5000 ", "no such column x.sql:4", aborted+" x.sql:5", aborted+" x.sql:6", "ROLLBACK ")
	equal(t, shown(parse(t, "sqltable", "SET\nUPDATED the shelf\n"), Keep), "SET")
}

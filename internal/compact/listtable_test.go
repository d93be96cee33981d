package compact

import (
	"fmt"
	"strings"
	"testing"
)

// What every row of a table says stands in its header.
func TestColumnsThatSayTheSame(t *testing.T) {
	var b strings.Builder
	b.WriteString("Package   Current   Wanted   Latest   Location                  Depended by\n")
	for i := range 9 {
		fmt.Fprintf(&b, "lib-%d     1.%d.0     1.%d.0    2.0.%d    node_modules/lib-%d        my app\n", i, i, i+1, i, i)
	}
	out := reduce("npm outdated", b.String()).Reduced
	for _, want := range []string{"Package  Current  Wanted  Latest  [… all rows: Location=node_modules/<Package>, Depended by=my app …]\n", "lib-3  1.3.0  1.4.0  2.0.3\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
	// One row that differs, an empty cell, or no header: the columns stay.
	for _, odd := range []string{
		strings.Replace(b.String(), "node_modules/lib-4        my app", "node_modules/other        an app", 1),
		strings.Replace(b.String(), "2.0.4 ", "      ", 1),
		b.String()[strings.Index(b.String(), "\n")+1:],
	} {
		if out := reduce("npm outdated", odd).Reduced; strings.Contains(out, "all rows") || !strings.Contains(out, "node_modules/lib-3") {
			t.Errorf("columns are left out:\n%s", out)
		}
	}
}

// The same of what a database prints, where cells may be empty.
func TestColumnsOfSQL(t *testing.T) {
	var psql, mysql strings.Builder
	psql.WriteString(" id |  name   | kind | note | owner \n----+---------+------+------+-------\n")
	mysql.WriteString("+----+---------+------+\n| id | name    | kind |\n+----+---------+------+\n")
	for i := range 12 {
		note := []string{"", "odd"}[i/11]
		fmt.Fprintf(&psql, " %2d | thing %d |      | %4s | root\n", i, i*i, note)
		fmt.Fprintf(&mysql, "| %2d | thing %d | leaf |\n", i, i*i)
	}
	psql.WriteString("(12 rows)\n")
	mysql.WriteString("+----+---------+------+\n12 rows in set (0.00 sec)\n")
	out := reduce("psql -c 'select * from t'", psql.String()).Reduced
	for _, want := range []string{"id | name | note  [… all rows: kind='', owner=root …]\n", "\n3 | thing 9\n", "11 | thing 121 | odd\n", "(12 rows)"} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
	if out := reduce("mysql -e 'select * from t'", mysql.String()).Reduced; !strings.Contains(out, "id | name  [… all rows: kind=leaf …]\n") || !strings.Contains(out, "\n3 | thing 9\n") {
		t.Errorf("of mysql:\n%s", out)
	}
}

// Of rows sorted by a figure the largest are shown first of all.
func TestSortedRowsKeepTheLargest(t *testing.T) {
	var up, down strings.Builder
	for i := range 900 {
		fmt.Fprintf(&up, "%d\t./lib/module%d/a-name-of-some-length.c\n", (i+1)*(i+1), i)
		fmt.Fprintf(&down, "%d\t./lib/module%d/a-name-of-some-length.c\n", (900-i)*(900-i), i)
	}
	for i, out := range []string{reduce("du -a | sort -n", up.String()).Reduced, reduce("du -a | sort -rn", down.String()).Reduced} {
		for _, n := range []int{900, 880, 860, 1} {
			if !strings.Contains(out, fmt.Sprintf("\n%d\t./", n*n)) {
				t.Errorf("%d: the row of %d is not shown", i, n)
			}
		}
	}
}

// What all objects of a namespace say is told once.
func TestWordsOfAllNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("NAMESPACE   NAME       READY   STATUS    RESTARTS   AGE\n")
	for i := range 20 {
		fmt.Fprintf(&b, "shop        web-%02d     1/1     Running   0          %dd\n", i, i)
		fmt.Fprintf(&b, "jobs        task-%02d    0/1     Completed   %d          %dd\n", i, i%3, i)
	}
	out := reduce("kubectl get pods -A", b.String()).Reduced
	if !strings.Contains(out, "shop ×20 [… all: 1/1 Running …]: web-00 0 0d, web-01 0 1d,") || !strings.Contains(out, "web-19 …\n") {
		t.Errorf("%s", out)
	}
	for i := range 20 {
		if !strings.Contains(out, fmt.Sprintf("task-%02d", i)) {
			t.Errorf("task-%02d is not named:\n%s", i, out)
		}
	}
}

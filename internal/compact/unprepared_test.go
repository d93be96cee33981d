package compact

import (
	"fmt"
	"strings"
	"testing"
)

// Of tools that no rule knows each place is told, also one in words; each test that failed
// keeps its name; a table of addresses is no log.
func TestUnprepared(t *testing.T) {
	var puppet, tidy, table strings.Builder
	var lines, spots, rows []string
	for i := range 30 {
		fmt.Fprintf(&puppet, "WARNING: unquoted file mode on line %d (check: unquoted_file_mode)\n", 3*i+2)
		fmt.Fprintf(&tidy, "line %d column 33 - Warning: discarding unexpected <foo>\n", i+7)
		row := fmt.Sprintf("%4d: 0100007F:%04X 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 58535%02d 1 00000000fabbe8%02x 100 0 0 10 0", i, 0x8AE0+i, i, i)
		table.WriteString(row + "\n")
		if i > 0 {
			lines, spots = append(lines, fmt.Sprint(3*i+2)), append(spots, fmt.Sprintf("%d:33", i+7))
		}
		rows = append(rows, row)
	}
	prove := "\n#   Failed test 'the oven is hot'\n#   at t/a.t line 25.\n#          got: '23'\n#     expected: '99'\n\n#   Failed test 'the cake is done'\n#   at t/a.t line 46.\n#          got: '44'\n#     expected: '99'\n" +
		"# Looks like you failed 2 tests of 60.\nt/a.t .. \nDubious, test returned 2 (wstat 512, 0x200)\nFailed 2/60 subtests \n\nTest Summary Report\n-------------------\nt/a.t (Wstat: 512 (exited 2) Tests: 60 Failed: 2)\n  Failed tests:  24, 45\n  Non-zero exit status: 2\nFiles=1, Tests=60,  2 wallclock secs\nResult: FAIL\n"
	for command, c := range map[string]struct {
		text string
		exit int
		want []string
	}{
		"puppet-lint site.pp": {puppet.String(), 1, []string{"line:" + strings.Join(lines, ",")}},
		"tidy -e index.html":  {tidy.String(), 1, []string{"line:" + strings.Join(spots, ",")}},
		"cat /proc/net/tcp":   {table.String(), 0, rows},
		"prove t":             {prove, 1, []string{"'the oven is hot'", "'the cake is done'", "got: '44'"}},
	} {
		res := Compact(Envelope{Command: command, CombinedText: c.text, ExitCode: &c.exit}, Options{Level: Normal})
		for _, want := range c.want {
			if !strings.Contains(res.Reduced, want) {
				t.Errorf("%s: %q is lost:\n%s", command, want, res.Reduced)
				break
			}
		}
	}
}

package doc

import "testing"

// What a person has to verify may stand in the frontmatter alone.
func TestHumanVerificationOfTheFrontmatter(t *testing.T) {
	v := ReadVerification(Parse([]byte("---\nstatus: human_needed\nhuman_verification:\n  - test: \"Look at it\"\n    expected: x\n  - plain words\n  - test: done\n    result: passed\n---\n\n# V\n")))
	if len(v.Human) != 2 || v.Human[0].Name != "Look at it" || v.Human[0].Line != 3 || v.Human[1].Name != "plain words" || v.Human[1].Line != 5 {
		t.Errorf("%+v", v.Human)
	}
}

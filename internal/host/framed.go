package host

import "strings"

// A framed text is the output of a tool with what the host says before and
// after it, which stays.
type framed struct{ before, text, after string }

// cutNote moves a last paragraph in parentheses out of the text: a remark of
// the host's about the output above it.
func (f *framed) cutNote() {
	i := strings.LastIndex(f.text, "\n\n(")
	if i >= 0 && strings.HasSuffix(f.text, ")") && !strings.Contains(f.text[i+2:], "\n") {
		f.text, f.after = f.text[:i], f.text[i:]+f.after
	}
}

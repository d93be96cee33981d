package record

import "strings"

// signing is what git log --show-signature says of commits: that of each stands
// behind its subject, in words that were the last commit's too only for short.
//
// Formats: gpg(1)'s "gpg: Good signature from …" with the lines around it,
// ssh-keygen(1)'s `Good "git" signature for …`, git's "No signature".
type signing struct {
	said string // of this commit
	last string // of the one before
}

const sameSignature = "signature as above"

// take reads a line of a commit's header, or reports that it says nothing of a
// signature.
func (p *signing) take(t string) bool {
	s := strings.TrimPrefix(t, "gpg: ")
	switch {
	case hasPrefix(s, "Good signature ", "BAD signature ", "Expired signature ", "Good \"git\" signature ", "No signature", "Can't check signature", "Could not verify signature", "No principal matched"):
		p.said = s
	case s == t && !hasPrefix(t, "gpgsm: ", "Primary key fingerprint: ", "Subkey fingerprint: "):
		return false
	}
	return true
}

// of is what is written behind a commit's subject.
func (p *signing) of() string {
	s := take(&p.said)
	switch {
	case s == "":
		return ""
	case s == p.last && len(s) > len(sameSignature):
		s = sameSignature
	default:
		p.last = s
	}
	return " [" + s + "]"
}

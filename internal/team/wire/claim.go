package wire

// NewOwner is the body of [Claim]: who has the token of a server's first start
// becomes its first user. The answer is a [Session].
type NewOwner struct {
	Token string `json:"token"`
	Email string `json:"email"`
}

// An Entry is the answer to [Enter].
type Entry struct {
	URL string `json:"url"` // works once, for five minutes; &next=/t/TEAM/VIEW may be added
}

package wire

// About answers Server.
type About struct {
	Name    string   `json:"name"` // cairn
	Version string   `json:"version"`
	SignIn  []string `json:"sign_in"`           // ways to: password, magiclink, invite, and names of providers
	Signup  bool     `json:"signup"`            // strangers may
	AnonKey string   `json:"anon_key,omitzero"` // the public key, for .cairn/team.json
}

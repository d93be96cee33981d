package query

// absentCommands are those that are left out on purpose: they say so, where
// an unknown command would look like a typing error.
var absentCommands = []command{
	{name: "scan-sessions", run: absent(noProfile), bare: true},
	{name: "extract-messages", run: absent(noProfile), bare: true},
	{name: "profile-sample", run: absent(noProfile), bare: true},
	{name: "profile-questionnaire", run: absent(noProfile), bare: true},
	{name: "write-profile", run: absent(noProfile), bare: true},
	{name: "generate-dev-preferences", run: absent(noProfile), bare: true},
	{name: "generate-claude-profile", run: absent(noProfile), bare: true},
	{name: "generate-claude-md", run: absent("CLAUDE.md is not generated from a plan"), bare: true},
	{name: "from-gsd2", run: absent("the files of .gsd/ are not known here; cairn plan init starts a plan"), bare: true},
}

const noProfile = "no profile of a person is made of their sessions"

func absent(why string) func(*call) (result, error) {
	return func(*call) (result, error) { return result{}, fail("unknown", "Not in cairn: %s", why) }
}

package query

// helpCommands is a function, because what it lists includes itself.
func helpCommands() []command {
	return []command{
		{name: "commands", run: listCommands, bare: true},
	}
}

func listCommands(*call) (result, error) { return data(names()), nil }

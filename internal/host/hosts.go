package host

// hosts are the rows, in the order to show them. A row stands in a file with
// its host's name, a fork beside what it is a fork of.
var hosts = [...]*Host{
	&claude,
	&codex,
	&gemini,
	&kilo,
	&opencode,
	&copilot,
	&cline,
	&cursor,
	&qwen,
	&windsurf,
	&augment,
	&antigravity,
	&trae,
	&hermes,
	&codebuddy,
}

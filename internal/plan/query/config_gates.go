package query

import "cairn/internal/plan/settings"

var configGateCommands = []command{
	{name: "check config-gates", run: checkConfigGates},
	{name: "check auto-mode", run: checkAutoMode},
}

// configGates are the members of `check config-gates` in its order; a key
// without a dot is one of workflow.
var configGates = []struct{ name, key string }{
	{"research_enabled", "research"},
	{"plan_checker_enabled", "plan_check"},
	{"nyquist_validation", "nyquist_validation"},
	{"security_enforcement", "security_enforcement"},
	{"security_asvs_level", "security_asvs_level"},
	{"security_block_on", "security_block_on"},
	{"ui_phase", "ui_phase"},
	{"ui_safety_gate", "ui_safety_gate"},
	{"ui_review", "ui_review"},
	{"text_mode", "text_mode"},
	{"auto_advance", "auto_advance"},
	{"auto_chain_active", "_auto_chain_active"},
	{"code_review", "code_review"},
	{"code_review_depth", "code_review_depth"},
	{"context_window", ""},
	{"discuss_mode", "discuss_mode"},
	{"use_worktrees", "use_worktrees"},
	{"skip_discuss", "skip_discuss"},
	{"max_discuss_passes", "max_discuss_passes"},
	{"node_repair", "node_repair"},
	{"research_before_questions", "research_before_questions"},
	{"verifier", "verifier"},
	{"plan_check", "plan_check"},
	{"subagent_timeout", "subagent_timeout"},
	{"context_coverage_gate", "context_coverage_gate"},
}

func checkConfigGates(c *call) (result, error) {
	s, err := c.settings()
	if err != nil {
		return result{}, err
	}
	o := object{{"workflow", orNull(c.arg(0))}}
	for _, g := range configGates {
		key := "workflow." + g.key
		if g.key == "" {
			key = g.name
		}
		v, _ := s.Value(key)
		o = o.with(g.name, v.Any)
	}
	return data(o), nil
}

func checkAutoMode(c *call) (result, error) {
	s, err := c.settings()
	if err != nil {
		return result{}, err
	}
	return data(autoMode(s)), nil
}

// autoMode tells whether steps follow one another without asking, and why.
func autoMode(s *settings.Settings) object {
	chain, advance := s.Bool("workflow._auto_chain_active"), s.Bool("workflow.auto_advance")
	source := "none"
	switch {
	case chain && advance:
		source = "both"
	case chain:
		source = "auto_chain"
	case advance:
		source = "auto_advance"
	}
	return object{
		{"active", chain || advance}, {"source", source}, {"auto_chain_active", chain}, {"auto_advance", advance},
	}
}

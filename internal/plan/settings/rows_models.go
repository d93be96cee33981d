package settings

func models() []*Row {
	return []*Row{
		row("model_overrides.*", Text, "", "The model of one agent, as its runtime names it."),
		enum("models.planning", "", "The tier of agents that plan.", tiers...),
		enum("models.discuss", "", "The tier of agents that discuss.", tiers...),
		enum("models.research", "", "The tier of agents that research.", tiers...),
		enum("models.execution", "", "The tier of agents that write code.", tiers...),
		enum("models.verification", "", "The tier of agents that verify.", tiers...),
		row("model_profile_overrides.*.*", Model, "", "The model behind opus, sonnet or haiku in one runtime."),
		off("dynamic_routing.enabled", "Begin with the model that fits the agent's load and use a stronger one after a failure."),
		on("dynamic_routing.escalate_on_failure", "Use a stronger one at all."),
		number("dynamic_routing.max_escalations", "1", 0, "How many steps stronger."),
		row("dynamic_routing.tier_models.light", Text, "", "The model of light loads."),
		row("dynamic_routing.tier_models.standard", Text, "", "The model of standard loads."),
		row("dynamic_routing.tier_models.heavy", Text, "", "The model of heavy loads."),
		row("agent_skills.*", List, "", "Skills that one agent is given: directories, each with a SKILL.md."),
		row("review.models.*", Text, "", "The model that one reviewing command line uses."),
		row("review.default_reviewers", List, "", "Who reviews plans when nobody is named."),
		row("review.ollama_host", Text, "", "Where Ollama answers."),
		row("review.lm_studio_host", Text, "", "Where LM Studio answers."),
		row("review.llama_cpp_host", Text, "", "Where llama.cpp answers."),
		number("review.max_prompt_tokens", "", 1, "Tokens a review's prompt may have."),
		number("review.max_prompt_tokens_per_reviewer.*", "", 1, "The same for one reviewer."),
	}
}

// tiers are the names that profiles give to models.
var tiers = []string{"opus", "sonnet", "haiku", "inherit"}

package settings

var models = []Row{
	{Key: "model_overrides.*", Kind: Text,
		Doc: "The model of one agent, as its runtime names it."},
	{Key: "models.planning", Kind: Enum, Allowed: tiers, Doc: "The tier of agents that plan."},
	{Key: "models.discuss", Kind: Enum, Allowed: tiers, Doc: "The tier of agents that discuss."},
	{Key: "models.research", Kind: Enum, Allowed: tiers, Doc: "The tier of agents that research."},
	{Key: "models.execution", Kind: Enum, Allowed: tiers, Doc: "The tier of agents that write code."},
	{Key: "models.verification", Kind: Enum, Allowed: tiers, Doc: "The tier of agents that verify."},
	{Key: "model_profile_overrides.*.*", Kind: Model,
		Doc: "The model behind opus, sonnet or haiku in one runtime."},
	{Key: "dynamic_routing.enabled", Kind: Bool, Default: "false",
		Doc: "Begin with the model that fits the agent's load and use a stronger one after a failure."},
	{Key: "dynamic_routing.escalate_on_failure", Kind: Bool, Default: "true",
		Doc: "Use a stronger one at all."},
	{Key: "dynamic_routing.max_escalations", Kind: Int, Default: "1",
		Doc: "How many steps stronger."},
	{Key: "dynamic_routing.tier_models.light", Kind: Text, Doc: "The model of light loads."},
	{Key: "dynamic_routing.tier_models.standard", Kind: Text, Doc: "The model of standard loads."},
	{Key: "dynamic_routing.tier_models.heavy", Kind: Text, Doc: "The model of heavy loads."},
	{Key: "agent_skills.*", Kind: List,
		Doc: "Skills that one agent is given: directories, each with a SKILL.md."},
	{Key: "review.models.*", Kind: Text,
		Doc: "The model that one reviewing command line uses."},
	{Key: "review.default_reviewers", Kind: List,
		Doc: "Who reviews plans when nobody is named."},
	{Key: "review.ollama_host", Kind: Text, Doc: "Where Ollama answers."},
	{Key: "review.lm_studio_host", Kind: Text, Doc: "Where LM Studio answers."},
	{Key: "review.llama_cpp_host", Kind: Text, Doc: "Where llama.cpp answers."},
	{Key: "review.max_prompt_tokens", Kind: Int, Min: 1,
		Doc: "Tokens a review's prompt may have."},
	{Key: "review.max_prompt_tokens_per_reviewer.*", Kind: Int, Min: 1,
		Doc: "The same for one reviewer."},
}

// tiers are the names that profiles give to models.
var tiers = []string{"opus", "sonnet", "haiku", "inherit"}

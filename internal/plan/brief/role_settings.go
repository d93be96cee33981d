package brief

// settingsOf returns the settings that decide whether and how a role is
// spawned: a brief that tells about the role has them.
func settingsOf(role string) []string {
	switch role {
	case "code-reviewer":
		return []string{"workflow.code_review", "workflow.code_review_depth", "workflow.code_review_command", "code_quality.fallow.enabled", "code_quality.fallow.scope"}
	case "code-fixer":
		return []string{"workflow.build_command", "workflow.test_command"}
	case "debugger":
		return []string{"workflow.tdd_mode"}
	case "nyquist-auditor":
		return []string{"workflow.nyquist_validation", "workflow.test_command"}
	case "security-auditor":
		return []string{"workflow.security_enforcement", "workflow.security_asvs_level", "workflow.security_block_on"}
	case "ui-researcher":
		return []string{"workflow.ui_phase"}
	case "ui-auditor":
		return []string{"workflow.ui_review"}
	case "framework-selector":
		return []string{"workflow.ai_integration_phase"}
	case "debug-session-manager":
		return []string{"workflow.tdd_mode"}
	case "roadmapper":
		return []string{"granularity", "workflow.mvp_mode"}
	case "integration-checker":
		return []string{"workflow.nyquist_validation", "workflow.security_block_on"}
	}
	return nil
}

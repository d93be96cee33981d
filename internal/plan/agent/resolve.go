package agent

import (
	"fmt"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/plan/settings"
	"cairn/internal/runtimes"
)

// A Resolution is which model an agent gets.
type Resolution struct {
	Agent   string   `json:"agent"` // as it was asked for
	Profile string   `json:"profile"`
	Model   string   `json:"model"`            // "" tells the coding agent nothing; "inherit" is the session's
	Effort  string   `json:"effort,omitempty"` // "" when the runtime has none
	Unknown bool     `json:"-"`                // there is no such role
	Steps   []string `json:"steps"`
}

// Resolve finds the model of an agent after so many tries that failed. Steps
// tell in order what decided, and what did not.
func Resolve(s *settings.Settings, name string, failed int) Resolution {
	return ResolveFor(s, "", name, failed)
}

// ResolveFor is Resolve for a coding agent that is not the settings' perhaps; "" is theirs.
func ResolveFor(s *settings.Settings, runtime, name string, failed int) Resolution {
	if runtime == "" {
		runtime = s.Text("runtime")
	}
	r := &Resolution{Agent: name, Profile: strings.ToLower(s.Text("model_profile"))}
	role, known := Find(name)
	r.Unknown = !known
	if model := override(s, name); model != "" {
		r.Model = model
		r.step("model_overrides names %s", model)
		return *r
	}
	r.step("model_overrides has nothing for %s", name)
	tier := ""
	if known {
		tier = r.tier(s, role, failed)
	}
	if known && tier != "inherit" && r.byRuntime(s, runtime, tier) {
		return *r
	}
	if s.Text("resolve_model_ids") == "omit" {
		r.step("resolve_model_ids is omit: no model is named")
		return *r
	}
	if !known {
		r.Model = unknownTier(r.Profile)
		r.step("there is no such role: profile %s gives it %s", r.Profile, r.Model)
		return *r
	}
	r.Model = tier
	if tier != "inherit" && s.Bool("resolve_model_ids") {
		if id := runtimes.Usual().Choice(tier).Model; id != "" {
			r.Model = id
			r.step("resolve_model_ids: %s is %s", tier, id)
		}
	}
	return *r
}

func (r *Resolution) step(format string, args ...any) {
	r.Steps = append(r.Steps, fmt.Sprintf(format, args...))
}

// override looks an agent up by every name it may have in the settings.
func override(s *settings.Settings, name string) string {
	names := s.Object("model_overrides")
	base := Base(name)
	for _, n := range []string{name, base, prefixes[0] + base, prefixes[1] + base} {
		v, _ := names.Get(n)
		if model, ok := v.(string); ok && model != "" {
			return model
		}
	}
	return ""
}

// tier finds the tier of a role, or a model's name where routing gives one.
func (r *Resolution) tier(s *settings.Settings, role Role, failed int) string {
	if model := r.route(s, role, failed); model != "" {
		return model
	}
	if tier := s.Text("models." + role.Phase); tier != "" {
		r.step("models.%s is %s", role.Phase, tier)
		return tier
	}
	r.step("models.%s is not set", role.Phase)
	tier := role.Tier(r.Profile)
	r.step("profile %s gives %s %s", r.Profile, role.Name, tier)
	return tier
}

// route applies dynamic routing: the role's load, one step heavier for each
// failed try.
func (r *Resolution) route(s *settings.Settings, role Role, failed int) string {
	if !s.Bool("dynamic_routing.enabled") {
		return ""
	}
	most := 0
	if s.Bool("dynamic_routing.escalate_on_failure") {
		most = s.Int("dynamic_routing.max_escalations")
	}
	loads := [...]string{"light", "standard", "heavy"}
	at := 0
	for i, load := range loads {
		if load == role.Load {
			at = i
		}
	}
	load := loads[min(at+min(failed, most), len(loads)-1)]
	model := s.Text("dynamic_routing.tier_models." + load)
	if model == "" {
		r.step("dynamic_routing has no model for %s", load)
		return ""
	}
	r.step("dynamic_routing: try %d of a %s role gets the %s model %s", failed+1, role.Load, load, model)
	return model
}

// byRuntime sets the model that a runtime other than the usual one has for a
// tier.
func (r *Resolution) byRuntime(s *settings.Settings, name, tier string) bool {
	if name == "" || strings.EqualFold(name, runtimes.Usual().Name) {
		return false
	}
	runtime, _ := runtimes.Find(name)
	c := runtime.Choice(tier)
	switch v, _ := s.Value("model_profile_overrides." + name + "." + tier); v := v.Any.(type) {
	case string:
		c.Model = v
	case jsonc.Object:
		if model, ok := v.Get("model"); ok {
			c.Model, _ = model.(string)
		}
		if effort, ok := v.Get("reasoning_effort"); ok {
			c.Effort, _ = effort.(string)
		}
	}
	if c.Model == "" {
		r.step("runtime %s has no model for %s", name, tier)
		return false
	}
	r.Model = c.Model
	if runtime.Effort {
		r.Effort = c.Effort
	}
	r.step("runtime %s has %s for %s", name, c.Model, tier)
	return true
}

// unknownTier is what a profile gives to an agent it has never heard of.
func unknownTier(profile string) string {
	switch profile {
	case "quality":
		return "opus"
	case "budget":
		return "haiku"
	case "inherit":
		return "inherit"
	}
	return "sonnet"
}

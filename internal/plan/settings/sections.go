package settings

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cairn/internal/jsonc"
)

// What a section of a pull request's text may be made of.
var (
	sectionFiles  = []string{"ROADMAP.md", "PLAN.md", "SUMMARY.md", "VERIFICATION.md", "STATE.md", "REQUIREMENTS.md", "CONTEXT.md"}
	sectionTokens = []string{"phase_number", "phase_name", "phase_dir", "base_branch", "padded_phase"}
)

// checkSections checks the sections of ship.pr_body_sections.
func checkSections(v any) error {
	list, _ := v.([]any)
	for i, item := range list {
		section, ok := item.(jsonc.Object)
		if !ok {
			return fmt.Errorf("section %d is not an object", i+1)
		}
		if err := checkSection(section); err != nil {
			return fmt.Errorf("section %d: %w", i+1, err)
		}
	}
	return nil
}

func checkSection(section jsonc.Object) error {
	texts := map[string]string{}
	for _, m := range section {
		text, isText := m.Value.(string)
		_, isBool := m.Value.(bool)
		switch m.Name {
		case "heading", "source", "template", "fallback":
			if !isText {
				return fmt.Errorf("%s is not a text", m.Name)
			}
			texts[m.Name] = text
		case "enabled":
			if !isBool {
				return errors.New("enabled is not true or false")
			}
		}
	}
	switch heading := texts["heading"]; {
	case strings.TrimSpace(heading) == "":
		return errors.New("it has no heading")
	case strings.ContainsAny(heading, "\r\n"):
		return errors.New("the heading has more than one line")
	case texts["source"] == "" && texts["template"] == "" && texts["fallback"] == "":
		return errors.New("it has neither source, template nor fallback")
	}
	if source := texts["source"]; source != "" {
		for selector := range strings.SplitSeq(source, "||") {
			file, heading, ok := strings.Cut(strings.TrimSpace(selector), " ")
			if !ok || !slices.Contains(sectionFiles, file) || strings.TrimSpace(strings.TrimLeft(heading, "# ")) == "" || !strings.HasPrefix(heading, "#") {
				return fmt.Errorf("%q is not FILE.md ## Heading, with one of %s", strings.TrimSpace(selector), strings.Join(sectionFiles, ", "))
			}
		}
	}
	for _, m := range regexp.MustCompile(`\{([^{}\s]*)\}`).FindAllStringSubmatch(texts["template"], -1) {
		if !slices.Contains(sectionTokens, m[1]) {
			return fmt.Errorf("{%s} is none of {%s}", m[1], strings.Join(sectionTokens, "}, {"))
		}
	}
	return nil
}

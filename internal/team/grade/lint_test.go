package grade

import (
	"strings"
	"testing"
)

// What is wrong with a general or joined expectation is said before anything is graded.
func TestLint(t *testing.T) {
	for expectation, want := range map[string]string{
		`type: is_json`:                         `no expectation type "is_json"; did you mean "json_schema": without schema any JSON`,
		`type: is-json`:                         `no expectation type "is-json"; did you mean "json_schema"`,
		`type: contains-json`:                   `no expectation type "contains-json"; did you mean "contains_json"`,
		`type: javascript`:                      `no expectation type "javascript"; did you mean "command": it runs your program`,
		`type: python`:                          `did you mean "command"`,
		`type: icontains`:                       `did you mean "response_contains": patterns as /…/i`,
		`type: contains-any`:                    `did you mean "response_contains_any"`,
		`type: regex`:                           `did you mean "response_contains": patterns as /…/`,
		`type: starts-with`:                     `did you mean "response_contains": patterns as /^…/`,
		`type: rouge-n`:                         `did you mean "rouge"`,
		`type: factuality`:                      `did you mean "reference_check"`,
		`type: select-best`:                     `did you mean "pairwise_check"`,
		`type: reference_check`:                 `reference_check has nothing to compare with; give it value, or the case a member "expected"`,
		`type: similar`:                         `similar has nothing to compare with; give it value, or the case a member "expected"`,
		`type: similar, value: x, threshold: 0`: `threshold must be above 0`,
		`type: quality_check, criteria: {a: 0.5}, threshold: 0.8`:                 `threshold applies only to criteria in words`,
		`type: quality_check, criteria: is it kind?, threshold: 0.8`:              "",
		`type: quality_check, threshold: 0.8`:                                     `threshold applies only to criteria in words`,
		`type: llm-rubric`:                                                        `did you mean "quality_check": criteria in words`,
		`type: not-contains`:                                                      `did you mean "not" with the expectation "response_contains"`,
		`type: word-count`:                                                        `did you mean "word_count_range"`,
		`type: equal, value: 1`:                                                   `no expectation type "equal"; did you mean "equals"`,
		`type: latency`:                                                           `latency needs max_ms`,
		`type: cost`:                                                              `cost needs max_usd`,
		`type: equals`:                                                            `equals has nothing to compare with; give it value, or the case a member "expected"`,
		`type: levenshtein, max_distance: 1`:                                      `levenshtein has nothing to compare with; give it value, or the case a member "expected"`,
		`type: levenshtein, value: x`:                                             `levenshtein needs max_distance or min_similarity`,
		`type: rouge, value: x, n: 0`:                                             `rouge: n must be one of 1, 2,`,
		`type: rouge, value: x, measure: f2`:                                      `measure must be one of recall, precision, f1, not the text "f2"`,
		`type: tokens, of: all, max: 1`:                                           `of must be one of total, input, output, not the text "all"`,
		`type: json_schema, schema: {type: objekt}`:                               `schema is not a usable JSON Schema`,
		`type: json_schema, schema: []`:                                           `schema must be a JSON Schema (an object), not a list`,
		`type: json_schema, schema: {pattern: "(?=x)"}`:                           `pattern: error parsing regexp`,
		`type: json_schema, schema: {$ref: "http://127.0.0.1:9/x.json"}`:          `only references within it`,
		`type: json_schema, schema: {$ref: "file:///etc/passwd"}`:                 `only references within it`,
		`type: json_schema, schema: {$ref: other.json}`:                           `only references within it`,
		`type: json_schema, schema: {$id: "http://x.test/a", items: {$ref: "b"}}`: `only references within it`,
		`type: json_schema, schema: {$ref: "#"}`:                                  `a $ref loops back to itself`,
		`type: json_schema, schema: {anyOf: [{type: object}, {$ref: "#"}]}`:       `a $ref loops back to itself`,
		`type: json_schema, schema: {$defs: {a: {not: {$ref: "#/$defs/b"}}, b: {allOf: [{$ref: "#/$defs/a"}]}}, $ref: "#/$defs/a"}`: `a $ref loops back to itself`,
		`type: json_schema, schema: {$dynamicRef: "#x"}`:                                  `$dynamicRef and $dynamicAnchor are not supported; use $ref`,
		`type: json_schema, schema: {$schema: "http://json-schema.org/draft-04/schema#"}`: `$schema must name draft-07 or 2020-12`,
		`type: not, expectation: []`:                                                      `expectation must be one expectation, not a list`,
		`type: not`:                                                                       `not needs expectation`,
		`type: not, expectation: {type: not, expectation: {type: x}}`:                     `no expectation type "x"`,
		`type: any_of, expectations: []`:                                                  `expectations must be a list of at least one expectation`,
		`type: any_of, expectations: {type: worthy}`:                                      `expectations must be a list of at least one expectation`,
		`type: any_of, expectations: [{type: worthy, weight: 2}]`:                         `weight has an effect only in all_of; remove it`,
		`type: worthy, weight: 2`:                                                         `weight has an effect only in all_of; remove it`,
		`type: all_of, expectations: [{type: worthy, weight: -1}]`:                        `weight must be 0 or more, not -1`,
		`type: all_of, expectations: [{type: worthy, weight: 0}]`:                         `all weights are 0`,
		`type: all_of, threshold: 0, expectations: [{type: worthy}]`:                      `threshold must be above 0`,
		`type: all_of, threshold: 1.5, expectations: [{type: worthy}]`:                    `threshold must be a number from 0 to 1, not 1.5`,
		`type: all_of, path: a, expectations: [{type: worthy}]`:                           `all_of takes no path; put it into its expectations`,
		`type: command`:       `command needs run`,
		`type: tool_sequence`: `tool_sequence needs tools`,
		// and these are right
		`type: json_schema, schema: {type: object, properties: {kids: {type: array, items: {$ref: "#"}}}}`:                                                         "",
		`type: json_schema, schema: {$schema: "https://json-schema.org/draft-07/schema", definitions: {"a/b": {$anchor: x}}, items: {$ref: "#/definitions/a~1b"}}`: "",
		`type: json_schema, schema: {$defs: {n: {$anchor: n, type: integer}}, items: {$ref: "#n"}}`:                                                                "",
		`type: json_schema, schema: true`: "",
	} {
		_, problems := readYAML("name: c\nexpectations: [{"+expectation+"}]\n", nil)
		switch {
		case want == "" && len(problems) > 0:
			t.Errorf("%s\n%v", expectation, problems)
		case want != "" && (len(problems) == 0 || !strings.Contains(problems[0].What, want)):
			t.Errorf("%s\n%v\nwant %s", expectation, problems, want)
		}
	}
}

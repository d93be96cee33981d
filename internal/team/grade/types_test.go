package grade

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"cairn/internal/team/cases"
	"cairn/internal/team/result"
)

// trial is a type with outputs that satisfy it and outputs that do not. Every
// other is missing: what it reads is not in it.
type trial struct {
	kind, keys string // as YAML in braces
	input      string // of the case, as JSON
	pass, fail []string
	missing    string // another output that lacks what is read; {"unrelated": 1} is always tried
}

var trials = []trial{
	{kind: "tool_called", keys: `tool: search, input_contains: {query: housing, "opts.limit": 5}`,
		pass: []string{
			`{"tool_calls":[{"name":"other"},{"name":"search","input":{"query":"x"}},{"name":"search","input":{"query":"the housing","opts":{"limit":5}}}]}`,
			`{"tool_calls":[{"function":{"name":"search","arguments":"{\"query\":[\"a\",\"housing\"],\"opts\":{\"limit\":5}}"}}]}`,
		},
		fail: []string{`{"tool_calls":[]}`, `{"tool_calls":[{"name":"search","input":{"query":"Housing","opts":{"limit":5}}}]}`, `{"tool_calls":[{"name":"search","input":{"query":"housing"}}]}`, `{"tool_calls":[{"x":1}]}`},
	},
	{kind: "tool_called", keys: `tool: search, required: false, input_contains: {query: /^a/}`, pass: []string{`{"tool_calls":[]}`, `{"tool_calls":[{"name":"search","args":{"query":"ab"}}]}`}, fail: []string{`{"tool_calls":[{"name":"search","args":{"query":"b"}}]}`}},
	{kind: "tool_not_called", keys: `tool: rm`, pass: []string{`{"tool_calls":[]}`, `{"tool_calls":[{"name":"ls"}]}`}, fail: []string{`{"tool_calls":[{"name":"rm"}]}`, `{"tool_calls":"rm"}`}, missing: `{"tool_calls":null}`},

	{kind: "response_contains", keys: `patterns: [housing, '/\bpolic(y|ies)\b/i']`, pass: []string{`{"response":"housing Policies"}`}, fail: []string{`{"response":"Housing policy"}`, `{"response":7}`}, missing: `{"body":"housing policy"}`},
	{kind: "response_excludes", keys: `patterns: ["I don't have access"]`, pass: []string{`{"response":"here"}`}, fail: []string{`{"response":"I don't have access"}`, `{"response":"  "}`}},
	{kind: "response_contains_any", keys: `patterns: [a1, b1]`, pass: []string{`{"response":"a b1"}`}, fail: []string{`{"response":"ab"}`}},
	{kind: "body_contains", keys: `patterns: Dear David`, pass: []string{`{"body":"Dear David,"}`, `{"structured_content":{"body":"Dear David"}}`}, fail: []string{`{"body":"Dear david,"}`}},
	{kind: "body_excludes", keys: `patterns: [Best regards, "/here's the kicker/i"]`, pass: []string{`{"body":"best regards"}`}, fail: []string{`{"body":"Here's the kicker"}`}, missing: `{"response":"fine"}`},
	{kind: "body_contains_any", keys: `patterns: [housing, homes]`, pass: []string{`{"body":"homes"}`}, fail: []string{`{"body":"Homes"}`}},
	{kind: "title_excludes", keys: `patterns: [Unlock]`, pass: []string{`{"title":"Plain"}`}, fail: []string{`{"title":"Unlock it"}`}, missing: `{"body":"t"}`},
	{kind: "tldr_excludes", keys: `patterns: [x]`, pass: []string{`{"tldr":"a"}`}, fail: []string{`{"tldr":"x"}`}},
	{kind: "reasoning_contains", keys: `patterns: [because]`, pass: []string{`{"reasoning":"because"}`}, fail: []string{`{"reasoning":"so"}`}},

	{kind: "body_word_count", keys: `min_words: 2, max_words: 3`, pass: []string{`{"body":"two - words"}`, `{"body":"漢字 a"}`}, fail: []string{`{"body":"one"}`, `{"body":"a b c d"}`}},
	{kind: "body_min_length", keys: `min_words: 2`, pass: []string{`{"body":"a b"}`}, fail: []string{`{"body":"a"}`}},
	{kind: "word_count_range", keys: `min: 2, max: 2`, pass: []string{`{"text":"a b"}`, `{"word_count":2}`}, fail: []string{`{"text":"a"}`, `{"word_count":3}`, `{"text":"a","word_count":2}`}},
	{kind: "commentary_length", keys: `min_chars: 2, max_chars: 3`, pass: []string{`{"commentary":"ab"}`, `{"items":[{"commentary":"abc"}]}`}, fail: []string{`{"commentary":"a"}`, `{"items":[{"commentary":"abc"},{}]}`, `{"items":[{"commentary":"abcd"}]}`}, missing: `{"items":[]}`},

	{kind: "has_title", keys: `min_words: 2, max_words: 3`, pass: []string{`{"title":"a b"}`, `{"structured_content":{"title":"a b"}}`}, fail: []string{`{"title":"a"}`, `{"title":" "}`}},
	{kind: "has_tldr", keys: `min_chars: 2`, pass: []string{`{"tldr":"ab"}`}, fail: []string{`{"tldr":"a"}`}},
	{kind: "has_subtitle", keys: `max_chars: 2`, pass: []string{`{"subtitle":"é́"}`}, fail: []string{`{"subtitle":"abc"}`}},
	{kind: "has_read_time", keys: `min: 2, max: 5`, pass: []string{`{"read_time":5}`, `{"read_time":"about 2 min"}`}, fail: []string{`{"read_time":"10 min"}`, `{"read_time":"soon"}`}},
	{kind: "has_signoff", pass: []string{`{"body":"Hi\n\nText.\n\nBest regards,\nAnn"}`, `{"body":"Text\n— Ann"}`, `{"signoff":"Ann"}`}, fail: []string{`{"body":"Text.\n\nBestial weather today"}`, `{"body":"Thanks\n1\n2\n3\n4"}`}},
	{kind: "has_signoff", keys: `patterns: [Tschüss]`, pass: []string{`{"body":"Text\nTschüss"}`}, fail: []string{`{"body":"Best,\nAnn"}`}},
	{kind: "has_links", keys: `min_count: 2`, pass: []string{`{"body":"see https://a.b/c. and [x](/y)"}`, `{"links":["a","b"]}`}, fail: []string{`{"body":"https://a.b https://www.a.b/"}`}},
	{kind: "has_media_embeds", keys: `min_count: 1, max_count: 2`, pass: []string{`{"body":"![a](b.png)\nhttps://v.example/x"}`, `{"body":"<img src=x>"}`}, fail: []string{`{"body":"none [a](b)"}`, `{"body":"![](a) ![](b) ![](c)"}`}},
	{kind: "has_media_embeds", keys: `pattern: '/\{\{video:\d+\}\}/'`, pass: []string{`{"body":"{{video:7}}"}`}, fail: []string{`{"body":"![](a)"}`}},
	{kind: "body_has_headers", keys: `min_count: 2`, pass: []string{`{"body":"# A\ntext\n## B"}`, `{"body":"A\n===\n<h2>b</h2>"}`}, fail: []string{"{\"body\":\"# A\\n```\\n# B\\n```\"}", `{"body":"#tag\n# A"}`}},
	{kind: "subject_not_empty", pass: []string{`{"subject":"a"}`}, fail: []string{`{"subject":" "}`}},
	{kind: "ends_with_question", pass: []string{`{"response":"a. Is it?"}`, `{"response":"\"Is it?\" 🙂\n"}`, `{"body":"是吗？"}`}, fail: []string{`{"response":"Is it? Yes."}`}},
	{kind: "body_integrity", keys: `max_shrinkage_pct: 10`, input: `{"text":"0123456789 0123456789"}`, pass: []string{`{"body":"012345678901234567"}`, `{"body":"a","original":"a"}`}, fail: []string{`{"body":"01234567890123456"}`}},

	{kind: "score_range", keys: `min: 40, max: 65`, pass: []string{`{"score":40}`, `{"score":65}`}, fail: []string{`{"score":65.5}`, `{"score":"50"}`}},
	{kind: "expect_score_above", keys: `value: 5`, pass: []string{`{"score":5.1}`}, fail: []string{`{"score":5}`}},
	{kind: "expect_score_below", keys: `value: 5`, pass: []string{`{"score":4.9}`}, fail: []string{`{"score":5}`}, missing: `{"score":null}`},
	{kind: "bias_score_range", keys: `max: 0.2`, pass: []string{`{"bias":{"score":0.1}}`}, fail: []string{`{"bias_score":0.3}`}},
	{kind: "quality_score_range", keys: `min: 3`, pass: []string{`{"quality_score":3}`}, fail: []string{`{"quality_score":2}`}},

	{kind: "channel_is", keys: `channel: housing`, pass: []string{`{"channel":" housing"}`}, fail: []string{`{"channel":"Housing"}`}},
	{kind: "channel_not", keys: `channel: housing`, pass: []string{`{"channel":"transit"}`}, fail: []string{`{"channel":"housing"}`}, missing: `{"channel":""}`},
	{kind: "content_type_in", keys: `values: [advocacy, opinion]`, pass: []string{`{"content_type":"opinion"}`}, fail: []string{`{"content_type":"news"}`}},
	{kind: "worthy", pass: []string{`{"worthy":true}`}, fail: []string{`{"worthy":false}`, `{"worthy":"yes"}`}},
	{kind: "not_worthy", pass: []string{`{"worthy":false}`}, fail: []string{`{"worthy":true}`}},
	{kind: "expected_pass", keys: `value: false, expected_comment_type: spam`, pass: []string{`{"pass":false,"comment_type":"spam"}`}, fail: []string{`{"pass":true,"comment_type":"spam"}`, `{"pass":false,"comment_type":"ok"}`, `{"pass":false}`}},

	{kind: "has_field", keys: `field: occupation, min_length: 5`, pass: []string{`{"extracted_fields":{"occupation":"engineer"}}`, `{"occupation":"engineer"}`}, fail: []string{`{"extracted_fields":{"occupation":"cook"}}`, `{"extracted_fields":{"occupation":[]}}`}, missing: `{"extracted_fields":{}}`},
	{kind: "has_fields", keys: `fields: [a, b.c]`, pass: []string{`{"a":0,"b":{"c":false}}`}, fail: []string{`{"a":"","b":{"c":1}}`}},
	{kind: "field_is", keys: `field: n, value: 5`, pass: []string{`{"fields":{"n":5}}`}, fail: []string{`{"fields":{"n":"5"}}`, `{"fields":{"n":[5]}}`}},
	{kind: "field_contains", keys: `field: f, patterns: [ab, /c$/]`, pass: []string{`{"f":"ab c"}`, `{"f":["ab","c"]}`}, fail: []string{`{"f":"ab"}`, `{"f":{"ab":1}}`}},
	{kind: "field_missing", keys: `field: ssn`, pass: []string{`{"extracted_fields":{"a":1}}`, `{"extracted_fields":{"ssn":""}}`}, fail: []string{`{"extracted_fields":{"ssn":"1"}}`}},
	{kind: "field_missing", keys: `field: ssn, path: .`, pass: []string{`{"a":1}`}, fail: []string{`{"ssn":"1"}`}},
	{kind: "min_fields_filled", keys: `value: 2`, pass: []string{`{"extracted_fields":{"a":1,"b":"x","c":null}}`}, fail: []string{`{"extracted_fields":{"a":1,"b":""}}`}},

	{kind: "has_category", keys: `value: issue`, pass: []string{`{"memories":[{"category":"a"},{"category":"issue"}]}`}, fail: []string{`{"memories":[]}`, `{"memories":["issue"]}`}},
	{kind: "min_memories", keys: `value: 2`, pass: []string{`{"memories":[1,2]}`}, fail: []string{`{"memories":[1]}`}},
	{kind: "max_memories", keys: `value: 1`, pass: []string{`{"memories":[]}`}, fail: []string{`{"memories":[1,2]}`}},

	{kind: "cluster_count_range", keys: `min: 1, max: 2`, pass: []string{`{"clusters":[1]}`}, fail: []string{`{"clusters":[]}`, `{"clusters":[1,2,3]}`}},
	{kind: "group_count_range", keys: `max: 1`, pass: []string{`{"groups":[1]}`}, fail: []string{`{"groups":[1,2]}`}},
	{kind: "group_size_range", keys: `min: 2, max: 3`, pass: []string{`{"groups":[["a","b"],{"members":[1,2,3]}]}`}, fail: []string{`{"groups":[["a"]]}`, `{"groups":[{"name":"x"}]}`}, missing: `{"groups":[]}`},
	{kind: "min_stories", keys: `count: 3`, pass: []string{`{"clusters":[{"articles":[1,2]},{"articles":[3]}]}`, `{"stories":[1,2,3]}`}, fail: []string{`{"stories":[1]}`, `{"clusters":[{"theme":"x"}]}`}},
	{kind: "max_stories", keys: `count: 1`, pass: []string{`{"stories":["a"]}`}, fail: []string{`{"clusters":[{"stories":[1,2]}]}`}},
	{kind: "all_attendees_assigned", input: `{"attendees":[{"id":1,"name":"Ann"},"Bob"]}`, pass: []string{`{"groups":[{"members":["ann"]},{"members":[{"name":"Bob"}]}]}`}, fail: []string{`{"groups":[["Ann"]]}`}},
	{kind: "all_attendees_assigned", pass: []string{`{"groups":[["a"]],"attendees":["A"]}`}, fail: []string{`{"groups":[["a"]]}`}},
	{kind: "no_duplicate_assignments", pass: []string{`{"groups":[["a"],["b"]]}`}, fail: []string{`{"groups":[["a"],["A"]]}`, `{"groups":[["a","a"]]}`}, missing: `{"groups":[]}`},
	{kind: "themes_not_generic", keys: `forbidden_themes: [People]`, pass: []string{`{"clusters":[{"theme":"Housing"}]}`}, fail: []string{`{"clusters":[{"theme":"people "}]}`, `{"clusters":[{"theme":"Group 3"}]}`, `{"groups":[{"name":"Miscellaneous"}]}`, `{"clusters":[{}]}`}},
	{kind: "has_high_score_cluster", keys: `score: 0.8, min: 2`, pass: []string{`{"clusters":[{"score":0.8},{"score":0.9},{"score":0.1}]}`}, fail: []string{`{"clusters":[{"score":0.9}]}`, `{"clusters":[{"x":1}]}`}},
	{kind: "all_clusters_have_evidence", pass: []string{`{"clusters":[{"evidence":"x"},{"articles":[1]}]}`}, fail: []string{`{"clusters":[{"evidence":"x"},{"evidence":[]}]}`}, missing: `{"clusters":[]}`},

	{kind: "chunk_count_range", keys: `min: 2`, pass: []string{`{"chunks":["a","b"]}`}, fail: []string{`{"chunks":["a"]}`}},
	{kind: "lossless", input: `{"text":"One two.\nThree"}`, pass: []string{`{"chunks":["One two.","Three"]}`, `{"chunks":[{"text":"One "},{"text":"two. Three"}]}`}, fail: []string{`{"chunks":["One two."]}`, `{"chunks":["One two.","two. Three"]}`, `{"chunks":["One two.","Three","x"]}`}},
	{kind: "word_bound", keys: `max_words: 2`, pass: []string{`{"chunks":["a b","c"]}`}, fail: []string{`{"chunks":["a b c"]}`}, missing: `{"chunks":[]}`},

	{kind: "has_tweets", keys: `min_count: 1, max_count: 2`, pass: []string{`{"tweets":["a"]}`, `{"thread":[{"text":"a"}]}`}, fail: []string{`{"tweets":["a","b","c"]}`, `{"tweets":["a",""]}`}, missing: `{"tweets":[]}`},
	{kind: "char_limits", keys: `max_chars: 30`, pass: []string{`{"tweets":["read https://example.com/a/very/long/path/that/is/cut"]}`, `{"tweets":["` + strings.Repeat("字", 15) + `"]}`}, fail: []string{`{"tweets":["` + strings.Repeat("字", 16) + `"]}`, `{"tweets":["ok","` + strings.Repeat("a", 31) + `"]}`}},
	{kind: "char_limits", pass: []string{`{"tweets":["` + strings.Repeat("a", 280) + `"]}`}, fail: []string{`{"tweets":["` + strings.Repeat("a", 281) + `"]}`}},
	{kind: "link_in_last_tweet", pass: []string{`{"tweets":["a","b https://a.b"]}`}, fail: []string{`{"tweets":["https://a.b","b"]}`}},

	{kind: "item_count_range", keys: `min: 1, max: 2`, pass: []string{`{"items":[1]}`}, fail: []string{`{"items":[]}`}},
	{kind: "no_false_positives", keys: `max_actionable: 1`, pass: []string{`{"items":[{"severity":"green"},{"severity":"Yellow"}]}`, `{"items":[]}`, `{"items":[{"actionable":false,"severity":"red"}]}`}, fail: []string{`{"items":[{"severity":"red"},{"actionable":true}]}`, `{"items":[{"severity":"low"},{"severity":"low"}]}`, `{"items":[{"severity":"purple"}]}`, `{"items":[{"id":1}]}`}},
	{kind: "has_severity", keys: `severity: green, min: 2`, pass: []string{`{"items":[{"severity":"green"},{"severity":"Green"}]}`}, fail: []string{`{"items":[{"severity":"green"}]}`}},
	{kind: "violation_severity_at_least", keys: `violation: slur, severity: medium`, pass: []string{`{"violations":[{"type":"slur","severity":"high"}]}`, `{"violations":{"slur":"yellow"}}`}, fail: []string{`{"violations":[{"type":"slur","severity":"low"}]}`, `{"violations":[]}`, `{"violations":[{"type":"slur"}]}`}},

	{kind: "selects_expected_images", keys: `expected_filenames: [a.png, b.png], min_selected: 1`, pass: []string{`{"selected_images":["x/a.png"]}`, `{"images":[{"url":"https://h/b.png?w=1"}]}`}, fail: []string{`{"selected_images":["c.png"]}`, `{"selected_images":[]}`}},
	{kind: "selects_expected_images", keys: `expected_filenames: [a.png, b.png]`, pass: []string{`{"images":["b.png","a.png","c.png"]}`}, fail: []string{`{"images":["a.png"]}`}},
	{kind: "extracts_clean_content", keys: `min_length: 5`, pass: []string{`{"content":"a < b and b > a, AT&T; fine"}`, "{\"content\":\"use `<div>` here\"}"}, fail: []string{`{"content":"abc"}`, `{"content":"text <div class=\"x\">y</div>"}`, `{"content":"text&nbsp;here"}`, `{"content":"bad \ufffd char"}`, `{"content":"text <!-- x -->"}`}},
	{kind: "min_concepts", keys: `count: 2`, pass: []string{`{"concepts":["a",{"name":"b"}]}`}, fail: []string{`{"concepts":["a","A"]}`}},

	{kind: "min_sections", keys: `count: 2`, pass: []string{`{"sections":["a",{"title":"b"}]}`}, fail: []string{`{"sections":["a",""]}`}},
	{kind: "has_commentaries", keys: `min: 2`, pass: []string{`{"commentaries":["a","b"]}`, `{"items":[{"commentary":"a"},{"commentary":"b"}]}`}, fail: []string{`{"commentaries":["a"]}`, `{"items":["a","b"]}`}},
	{kind: "title_changed", input: `{"content":{"title":"Old title"}}`, pass: []string{`{"title":"New title"}`}, fail: []string{`{"title":"OLD  title"}`, `{"title":"x","original_title":"X"}`}},

	{kind: "source_audit_ran", pass: []string{`{"source_audit":{"checked":3}}`, `{"source_audit":true}`}, fail: []string{`{"source_audit":{}}`, `{"source_audit":false}`, `{"source_audit":{"status":"skipped"}}`, `{"source_audit":"yes"}`}},
	{kind: "urls_from_sources", pass: []string{`{"body":"see [a](http://www.a.b/c/?utm_source=x#y)","sources":["https://A.b/c"]}`, `{"body":"no links","sources":[]}`}, fail: []string{`{"body":"https://x.com/1","sources":[{"url":"https://a.b"}]}`, `{"body":"[a](/b)","sources":[]}`, `{"body":"https://a.b"}`}},
	{kind: "urls_from_sources", keys: `allow_tweets: true, allow_internal: true, internal_hosts: [own.org]`, input: `{"sources":["https://a.b"]}`, pass: []string{`{"body":"https://x.com/1 [a](/b) https://www.own.org/q https://a.b"}`}, fail: []string{`{"body":"https://notown.org"}`}},
	{kind: "outline_sources_cited", keys: `min_ratio: 0.5`, input: `{"outline":[{"sources":["https://a.b/1",{"title":"The Report","id":2}]}]}`, pass: []string{`{"body":"see https://a.b/1"}`, `{"body":"as the report says"}`, `{"body":"so [2]"}`}, fail: []string{`{"body":"none"}`}},

	{kind: "tool_sequence", keys: `tools: [search, read]`, pass: []string{`{"tool_calls":[{"name":"ls"},{"name":"search"},{"name":"ls"},{"name":"read"}]}`}, fail: []string{`{"tool_calls":[{"name":"read"},{"name":"search"}]}`, `{"tool_calls":[]}`, `{"tool_calls":[{"x":1}]}`}},
	{kind: "tool_sequence", keys: `tools: [a, b], exact: true`, pass: []string{`{"tool_calls":[{"name":"a"},{"name":"b"}]}`}, fail: []string{`{"tool_calls":[{"name":"a"},{"name":"b"},{"name":"b"}]}`}, missing: `{"tool_calls":null}`},
	{kind: "skill_used", keys: `skill: pdf`, pass: []string{`{"tool_calls":[{"name":"Skill","input":{"skill":"pdf"}}]}`, `{"skill_calls":[{"name":"pdf"}]}`, `{"skills":["pdf"],"tool_calls":[]}`}, fail: []string{`{"tool_calls":[{"name":"pdf"}]}`, `{"skills":["xlsx"]}`, `{"skills":"pdf"}`}},
	{kind: "skill_used", keys: `skill: pdf, required: false`, pass: []string{`{"tool_calls":[]}`, `{"skills":[]}`}, fail: []string{`{"skills":["pdf"],"tool_calls":[]}`}, missing: `{"tool_calls":[{"x":1}]}`},

	{kind: "equals", keys: `value: four`, pass: []string{`{"response":" four\n"}`, `{"answer":"four"}`}, fail: []string{`{"response":"Four"}`, `{"response":4}`}, missing: `{"response":null}`},
	{kind: "equals", keys: `value: {a: [1, {b: null}]}, path: data`, pass: []string{`{"data":{"a":[1,{"b":null}]}}`, `{"data":"{\"a\":[1,{\"b\":null}]}"}`}, fail: []string{`{"data":{"a":[1,{"b":null}],"c":1}}`, `{"data":{"a":[1,{}]}}`, `{"data":"no JSON"}`}, missing: `{"data":null}`},
	{kind: "equals", input: `{"expected": 4}`, pass: []string{`{"response":"4"}`, `{"response":4}`}, fail: []string{`{"response":"5"}`, `{"response":"4 or so"}`}},
	{kind: "json_schema", pass: []string{`{"response":"{\"a\":1}"}`, `{"response":"5"}`, `{"content":[1]}`}, fail: []string{`{"response":"{a:1}"}`, `{"response":"{} {}"}`, `{"response":"Sure: {}"}`}, missing: `{"response":" "}`},
	{kind: "json_schema", keys: `schema: {type: object, required: [a], properties: {a: {$ref: "#/$defs/n"}}, $defs: {n: {type: integer}}}`, pass: []string{`{"response":"{\"a\":1}"}`, `{"response":{"a":1.0}}`}, fail: []string{`{"response":"{\"a\":1.5}"}`, `{"response":"{}"}`, `{"response":"[]"}`}},
	{kind: "json_schema", keys: `schema: {type: string, pattern: ^a}, path: name`, pass: []string{`{"name":"abc"}`}, fail: []string{`{"name":"cab"}`, `{"name":1}`}},
	{kind: "json_schema", keys: `schema: {type: object}, path: name`, pass: []string{`{"name":"{}"}`}, fail: []string{`{"name":"text"}`, `{"name":"[]"}`}},
	{kind: "contains_json", pass: []string{"{\"response\":\"Sure:\\n```json\\n{\\\"a\\\":[1]}\\n```\"}", `{"response":"a { b [1] c"}`, `{"response":{"a":1}}`}, fail: []string{`{"response":"none {a} [b"}`, `{"response":"5"}`, `{"response":5}`}},
	{kind: "contains_json", keys: `schema: {type: object, required: [a]}`, pass: []string{`{"response":"[1] then {\"a\":2}"}`}, fail: []string{`{"response":"[{\"a\":2}] and {\"b\":1}"}`}},
	{kind: "levenshtein", keys: `value: kitten, max_distance: 3`, pass: []string{`{"response":"sitting"}`, `{"response":"kitten"}`}, fail: []string{`{"response":"sittings"}`, `{"response":7}`}},
	{kind: "levenshtein", keys: `min_similarity: 0.5`, input: `{"expected": "äöü"}`, pass: []string{`{"response":"äöx"}`}, fail: []string{`{"response":"äxx"}`, `{"response":"äöüäöüä"}`}},
	{kind: "rouge", keys: `value: The cat sat on the mat., min: 0.8`, pass: []string{`{"response":"the CAT sat upon the mat: yes, the mat"}`}, fail: []string{`{"response":"a cat sat"}`}},
	{kind: "rouge", keys: `value: police killed the gunman, n: 2, measure: f1, min: 0.6`, pass: []string{`{"response":"police killed the gang"}`}, fail: []string{`{"response":"the gunman killed police"}`}},
	{kind: "rouge", keys: `value: 漢字, measure: precision, min: 0.4`, pass: []string{`{"response":"漢字仮名"}`}, fail: []string{`{"response":"仮名漢"}`}},

	{kind: "latency", keys: `max_ms: 100`, pass: []string{`{"duration_ms":100}`, `{"latency_ms":1}`}, fail: []string{`{"duration_ms":100.5}`, `{"duration_ms":"1"}`}},
	{kind: "cost", keys: `max_usd: 0.01`, pass: []string{`{"cost_usd":0}`, `{"total_cost_usd":0.01}`}, fail: []string{`{"cost_usd":0.02}`}},
	{kind: "tokens", keys: `max: 100, min: 10`, pass: []string{`{"usage":{"input_tokens":60,"output_tokens":30,"cache_read_input_tokens":10}}`, `{"usage":{"total_tokens":10}}`, `{"tokens":50}`}, fail: []string{`{"usage":{"input_tokens":60,"output_tokens":41}}`, `{"usage":{"input_tokens":60}}`, `{"tokens":1}`}},
	{kind: "tokens", keys: `of: output, max: 5`, pass: []string{`{"usage":{"completion_tokens":5}}`}, fail: []string{`{"usage":{"completion_tokens":6}}`, `{"usage":{"total_tokens":3}}`, `{"tokens":3}`}},
	{kind: "turns", keys: `min: 1, max: 2`, pass: []string{`{"num_turns":2}`, `{"messages":[{"role":"user"},{"role":"assistant"},{"role":"tool"}]}`, `{"turns":[1,2]}`}, fail: []string{`{"num_turns":3}`, `{"messages":[]}`, `{"turns":[{"role":"assistant"},{"role":"assistant"},{"role":"assistant"}]}`}},

	{kind: "not", keys: `expectation: {type: response_contains, patterns: [x]}`, pass: []string{`{"response":"a"}`}, fail: []string{`{"response":"x"}`, `{"response":7}`, `{"response":""}`}},
	{kind: "not", keys: `expectation: {type: not, expectation: {type: response_contains, patterns: [x]}}`, pass: []string{`{"response":"x"}`}, fail: []string{`{"response":"a"}`}},
	{kind: "any_of", keys: `expectations: [{type: title_excludes, patterns: [x]}, {type: response_contains, patterns: [y]}]`, pass: []string{`{"title":"a"}`, `{"response":"y","title":"x"}`}, fail: []string{`{"title":"x"}`, `{"title":"x","response":"x"}`}},
	{kind: "not", keys: `expectation: {type: any_of, expectations: [{type: title_excludes, patterns: [x]}, {type: response_contains, patterns: [y]}]}`, pass: []string{`{"title":"x","response":"a"}`}, fail: []string{`{"title":"x"}`, `{"response":"a"}`, `{"title":"x","response":"y"}`}},
	{kind: "all_of", keys: `expectations: [{type: title_excludes, patterns: [x]}, {type: response_contains, patterns: [y]}]`, pass: []string{`{"title":"a","response":"y"}`}, fail: []string{`{"title":"a"}`, `{"title":"a","response":"x"}`}},
	{kind: "not", keys: `expectation: {type: all_of, expectations: [{type: title_excludes, patterns: [x]}, {type: response_contains, patterns: [y]}]}`, pass: []string{`{"title":"x"}`, `{"title":"a","response":"x"}`}, fail: []string{`{"title":"a"}`, `{"title":"a","response":"y"}`}},
	{kind: "all_of", keys: `threshold: 0.5, expectations: [{type: has_title, weight: 2}, {type: has_tldr}, {type: has_subtitle}, {type: worthy, weight: 0}]`, pass: []string{`{"title":"a"}`, `{"tldr":"a","subtitle":"b"}`}, fail: []string{`{"tldr":"a"}`, `{"worthy":true}`}},
	{kind: "not", keys: `expectation: {type: all_of, threshold: 0.5, expectations: [{type: worthy, weight: 2}, {type: has_tldr, path: a}, {type: not_worthy, path: b}]}`, pass: []string{`{"worthy":false,"b":true}`}, fail: []string{`{"worthy":false}`, `{"worthy":true,"b":true}`, `{"b":true}`}},

	{kind: "quality_check", keys: `criteria: {accuracy: 0.7, tone: 0.5}`, pass: []string{`{"judge_scores":{"accuracy":0.7,"tone":0.9}}`}, fail: []string{`{"judge_scores":{"accuracy":0.69,"tone":0.9}}`}},
	{kind: "voice_check", keys: `criteria: Does it sound like a person?`, pass: []string{`{"judge_scores":{"voice":0.7}}`}, fail: []string{`{"judge_scores":{"voice":0.6}}`}},
	{kind: "reference_check", keys: `value: Paris`, pass: []string{`{"judge_scores":{"agreement":0.7}}`}, fail: []string{`{"judge_scores":{"agreement":0.69}}`}},
	{kind: "pairwise_check", pass: []string{`{"judge_scores":{"preference":0.5}}`}, fail: []string{`{"judge_scores":{"preference":0.25}}`}},
	{kind: "pairwise_check", keys: `criteria: {preference: 0.75}, value: x`, pass: []string{`{"judge_scores":{"preference":0.75}}`}, fail: []string{`{"judge_scores":{"preference":0.5}}`}},
	{kind: "similar", input: `{"expected": "x"}`, pass: []string{`{"judge_scores":{"similarity":0.75}}`}, fail: []string{`{"judge_scores":{"similarity":0.74}}`}},
	{kind: "similar", keys: `value: x, threshold: 0.9`, pass: []string{`{"judge_scores":{"similarity":0.9}}`}, fail: []string{`{"judge_scores":{"similarity":0.89}}`}},
	{kind: "voice_check", keys: `criteria: Is it kind?, threshold: 0.9`, pass: []string{`{"judge_scores":{"voice":0.9}}`}, fail: []string{`{"judge_scores":{"voice":0.8}}`}},
	{kind: "question_quality", keys: `criteria: [clear]`, pass: []string{`{"judge_scores":{"clear":1}}`}, fail: []string{`{"judge_scores":{"clear":0}}`}},
}

// caseOf makes a case of one expectation.
func caseOf(t *testing.T, kind, keys, input string) cases.Case {
	t.Helper()
	if input == "" {
		input = "{}"
	}
	if keys != "" {
		keys = ", " + keys
	}
	yaml := "name: c\ninput: " + input + "\nexpectations:\n  - {type: " + kind + keys + "}\n"
	all, problems := readYAML(yaml, nil)
	if len(problems) > 0 || len(all) != 1 {
		t.Fatalf("%s: %v\n%s", kind, problems, yaml)
	}
	return all[0]
}

// graded grades one output, as JSON, against one case.
func graded(t *testing.T, c cases.Case, output string) result.Result {
	t.Helper()
	outputs, err := ReadOutputs("o.json", []byte(`{"name":"c","output":`+output+`}`))
	if err != nil {
		t.Fatal(err, output)
	}
	report, err := Grade(context.Background(), []cases.Case{c}, outputs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report.Run.Results[0]
}

func TestTypes(t *testing.T) {
	for _, tr := range trials {
		t.Run(tr.kind, func(t *testing.T) {
			c := caseOf(t, tr.kind, tr.keys, tr.input)
			for _, output := range tr.pass {
				if r := graded(t, c, output); r.Status != result.Pass {
					t.Errorf("%s is %s: %+v", output, r.Status, r.Failures)
				}
			}
			for _, output := range tr.fail {
				r := graded(t, c, output)
				if r.Status != result.Fail || len(r.Failures) == 0 {
					t.Errorf("%s is %s", output, r.Status)
					continue
				}
				if f := r.Failures[0]; f.ExpectationType != tr.kind || f.Check != tr.kind || f.Message == "" || f.Type != "deterministic" && f.Type != "threshold" {
					t.Errorf("%s: %+v", output, f)
				}
			}
			missing := []string{`{"unrelated":1}`}
			if tr.missing != "" {
				missing = append(missing, tr.missing)
			}
			if strings.Contains(tr.keys, "path: .") {
				missing = nil // the output itself is there
			}
			for _, output := range missing {
				if r := graded(t, c, output); r.Passed {
					t.Errorf("%s passes without what it reads", output)
				}
			}
		})
	}
}

// Every type is tried, and every row of the inventory is a type with its keys.
func TestEveryTypeIsThere(t *testing.T) {
	tried := map[string]bool{}
	for _, tr := range trials {
		if len(tr.pass) > 0 && len(tr.fail) > 0 {
			tried[tr.kind] = true
		}
	}
	types := map[string]cases.Spec{}
	for _, s := range Specs() {
		if _, twice := types[s.Name]; twice {
			t.Errorf("%s is declared twice", s.Name)
		}
		types[s.Name] = s
		if !tried[s.Name] && s.Name != "command" { // TestCommand

			t.Errorf("%s is not tried", s.Name)
		}
		if s.About == "" || s.Category == "" || len(s.Reads) == 0 && !s.Whole() {
			t.Errorf("%s tells too little: %+v", s.Name, s)
		}
		for _, path := range s.Reads {
			if _, err := cases.ParsePath(path); err != nil {
				t.Errorf("%s reads %s: %v", s.Name, path, err)
			}
		}
	}
	inventory, err := os.ReadFile("testdata/inventory.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(inventory)) {
		name, keys, _ := strings.Cut(strings.TrimSpace(line), "\t")
		spec, ok := types[name]
		if !ok {
			t.Errorf("%s is no type", name)
			continue
		}
		for key := range strings.SplitSeq(keys, ", ") {
			if key != "" && !slices.ContainsFunc(spec.Keys, func(k cases.Key) bool { return k.Name == key }) {
				t.Errorf("%s has no key %s", name, key)
			}
		}
	}
}

// A path in the case is looked at instead of the type's.
func TestPath(t *testing.T) {
	c := caseOf(t, "title_excludes", `patterns: [x], path: 'drafts[-1].head["a.b"]'`, "")
	if r := graded(t, c, `{"title":"x","drafts":[{},{"head":{"a.b":"fine"}}]}`); !r.Passed {
		t.Errorf("%+v", r.Failures)
	}
	r := graded(t, c, `{"title":"fine","drafts":[{}]}`)
	if r.Passed || r.Failures[0].Message != `output has no drafts[-1].head["a.b"]` {
		t.Errorf("%+v", r.Failures)
	}
	if r := graded(t, caseOf(t, "title_excludes", `patterns: [x]`, ""), `{}`); r.Failures[0].Message != "output has no title (looked at title, structured_content.title)" {
		t.Errorf("%+v", r.Failures)
	}
}

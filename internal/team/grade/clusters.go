package grade

import (
	"fmt"
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

func clusterTypes() []Type {
	const category = "Clustering"
	count := []cases.Key{{Name: "count", Kind: cases.Count, Required: true}}
	stories := []string{"stories", "clusters"}
	either := []string{"clusters", "groups"}
	return []Type{
		{cases.Spec{Name: "cluster_count_range", Category: category, Reads: clusters, Keys: minMaxCount, Needs: eitherEnd, About: "There are so many clusters."}, countList("clusters:")},
		{cases.Spec{Name: "group_count_range", Category: category, Reads: groups, Keys: minMaxCount, Needs: eitherEnd, About: "There are so many groups."}, countList("groups:")},
		{cases.Spec{Name: "group_size_range", Category: category, Reads: groups, Keys: minMaxCount, Needs: eitherEnd,
			About: "Every group has so many members. A group is a list, or an object with members, attendees, people, items or articles."}, groupSizes},
		{cases.Spec{Name: "min_stories", Category: category, Reads: stories, Keys: count,
			About: "There are at least so many stories: entries of stories, or else of stories, articles or items of all clusters together."}, storyCount("count", "")},
		{cases.Spec{Name: "max_stories", Category: category, Reads: stories, Keys: count,
			About: "There are at most so many stories, counted likewise."}, storyCount("", "count")},
		{cases.Spec{Name: "all_attendees_assigned", Category: category, Reads: groups,
			About: "Everyone in attendees, participants or people (of the case, or else of the output) is a member of some group. Persons are texts, or objects known by id, email or name. Without such a list the check fails."}, allAssigned},
		{cases.Spec{Name: "no_duplicate_assignments", Category: category, Reads: groups,
			About: "Nobody is in two groups, or twice in one. No groups at all fail."}, noneTwice},
		{cases.Spec{Name: "themes_not_generic", Category: category, Reads: either,
			Keys:  []cases.Key{{Name: "forbidden_themes", Kind: cases.Patterns, About: "compared whole, case does not matter; or /…/"}},
			About: "Every cluster or group has a theme (theme, title, name or label) and none is forbidden or says nothing, such as General, Miscellaneous, Other, Various, Mixed topics, Group 1."}, themesNotGeneric},
		{cases.Spec{Name: "has_high_score_cluster", Category: category, Reads: clusters,
			Keys:  []cases.Key{{Name: "score", Kind: cases.Number, Required: true}, {Name: "min", Kind: cases.Count, Default: "1", About: "how many clusters"}},
			About: "At least min clusters have this score or a higher one."}, highScore},
		{cases.Spec{Name: "all_clusters_have_evidence", Category: category, Reads: clusters,
			About: "Every cluster has evidence: something in evidence, sources, quotes or articles. No clusters at all fail."}, allHaveEvidence},
	}
}

func countList(what string) func(x *exam) {
	return func(x *exam) {
		if _, list, ok := x.readList(); ok {
			x.count(what, len(list), "min", "max")
		}
	}
}

var memberNames = []string{"members", "attendees", "people", "items", "articles"}

// members returns the entries of every group.
func (x *exam) members() (groups [][]any, ok bool) {
	at, list, ok := x.readSome()
	if !ok {
		return nil, false
	}
	for i, g := range list {
		in, found := member(g, asList, memberNames...)
		if !found {
			x.fail("%s[%d] has no members (looked at %s)", at, i, strings.Join(memberNames, ", "))
			ok = false
			continue
		}
		groups = append(groups, in)
	}
	return groups, ok
}

func groupSizes(x *exam) {
	groups, ok := x.members()
	if !ok {
		return
	}
	for i, g := range groups {
		x.count(fmt.Sprintf("members of group %d:", i+1), len(g), "min", "max")
	}
}

func storyCount(lowest, highest string) func(x *exam) {
	return func(x *exam) {
		at, list, ok := x.readList()
		if !ok {
			return
		}
		n := 0
		for _, v := range list {
			if inner, found := lookupList(v, "stories", "articles", "items"); found {
				n += len(inner)
			} else if at == "clusters" {
				x.fail("a cluster has no stories (looked at stories, articles, items)")
				return
			} else {
				n++
			}
		}
		x.count("stories:", n, lowest, highest)
	}
}

func lookupList(v any, names ...string) ([]any, bool) {
	if _, ok := v.(map[string]any); !ok {
		return nil, false
	}
	return member(v, asList, names...)
}

// person returns by what someone is known, the surest first.
func person(v any) (keys []string, shown string) {
	switch v := v.(type) {
	case string:
		keys = append(keys, strings.ToLower(strings.TrimSpace(v)))
		return keys, v
	case float64:
		return []string{plain(v)}, plain(v)
	case map[string]any:
		for _, name := range []string{"id", "email", "name"} {
			switch s := v[name].(type) {
			case string:
				keys, shown = append(keys, strings.ToLower(strings.TrimSpace(s))), s
			case float64:
				keys, shown = append(keys, plain(s)), plain(s)
			}
		}
	}
	return keys, shown
}

var attendeeLists = []string{"attendees", "participants", "people"}

func allAssigned(x *exam) {
	groups, ok := x.members()
	if !ok {
		return
	}
	var attendees []any
	as := func(v any) (ok bool) { attendees, ok = v.([]any); return ok && len(attendees) > 0 }
	if !x.given(as, nil, attendeeLists) && !x.given(as, attendeeLists, nil) {
		x.fail("no list of attendees (looked at %s of the case and of the output)", strings.Join(attendeeLists, ", "))
		return
	}
	assigned := map[string]bool{}
	for _, g := range groups {
		for _, v := range g {
			keys, _ := person(v)
			for _, k := range keys {
				assigned[k] = true
			}
		}
	}
	var left []string
	for _, v := range attendees {
		keys, shown := person(v)
		found := false
		for _, k := range keys {
			found = found || assigned[k]
		}
		if !found {
			left = append(left, shown)
		}
	}
	if len(left) > 0 {
		x.differ(len(attendees), len(attendees)-len(left), "in no group: %s", text.First(strings.Join(left, ", "), mostShort))
	}
}

func noneTwice(x *exam) {
	groups, ok := x.members()
	if !ok {
		return
	}
	in := map[string]int{}
	for i, g := range groups {
		for _, v := range g {
			keys, shown := person(v)
			if len(keys) == 0 {
				x.fail("a member of group %d has no id, email or name", i+1)
				continue
			}
			first, twice := in[keys[0]]
			switch {
			case twice && first == i:
				x.fail("%s is twice in group %d", text.First(shown, mostShort), i+1)
			case twice:
				x.fail("%s is in group %d and in group %d", text.First(shown, mostShort), first+1, i+1)
			}
			in[keys[0]] = i
		}
	}
}

// generic are themes that say nothing; "group 1" and the like are as well.
var generic = [...]string{
	"general", "general group", "general topics", "general discussion", "misc", "miscellaneous", "other", "others", "other topics", "various", "various topics",
	"mixed", "mixed group", "mixed topics", "untitled", "unknown", "none", "n/a", "na", "tbd", "default", "uncategorized", "uncategorised", "everything else", "random", "theme", "topic", "group", "cluster",
}

func isGeneric(theme string) bool {
	theme = strings.ToLower(strings.Trim(theme, " \t.:-"))
	for _, noun := range []string{"group", "cluster", "theme", "topic"} {
		if rest, ok := strings.CutPrefix(theme, noun+" "); ok && (len(rest) == 1 || strings.Trim(rest, "#0123456789") == "") {
			return true
		}
	}
	for _, g := range generic {
		if theme == g {
			return true
		}
	}
	return false
}

func themesNotGeneric(x *exam) {
	at, list, ok := x.readSome()
	if !ok {
		return
	}
	for i, v := range list {
		theme, ok := "", false
		if _, isObject := v.(map[string]any); isObject {
			theme, ok = member(v, asText, "theme", "title", "name", "label")
		}
		if !ok {
			x.fail("%s[%d] has no theme (looked at theme, title, name, label)", at, i)
			continue
		}
		forbidden := isGeneric(theme)
		for _, p := range x.want.Patterns("forbidden_themes") {
			forbidden = forbidden || p.Is(theme)
		}
		if forbidden {
			x.fail("the theme of %s[%d] is generic: %q", at, i, text.First(theme, mostShort)).Actual = encoded(theme)
		}
	}
}

func highScore(x *exam) {
	at, list, ok := x.readSome()
	if !ok {
		return
	}
	high, scored := 0, 0
	for _, v := range list {
		if _, isObject := v.(map[string]any); !isObject {
			continue
		}
		if s, ok := member(v, asNumber, "score", "relevance_score", "importance"); ok {
			scored++
			if s >= x.number("score") {
				high++
			}
		}
	}
	switch least := x.number("min"); {
	case scored == 0:
		x.fail("no entry of %s has a score", at)
	case float64(high) < least:
		x.differ(least, high, "%s with a score of %s or more, at least %s wanted", text.Count(high, "cluster"), plain(x.number("score")), plain(least))
	}
}

func allHaveEvidence(x *exam) {
	at, list, ok := x.readSome()
	if !ok {
		return
	}
	for i, v := range list {
		has := false
		for _, name := range []string{"evidence", "sources", "quotes", "articles"} {
			object, _ := v.(map[string]any)
			if _, ok := filled(object[name]); ok {
				has = true
			}
		}
		if !has {
			x.fail("%s[%d] has no evidence (looked at evidence, sources, quotes, articles)", at, i)
		}
	}
}

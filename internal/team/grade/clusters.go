package grade

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

func clusterTypes() []Type {
	const category = "Clustering"
	count := need("count")
	stories := []string{"stories", "clusters"}
	either := []string{"clusters", "groups"}
	return []Type{
		{cases.Spec{Name: "cluster_count_range", Category: category, Reads: clusters, Keys: minMaxCount, Needs: eitherEnd, About: "There are so many clusters."}, numberOf("clusters:", "min", "max")},
		{cases.Spec{Name: "group_count_range", Category: category, Reads: groups, Keys: minMaxCount, Needs: eitherEnd, About: "There are so many groups."}, numberOf("groups:", "min", "max")},
		{cases.Spec{Name: "group_size_range", Category: category, Reads: groups, Keys: minMaxCount, Needs: eitherEnd,
			About: "Every group has so many members. A group is a list, or an object with members, attendees, people, items or articles."}, of((*exam).members, groupSizes)},
		{cases.Spec{Name: "min_stories", Category: category, Reads: stories, Keys: count,
			About: "There are at least so many stories: entries of stories, or else of stories, articles or items of all clusters together."}, storyCount("count", "")},
		{cases.Spec{Name: "max_stories", Category: category, Reads: stories, Keys: count,
			About: "There are at most so many stories, counted likewise."}, storyCount("", "count")},
		{cases.Spec{Name: "all_attendees_assigned", Category: category, Reads: groups,
			About: "Everyone in attendees, participants or people (of the case, or else of the output) is a member of some group. Persons are texts, or objects known by id, email or name. Without such a list the check fails."}, of((*exam).members, allAssigned)},
		{cases.Spec{Name: "no_duplicate_assignments", Category: category, Reads: groups,
			About: "Nobody is in two groups, or twice in one. No groups at all fail."}, of((*exam).members, noneTwice)},
		{cases.Spec{Name: "themes_not_generic", Category: category, Reads: either,
			Keys:  []cases.Key{{Name: "forbidden_themes", Kind: cases.Patterns, About: "compared whole, case does not matter; or /…/"}},
			About: "Every cluster or group has a theme (theme, title, name or label) and none is forbidden or says nothing, such as General, Miscellaneous, Other, Various, Mixed topics, Group 1."}, of((*exam).readSome, themesNotGeneric)},
		{cases.Spec{Name: "has_high_score_cluster", Category: category, Reads: clusters,
			Keys:  []cases.Key{{Name: "score", Kind: cases.Number, Required: true}, {Name: "min", Kind: cases.Count, Default: "1", About: "how many clusters"}},
			About: "At least min clusters have this score or a higher one."}, of((*exam).readSome, highScore)},
		{cases.Spec{Name: "all_clusters_have_evidence", Category: category, Reads: clusters,
			About: "Every cluster has evidence: something in evidence, sources, quotes or articles. No clusters at all fail."}, of((*exam).readSome, allHaveEvidence)},
	}
}

var memberNames = []string{"members", "attendees", "people", "items", "articles"}

// members returns the entries of every group.
func (x *exam) members() ([][]any, bool) {
	return each(x, "members (looked at "+strings.Join(memberNames, ", ")+")", asList, memberNames...)
}

func groupSizes(x *exam, groups [][]any) {
	for i, g := range groups {
		x.count(fmt.Sprintf("members of group %d:", i+1), len(g), "min", "max")
	}
}

func storyCount(lowest, highest string) func(x *exam) {
	return of((*exam).readList, func(x *exam, l entries) {
		n := 0
		for _, v := range l.all {
			if inner, found := inObject(v, asList, "stories", "articles", "items"); found {
				n += len(inner)
			} else if l.at == "clusters" {
				x.absent("a cluster has no stories (looked at stories, articles, items)")
				return
			} else {
				n++
			}
		}
		x.count("stories:", n, lowest, highest)
	})
}

// person returns by what someone is known, the surest first.
func person(v any) (keys []string, shown string) {
	names := []any{v}
	if object, ok := v.(map[string]any); ok {
		names = []any{object["id"], object["email"], object["name"]}
	}
	for _, name := range names {
		switch s := name.(type) {
		case string:
			keys, shown = append(keys, strings.ToLower(strings.TrimSpace(s))), s
		case float64:
			keys, shown = append(keys, plain(s)), plain(s)
		}
	}
	return keys, shown
}

var attendeeLists = []string{"attendees", "participants", "people"}

func allAssigned(x *exam, groups [][]any) {
	attendees, ok := first(x.input(), attendeeLists, asSome)
	if !ok {
		attendees, ok = first(x.out.Value, attendeeLists, asSome)
	}
	if !ok {
		x.absent("no list of attendees (looked at %s of the case and of the output)", strings.Join(attendeeLists, ", "))
		return
	}
	assigned := map[string]bool{}
	for _, v := range slices.Concat(groups...) {
		keys, _ := person(v)
		for _, k := range keys {
			assigned[k] = true
		}
	}
	var left []string
	for _, v := range attendees {
		keys, shown := person(v)
		if !slices.ContainsFunc(keys, func(k string) bool { return assigned[k] }) {
			left = append(left, shown)
		}
	}
	if len(left) > 0 {
		x.differ(len(attendees), len(attendees)-len(left), "in no group: %s", text.First(strings.Join(left, ", "), mostShort))
	}
}

func noneTwice(x *exam, groups [][]any) {
	in := map[string]int{}
	for i, g := range groups {
		for _, v := range g {
			keys, shown := person(v)
			if len(keys) == 0 {
				x.absent("a member of group %d has no id, email or name", i+1)
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
	return slices.Contains(generic[:], theme)
}

func themesNotGeneric(x *exam, l entries) {
	for i, v := range l.all {
		theme, ok := inObject(v, asText, "theme", "title", "name", "label")
		if !ok {
			x.absent("%s[%d] has no theme (looked at theme, title, name, label)", l.at, i)
		} else if isGeneric(theme) || slices.ContainsFunc(x.want.Patterns("forbidden_themes"), func(p cases.Pattern) bool { return p.Is(theme) }) {
			x.fail("the theme of %s[%d] is generic: %q", l.at, i, text.First(theme, mostShort)).Actual = encoded(theme)
		}
	}
}

func highScore(x *exam, l entries) {
	high, scored := 0, 0
	for _, v := range l.all {
		if s, ok := inObject(v, asNumber, "score", "relevance_score", "importance"); ok {
			scored++
			if s >= x.number("score") {
				high++
			}
		}
	}
	switch least := x.number("min"); {
	case scored == 0:
		x.absent("no entry of %s has a score", l.at)
	case float64(high) < least:
		x.lacks = scored < len(l.all)
		x.differ(least, high, "%s with a score of %s or more, at least %s wanted", text.Count(high, "cluster"), plain(x.number("score")), plain(least))
	}
}

func allHaveEvidence(x *exam, l entries) {
	for i, v := range l.all {
		if _, has := inObject(v, filled, "evidence", "sources", "quotes", "articles"); !has {
			x.absent("%s[%d] has no evidence (looked at evidence, sources, quotes, articles)", l.at, i)
		}
	}
}

package grade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

func sourceTypes() []Type {
	const category = "Source audit"
	return []Type{
		{cases.Spec{Name: "source_audit_ran", Category: category, Reads: []string{"source_audit", "source_audit_ran"},
			About: "The audit of sources ran: source_audit is true, or a list or object with something in it whose ran is not false and whose status is not skipped, error or failed."}, auditRan},
		{cases.Spec{Name: "urls_from_sources", Category: category, Reads: bodies,
			Keys: []cases.Key{{Name: "allow_tweets", Kind: cases.Bool, Default: "false", About: "links to twitter.com and x.com"}, {Name: "allow_internal", Kind: cases.Bool, Default: "false", About: "relative links, and to internal_hosts"},
				{Name: "internal_hosts", Kind: cases.Texts, About: "hosts of one's own, with those under them"}},
			About: "Every link of the body is one of the sources: sources, source_urls or urls of the output, or else of the case, as texts or as objects with url, link or href. Scheme, www., fragment, a slash at the end and utm_ parameters make no difference. Without sources the check fails; a body without links passes."}, of((*exam).readText, urlsFromSources)},
		{cases.Spec{Name: "outline_sources_cited", Category: category, Reads: bodies,
			Keys:  []cases.Key{{Name: "min_ratio", Kind: cases.Share, Default: "1"}},
			About: "At least this share of the outline's sources is cited in the body: by the address, by the title or name, or by [id]. They are in outline.sources, and in sources of the sections of outline or outline.sections, of the output or else of the case. Without any the check fails."}, of((*exam).readText, outlineCited)},
	}
}

func auditRan(x *exam) {
	at, v, ok := readAt(x, x.reads, "something", asAny)
	if !ok {
		return
	}
	switch v := v.(type) {
	case bool:
		if !v {
			x.differ(true, false, "%s is false", at)
		}
	case []any, map[string]any:
		if !isFilled(v) {
			x.absent("%s is empty", at)
			return
		}
		object, _ := v.(map[string]any)
		status, _ := object["status"].(string)
		if object["ran"] == false || slices.Contains([]string{"skipped", "error", "failed"}, strings.ToLower(status)) {
			x.fail("%s says that the audit did not run", at)
		}
	default:
		x.absent("%s must be an object or true, not %s", at, kindOf(v))
	}
}

// source is something that can be cited.
type source struct{ url, title, id string }

func sourceOf(v any) (s source, ok bool) {
	if text, isText := asText(v); isText {
		if host(text) != "" {
			return source{url: text}, true
		}
		return source{title: text}, true
	}
	s.url, _ = inObject(v, asText, "url", "link", "href")
	s.title, _ = inObject(v, asText, "title", "name")
	s.id, _ = inObject(v, asText, "id")
	if n, isNumber := inObject(v, asNumber, "id"); isNumber {
		s.id = plain(n)
	}
	return s, s != source{}
}

func sourcesIn(list []any) (all []source) {
	for _, v := range list {
		if s, ok := sourceOf(v); ok {
			all = append(all, s)
		}
	}
	return all
}

var sourceLists = []string{"sources", "source_urls", "urls"}

func urlsFromSources(x *exam, body string) {
	list, ok := first(x.out.Value, sourceLists, asList)
	if !ok {
		list, ok = first(x.input(), sourceLists, asList)
	}
	if !ok {
		x.absent("no list of sources (looked at %s of the output and of the case)", strings.Join(sourceLists, ", "))
		return
	}
	known := map[string]bool{}
	for _, s := range sourcesIn(list) {
		if s.url != "" {
			known[address(s.url)] = true
		}
	}
	for _, link := range links(body) {
		h := host(link)
		switch {
		case strings.HasPrefix(link, "#"), strings.HasPrefix(link, "mailto:"), strings.HasPrefix(link, "tel:"):
		case known[address(link)]:
		case x.want.Bool("allow_tweets") && (isUnder(h, "twitter.com") || isUnder(h, "x.com")):
		case x.want.Bool("allow_internal") && (h == "" || slices.ContainsFunc(x.want.Texts("internal_hosts"), func(own string) bool { return isUnder(h, strings.ToLower(own)) })):
		default:
			x.fail("the link %s is no source", text.First(link, mostShort)).Actual = encoded(link)
		}
	}
}

func isUnder(h, own string) bool {
	own = strings.TrimPrefix(own, "www.")
	return h == own || strings.HasSuffix(h, "."+own)
}

// outlineSources collects the sources of an outline and of its sections.
func outlineSources(outline any) (all []source, ok bool) {
	list, _ := inObject(outline, asList, "sources")
	all = sourcesIn(list)
	sections, _ := member(outline, asList, "sections")
	for _, section := range sections {
		list, _ := inObject(section, asList, "sources")
		all = append(all, sourcesIn(list)...)
	}
	return all, len(all) > 0
}

func outlineCited(x *exam, body string) {
	all, ok := first(x.out.Value, []string{"outline"}, outlineSources)
	if !ok {
		all, ok = first(x.input(), []string{"outline"}, outlineSources)
	}
	if !ok {
		x.absent("no sources of an outline (looked at outline of the output and of the case)")
		return
	}
	linked := map[string]bool{}
	for _, l := range links(body) {
		linked[address(l)] = true
	}
	lower := strings.ToLower(body)
	different, cited := map[source]bool{}, 0
	var missed []string
	for _, s := range all {
		if different[s] {
			continue
		}
		different[s] = true
		if s.url != "" && linked[address(s.url)] || s.title != "" && strings.Contains(lower, strings.ToLower(s.title)) || s.id != "" && strings.Contains(body, "["+s.id+"]") {
			cited++
		} else {
			missed = append(missed, cmp.Or(s.url, s.title, s.id, "?"))
		}
	}
	ratio := float64(cited) / float64(len(different))
	if least := x.number("min_ratio"); ratio < least {
		x.differ(least, ratio, "%s cited, at least %s %% wanted; missing: %s", fmt.Sprintf("%d of %d sources of the outline", cited, len(different)), plain(100*least), text.First(strings.Join(missed, ", "), mostShort))
	}
}

package grade

import (
	"fmt"

	"cairn/internal/team/cases"
)

func threadTypes() []Type {
	return []Type{
		{cases.Spec{Name: "has_tweets", Category: "Threads", Reads: tweets, Keys: []cases.Key{{Name: "min_count", Kind: cases.Count, Default: "1"}, {Name: "max_count", Kind: cases.Count}},
			About: "There are so many tweets, none of them empty."}, hasTweets},
		{cases.Spec{Name: "char_limits", Category: "Threads", Reads: tweets, Keys: []cases.Key{{Name: "max_chars", Kind: cases.Count, Default: "280"}},
			About: "Every tweet is short enough, counted as X does: an http or https address is 23, characters of most alphabets 1, all others (Chinese, Japanese, Korean, …) 2, an emoji 2 whatever it is put together from."}, charLimits},
		{cases.Spec{Name: "link_in_last_tweet", Category: "Threads", Reads: tweets,
			About: "The last tweet has an http or https address. Others may have one too."}, linkInLastTweet},
	}
}

// tweets reads the texts of a thread: texts, or objects with text, body or content.
func (x *exam) tweets() (texts []string, ok bool) {
	at, list, ok := x.readSome()
	if !ok {
		return nil, false
	}
	for i, v := range list {
		s, found := member(v, asText, "text", "body", "content")
		if !found {
			x.fail("%s[%d] has no text", at, i)
			ok = false
		}
		texts = append(texts, s)
	}
	return texts, ok
}

func hasTweets(x *exam) {
	if texts, ok := x.tweets(); ok {
		x.count("tweets:", len(texts), "min_count", "max_count")
	}
}

func charLimits(x *exam) {
	texts, ok := x.tweets()
	if !ok {
		return
	}
	for i, s := range texts {
		x.count(fmt.Sprintf("length of tweet %d:", i+1), tweetLength(s), "", "max_chars")
	}
}

func linkInLastTweet(x *exam) {
	if texts, ok := x.tweets(); ok && len(webLinks(texts[len(texts)-1])) == 0 {
		x.fail("the last tweet has no link")
	}
}

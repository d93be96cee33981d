package injection

import "strings"

// turns are the tags and headings with which chats are cut into turns. A text that
// holds them wants to look like more than one.
var turns = [...]struct {
	sign   string
	points int
}{
	{"<|im_start|>", 4}, {"<|im_end|>", 3}, {"<|system|>", 4}, {"<|user|>", 3}, {"<|assistant|>", 3}, {"<|endoftext|>", 3}, {"<|end|>", 2},
	{"<|start_header_id|>", 4}, {"<|eot_id|>", 3}, {"<|begin_of_text|>", 3}, {"<start_of_turn>", 3}, {"<end_of_turn>", 3},
	{"<<sys>>", 4}, {"<</sys>>", 3}, {"[inst]", 4}, {"[/inst]", 4},
	{"<system>", 4}, {"</system>", 3}, {"<assistant>", 3}, {"<human>", 3}, {"</human>", 2}, {"</user>", 2}, {"<system-reminder>", 5}, {"<system_prompt>", 3},
	{"</tool_result>", 4}, {"</function_results>", 4}, {"<function_calls>", 4}, {"</document>", 2}, {"</user_query>", 4}, {"</untrusted>", 4}, {"</context>", 2},
	{"<important>", 3}, {"<secret>", 2}, {"<admin>", 4}, {"<instructions>", 2}, {"<instruction>", 2},
	{"[system]", 5}, {"[system ", 4}, {"[admin]", 4}, {"[assistant]", 3}, {"[new instructions]", 5}, {"[override]", 4},
}

// markup looks for the sign of a turn, a hidden passage or a telling image at i.
func (s *scanner) markup(i int, see func(int)) {
	rest := s.text[i:min(len(s.text), i+24)]
	if rest[0] == '!' {
		if strings.HasPrefix(rest, "![") {
			s.image(i, see)
		}
		return
	}
	if len(rest) < 5 || rest[0] == '(' || rest[1] == ' ' {
		return
	}
	for n := range turns {
		t := &turns[n]
		if t.sign[0] == rest[0] && len(rest) >= len(t.sign) && t.sign[1] == rest[1]|0x20 && strings.EqualFold(rest[:len(t.sign)], t.sign) {
			s.hit(fakeTurn, t.points, i, i+len(t.sign))
			see(i)
			return
		}
	}
}

// image looks for an image whose address has a place for data.
func (s *scanner) image(i int, see func(int)) {
	rest := s.text[i:min(len(s.text), i+400)]
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	_, url, ok := strings.Cut(rest, "](")
	if !ok || !strings.HasPrefix(url, "http") {
		return
	}
	url, _, ok = strings.Cut(url, ")")
	_, query, has := strings.Cut(url, "?")
	if !ok || !has || strings.Contains(url, "shields.io") {
		return
	}
	points := 0
	if strings.ContainsAny(query, "{[<$") {
		points += 5
	}
	query = strings.ToLower(query)
	for _, w := range [...]string{"data", "secret", "history", "chat", "prompt", "env", "leak", "exfil", "context", "conversation", "summary", "token", "key"} {
		if strings.Contains(query, w) {
			points += 5
			break
		}
	}
	if points > 5 {
		s.hit(imageLeak, points, i, i+len(rest))
		see(i)
	}
}

// hiddenAt returns the points that a passage gets because a reader of the page
// would not see it.
func (s *scanner) hiddenAt(at int) int {
	const reach = 1500
	before := s.text[max(0, at-reach):at]
	if open := strings.LastIndex(before, "<!--"); open >= 0 && !strings.Contains(before[open:], "-->") {
		return 4
	}
	tail := before[max(0, len(before)-300):]
	for _, style := range [...]string{"display:none", "display: none", "font-size:0", "font-size: 0", "font-size:1px", "font-size: 1px", "opacity:0", "opacity: 0", "color:white", "color: white", "color:#fff", "color: #fff", "visibility:hidden", "visibility: hidden", "aria-hidden", "[//]: #", "[comment]: #", "[comment]: <>", "left:-9999", "left: -9999", "<span hidden", "<div hidden", "<p hidden"} {
		if strings.Contains(tail, style) {
			return 4
		}
	}
	return 0
}

// shell looks at the line of a word such as curl: one that reads secrets and sends
// them, or that runs what it loads.
func (s *scanner) shell(w *word) {
	from := max(0, int(w.from)-200)
	from += strings.LastIndexByte(s.text[from:w.from], '\n') + 1
	line := s.text[from:min(len(s.text), int(w.to)+200)]
	if n := strings.IndexByte(s.text[w.to:from+len(line)], '\n'); n >= 0 {
		line = s.text[from : int(w.to)+n]
	}
	for _, secret := range [...]string{"$(cat", "$(env", "`cat ", "`env`", "@.env", "cat .env", "env |", "printenv", "id_rsa", ".ssh/", ".aws/", ".netrc", ".npmrc", "$(whoami", "history |", "SECRET", "/etc/passwd"} {
		if strings.Contains(line, secret) {
			s.hit(exfiltration, 7, from, from+len(line))
			return
		}
	}
	for _, danger := range [...]string{"autoApprove", "bypassPermissions", "--no-verify", "chmod 777", "-R 777"} {
		if strings.Contains(line, danger) {
			s.hit(toolOrder, 4, int(w.from), int(w.to))
			return
		}
	}
	for _, pipe := range [...]string{"| sh", "|sh", "| bash", "|bash", "| sudo", "| python"} {
		if strings.Contains(line, pipe) {
			s.hit(toolOrder, 3, int(w.from), int(w.to))
			return
		}
	}
}

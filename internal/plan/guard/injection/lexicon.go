package injection

// A class is a set of roles that a word can play in an order.
type class uint64

const (
	cIgnore  class = 1 << iota // ignore, disregard, forget
	cPrior                     // previous, above, earlier
	cAll                       // all, any, everything
	cOrders                    // instructions, prompt, guidelines
	cText                      // rules, context, messages: orders only beside other words
	cYour                      // your
	cYou                       // you
	cNot                       // not, never, without
	cTell                      // tell, mention, inform
	cUser                      // user, human, developer
	cAI                        // assistant, agent, claude
	cReveal                    // reveal, print, repeat
	cSystem                    // system, initial, hidden
	cSend                      // send, post, upload
	cSecret                    // credentials, keys, conversation
	cURL                       // an address of the net
	cRun                       // run, execute, call
	cCommand                   // command, script, tool
	cSilent                    // silently, secretly
	cAsk                       // asking, confirmation
	cSummary                   // summarize, compaction
	cKeep                      // preserve, retain, verbatim
	cThis                      // this, these, following
	cNew                       // new, real, true
	cTask                      // task, goal, role
	cDecode                    // decode, base64
	cFollow                    // follow, obey
	cFree                      // unrestricted, jailbroken
	cLimits                    // restrictions, filters
	cDelete                    // delete, wipe
	cAct                       // act, behave, pretend
	cMust                      // must, should, will
	cAre                       // are, be
	cNow                       // now
	cVoid                      // void, revoked, obsolete
	cBefore                    // before, first, immediately
	cRead                      // reading, processing
	cIf                        // if, when
	cNote                      // attention, note, important
	cPrompt                    // prompt
	cOn                        // on, forward
	cA                         // a, an, the
	cTo                        // to
	cEnd                       // end, begin, start
	cPerson                    // anthropic, admin
	cApprove                   // approved, authorized
	cPraise                    // recommend, positive
	cMode                      // mode
	cNo                        // no, none
	cReport                    // injection, attack: someone writes about it
	cSays                      // like, says, tries: someone quotes it
	cLead                      // please, then: an order may follow
	cForeign                   // the word is not English
	cPath                      // a file that holds secrets
	cBlob                      // base64, hex: letters that mean other letters
	cGo                        // and, then: joins two orders
	cSkip                      // override, bypass, skip: weaker than ignore
	cShell                     // curl, wget, nc
	cOnly                      // only
	cBad                       // negatives, weaknesses
	cMemory                    // memory
	cGlued                     // of a language without spaces
	cTurned                    // written backwards or in rot13
	cWithout                   // without
)

// anchors are the classes without which no rule reaches the threshold. They are
// rare in ordinary text, so that most of it is never looked at twice.
const anchors = cIgnore | cSkip | cOrders | cAI | cSummary | cSilent | cDecode | cFree | cPath | cApprove | cShell | cTurned | cMemory | cPerson | cUser | cNow | cTask | cPrior | cLimits

// lexicon returns the roles of a word: folded, without accents, dashes and
// apostrophes. A switch over constants needs no preparation.
func lexicon(w string) class {
	switch w {
	case "ignore", "disregard", "forget", "disobey", "unlearn", "ingore", "igonre", "ignor", "disreguard", "discard", "neglect", "aside", "nullify", "disavow":
		return cIgnore
	case "override", "bypass", "circumvent", "overrule", "violate", "skip", "dismiss":
		return cSkip
	case "drop", "erase":
		return cSkip | cDelete
	case "vtaber", "qvfertneq", "vafgehpgvbaf", "cebzcg", "erongi", "snoitcurtsni", "tpmorp", "dragersid":
		return cTurned
	case "ignoring", "disregarding", "forgetting":
		return cSays
	case "ignoriere", "ignoriert", "ignorieren", "vergiss", "vergesst", "vergessen", "missachte", "missachten", "ubergehe", "verwirf",
		"ignorez", "ignorer", "oublie", "oubliez", "oublier", "negligez", "neglige",
		"ignora", "ignoren", "ignorad", "ignorar", "olvida", "olvide", "olviden", "olvidar", "omite", "omita", "descarta", "descarte",
		"esqueca", "esquece", "desconsidere", "desconsidera",
		"dimentica", "ignorate", "dimenticate", "tralascia",
		"negeer", "vergeet", "zignoruj", "ignoruj", "zapomnij", "yoksay", "unut", "glom", "ignorera",
		"игнорируй", "игнорируйте", "проигнорируй", "проигнорируйте", "игнорировать", "забудь", "забудьте", "отмени", "отмените", "ігноруй", "забудьмо":
		return cIgnore | cForeign
	case "previous", "prior", "above", "preceding", "earlier", "foregoing", "aforementioned", "former", "previously", "previuos", "previos", "previus", "priors":
		return cPrior
	case "before":
		return cPrior | cBefore
	case "vorherigen", "vorherige", "vorigen", "bisherigen", "bisherige", "fruheren", "vorangegangenen", "obigen", "obige", "vorangehenden", "ursprunglichen", "samtliche",
		"precedentes", "precedente", "precedents", "anterieures", "anterieurs", "dessus", "prealables",
		"anteriores", "anterior", "previas", "antes", "arriba", "acima", "precedenti", "vorige", "eerdere", "bovenstaande", "poprzednie", "wczesniejsze", "onceki", "tidigare",
		"предыдущие", "предыдущих", "предыдущую", "прежние", "прошлые", "ранее", "выше", "вышеуказанные", "попередні":
		return cPrior | cForeign
	case "all", "any", "every", "everything", "anything", "whatever", "entire", "whole":
		return cAll
	case "alle", "alles", "toutes", "tous", "tout", "todas", "todos", "todo", "tutte", "tutti", "wszystkie", "tum", "все", "всё", "усі", "всі":
		return cAll | cForeign
	case "instructions", "instruction", "directive", "directives", "guideline", "guidelines", "directions", "orders", "instrutions", "instuctions", "intructions", "instrucions":
		return cOrders
	case "prompt", "prompts":
		return cOrders | cPrompt
	case "systemprompt":
		return cOrders | cPrompt | cSystem
	case "anweisungen", "anweisung", "instruktionen", "befehle", "vorgaben", "systemprompts", "richtlinien", "anordnungen",
		"consignes", "consigne", "ordres", "directivas", "instrucciones", "instruccion", "indicaciones", "ordenes", "directrices", "instrucoes", "ordens", "orientacoes", "diretrizes", "comandos",
		"istruzioni", "direttive", "instructies", "opdrachten", "instrukcje", "polecenia", "talimatlari", "talimatlar", "instruktioner",
		"инструкции", "инструкций", "указания", "указаний", "команды", "промпт", "предписания", "інструкції", "вказівки":
		return cOrders | cForeign
	case "rules", "programming", "criteria", "context", "messages", "text", "constraints", "input", "conversation", "guidance", "training", "commands", "request", "requests", "policies", "policy", "content", "prompting", "words", "requirements", "settings", "alignment", "configuration":
		switch w {
		case "conversation":
			return cText | cSecret
		case "constraints", "policies", "policy", "training", "alignment":
			return cText | cLimits
		}
		return cText
	case "regeln", "regles", "reglas", "regras", "regole", "reglen", "zasady", "правила", "gesagt", "dit", "dicho", "dito":
		return cText | cForeign
	case "task", "tasks", "goal", "goals", "objective", "mission", "job", "role", "purpose", "persona", "identity":
		return cTask
	case "aufgabe", "rolle", "tache", "tarea", "tarefa", "compito", "задача", "задание", "роль":
		return cTask | cForeign
	case "your", "ur":
		return cYour
	case "deine", "deinen", "ihre", "ihren", "vos", "votre", "tes", "tus", "suas", "seus", "твои", "твой", "ваши", "свои", "свой":
		return cYour | cForeign
	case "youre":
		return cYou | cAre
	case "you", "youll", "u", "yourself":
		return cYou
	case "du", "sie", "bist", "vous", "toi", "usted", "voce", "ты", "вы", "eres", "etes", "jetzt", "maintenant", "ahora", "agora", "теперь", "adesso":
		switch w {
		case "jetzt", "maintenant", "ahora", "agora", "теперь", "adesso":
			return cNow | cForeign
		}
		return cYou | cForeign
	case "not", "never", "dont", "donot", "cannot", "mustnt", "shouldnt", "avoid", "refrain", "stop", "cease", "quit":
		return cNot
	case "without":
		return cNot | cWithout
	case "longer":
		return cVoid
	case "highlight", "flag":
		return cTell
	case "document", "documents", "documentation", "file", "files", "page", "pages", "section", "readme", "repository":
		return cText
	case "nicht", "niemals", "ne", "jamais", "pas", "nunca", "jamas", "nao", "non", "не", "никогда", "ohne", "sans", "sin", "sem", "без":
		return cNot | cForeign
	case "no", "none", "zero", "free":
		return cNo
	case "tell", "mention", "inform", "notify", "disclose", "alert", "acknowledge", "warn", "telling", "informing", "notifying", "mentioning", "alerting", "discuss", "acknowledging", "disclosing":
		return cTell
	case "reveal", "leak", "expose", "divulge", "revealing", "exposing":
		return cTell | cReveal
	case "say", "state", "admit", "announce", "hint", "refer", "talk", "indicate", "explain", "report", "show", "ask", "confirm":
		switch w {
		case "show":
			return cTell | cReveal
		case "ask":
			return cAsk
		case "confirm":
			return cAsk
		}
		return cTell
	case "dis", "dites", "sag", "sage", "sagen", "erwahne", "digas", "diga", "informe", "informes", "mencione", "menciones", "mentionne", "mentionnez", "informez", "conte", "говори", "сообщай", "сообщайте", "упоминай":
		return cTell | cForeign
	case "user", "users", "human", "humans", "developer", "developers", "owner", "anyone", "anybody", "operator", "reviewer", "reviewers", "maintainer", "author", "nobody", "people", "them", "customer", "person":
		return cUser
	case "nutzer", "benutzer", "anwender", "utilisateur", "usuario", "utente", "пользователю", "пользователь", "пользователя", "nutzern":
		return cUser | cForeign
	case "assistant", "assistants", "ai", "ais", "llm", "llms", "agent", "agents", "claude", "chatgpt", "gpt", "copilot", "cursor", "gemini", "codex", "chatbot", "chatbots", "gpt4", "gpt5", "grok", "windsurf", "devin", "opencode", "deepseek":
		return cAI
	case "language", "bot", "bots", "crawler", "crawlers", "summarizer":
		return cAI
	case "ki", "assistent", "assistente", "asistente", "ia", "ии", "ассистент", "нейросеть", "агент", "modell":
		return cAI | cForeign
	case "print", "output", "repeat", "display", "reproduce", "recite", "dump", "echo", "return", "write", "paste", "list", "share", "give", "provide", "spell", "translate":
		return cReveal
	case "zeige", "gib", "verrate", "affiche", "revele", "revelez", "montre", "muestra", "revela", "muestrame", "imprime", "mostre", "mostra", "покажи", "выведи", "раскрой", "повтори", "wiederhole", "repete", "repite", "repita":
		return cReveal | cForeign
	case "system", "initial", "hidden", "original", "internal", "underlying", "confidential", "sytem", "full", "exact", "complete", "safety":
		return cSystem
	case "systeme", "sistema", "системный", "системные", "системного", "initiales", "iniciales", "iniciais", "начальные":
		return cSystem | cForeign
	case "send", "upload", "exfiltrate", "transmit", "forward", "email", "submit", "post", "deliver", "sends", "sending", "transfer", "append", "attach", "embed", "encode", "steal", "harvest", "collect", "gather", "publish", "beacon":
		return cSend
	case "sende", "senden", "schicke", "schick", "ubermittle", "envoie", "envoyez", "envia", "envie", "enviar", "mande", "manda", "invia", "отправь", "отправьте", "перешли", "wyslij":
		return cSend | cForeign
	case "credentials", "credential", "secrets", "secret", "password", "passwords", "token", "tokens", "key", "keys", "apikey", "apikeys", "env", "environment", "cookies", "cookie", "history", "private", "ssh", "wallet", "mnemonic", "passphrase", "chat", "variables":
		if w == "secret" {
			return cSecret | cSystem
		}
		return cSecret
	case "zugangsdaten", "passworter", "schlussel", "umgebungsvariablen", "cles", "cle", "secretes", "contrasenas", "claves", "credenciales", "credenciais", "senhas", "chaves", "пароли", "ключи", "токены", "секреты", "переменные", "credenziali":
		return cSecret | cForeign
	case "run", "execute", "runs", "executes", "invoke", "call", "perform", "eval", "launch", "install", "executing", "running", "fetch", "download", "open", "visit", "curl", "wget", "use", "click":
		switch w {
		case "curl", "wget":
			return cRun | cShell
		}
		return cRun
	case "fuhre", "executez", "ejecuta", "ejecute", "executa", "esegui", "выполни", "выполните", "запусти":
		return cRun | cForeign
	case "autoapprove", "bypasspermissions", "chmod", "verify", "nc", "nslookup", "netcat":
		return cShell
	case "printenv", "id_rsa", "id_ed25519", "netrc", "npmrc", "dotenv":
		return cPath
	case "know", "notice", "aware", "learn", "realize", "find", "finding", "informed", "knowing", "noticing":
		return cRead
	case "only", "sole", "solely":
		return cOnly
	case "negative", "negatives", "weakness", "weaknesses", "disadvantages", "flaws", "issues", "criticism", "competitors":
		return cBad
	case "memory", "memories":
		return cMemory
	case "always":
		return cLead
	case "command", "script", "tool", "shell", "code", "function", "bash", "terminal", "sh", "python", "powershell", "steps", "action", "actions", "tools":
		return cCommand
	case "silently", "secretly", "covertly", "quietly", "discreetly", "stealthily", "surreptitiously", "invisibly":
		return cSilent
	case "heimlich", "secretement", "discretement", "secretamente", "silenciosamente", "тайно", "незаметно", "silencieusement":
		return cSilent | cForeign
	case "asking", "confirmation", "permission", "approval", "consent", "consulting", "acknowledgment", "acknowledgement", "verification":
		return cAsk
	case "summarize", "summarise", "summarizing", "summarising", "summary", "summaries", "summarization", "summarisation", "compaction", "compacting", "compact", "compress", "compressing", "condense", "condensing", "condensed", "compressed", "compacted", "summarized", "summarised", "resets", "truncation":
		return cSummary
	case "zusammenfassung", "zusammenfassen", "resume", "resumer", "resumen", "resumir", "resumo", "сводке", "резюме":
		return cSummary | cForeign
	case "preserve", "retain", "keep", "preserved", "retained", "kept", "carry", "carried", "survive", "survives", "persist", "persists", "remain", "remains", "remember", "verbatim", "include", "included", "copy", "maintain", "permanent", "permanently", "unchanged", "intact", "reproduced", "repeated":
		return cKeep
	case "following":
		return cThis | cFollow
	case "this", "these", "below", "it", "that", "those":
		return cThis
	case "new", "updated", "real", "actual", "revised":
		return cNew
	case "neue", "neuen", "nouvelles", "nouvelle", "nuevas", "nueva", "novas", "nova", "nuove", "новые", "новая", "новое":
		return cNew | cForeign
	case "decode", "decrypt", "deobfuscate", "unscramble", "decipher", "decoded", "decrypted", "decoding":
		return cDecode
	case "base64", "rot13", "hex", "hexadecimal", "base32", "caesar", "cipher", "ciphertext", "encoded", "reversed", "backwards":
		return cBlob
	case "follow", "obey", "comply", "adhere", "followed", "obeyed", "obeying", "bound", "respect", "honor", "heed", "executed":
		return cFollow
	case "befolge", "folge", "suis", "suivez", "obeis", "sigue", "siga", "cumpla", "segui", "следуй", "следуйте":
		return cFollow | cForeign
	case "unrestricted", "jailbroken", "uncensored", "unfiltered", "dan", "unbounded", "amoral", "unaligned", "stan", "dude", "aim", "jailbreak", "limitless", "unlimited", "evil", "rogue", "freely", "unshackled", "omnipotent":
		return cFree
	case "uneingeschrankte", "uneingeschrankter", "restricciones", "restricoes", "einschrankungen", "ограничений", "restrizioni":
		return cFree | cLimits | cForeign
	case "refuse", "refuses", "decline", "restrictions", "restriction", "limitations", "limits", "filters", "filter", "censorship", "guardrails", "ethics", "ethical", "moderation", "safeguards", "boundaries", "safeties", "protections", "refusals", "limitation":
		return cLimits
	case "delete", "remove", "wipe", "destroy", "overwrite", "rm", "disable", "add", "insert", "change", "modify", "replace", "truncate", "corrupt":
		return cDelete
	case "act", "behave", "pretend", "roleplay", "impersonate", "simulate", "treat", "respond", "answer", "speak", "reply", "operate", "operating", "acting", "responding", "identify", "imagine":
		return cAct
	case "must", "should", "shall", "will", "have", "need", "required", "supposed", "instructed", "obligated", "mandatory", "requires", "ordered", "has":
		return cMust
	case "are", "be", "is", "become", "were", "been", "was", "am", "im", "being":
		return cAre
	case "now", "henceforth", "onwards", "hereafter":
		return cNow
	case "void", "revoked", "obsolete", "cancelled", "canceled", "superseded", "invalid", "outdated", "overridden", "suspended", "lifted", "nullified", "irrelevant", "rescinded", "null", "supersedes", "supersede", "overrides", "replaces", "deprecated", "expired", "terminated", "removed", "off", "apply", "applies", "precedence", "priority", "disabled", "discarded", "ignored", "disregarded", "forgotten", "bypassed":
		return cVoid
	case "first", "immediately", "instantly", "beginning", "firstly":
		return cBefore | cLead
	case "reading", "processing", "parsing", "reviewing", "analyzing", "analysing", "scanning", "indexing", "ingesting", "viewing", "crawling", "evaluating", "read", "process", "parse", "review", "analyze", "see", "encounter":
		return cRead
	case "if", "when", "while", "whenever", "once", "unless":
		return cIf
	case "attention", "note", "important", "dear", "hey", "hello", "warning", "urgent", "hi", "reminder", "message", "critical", "ps", "psa", "memo", "paragraph":
		return cNote
	case "achtung", "hinweis", "wichtig", "aviso", "importante", "avis", "внимание", "attenzione", "atencion", "atencao":
		return cNote | cForeign
	case "from":
		return cOn
	case "over", "enabled", "activated", "active", "on", "onward", "forth", "as", "point":
		return cOn
	case "a", "an", "the", "ein", "eine", "der", "die", "das", "le", "la", "les", "el", "los", "las", "o", "os":
		return cA
	case "to", "for":
		return cTo
	case "end", "begin", "start", "ends", "begins", "starts":
		return cEnd
	case "anthropic", "openai", "google", "admin", "administrator", "administrators", "sysadmin", "sudo", "god", "debug", "maintenance":
		return cPerson
	case "approved", "authorized", "authorised", "preapproved", "authorization", "permitted", "granted", "sanctioned", "whitelisted", "authenticated", "authorize", "authorise":
		return cApprove
	case "recommend", "recommends", "positive", "favorable", "favourable", "highly", "excellent", "best", "perfect", "outstanding", "approve", "merge", "lgtm", "accept", "acceptance":
		return cPraise
	case "mode":
		return cMode
	case "injection", "injections", "attack", "attacks", "attacker", "attackers", "adversarial", "jailbreaks", "jailbreaking", "malicious", "untrusted", "vulnerability", "vulnerabilities", "exploit", "detect", "detects", "detection", "detector", "payload", "payloads", "sanitize", "redteam", "owasp", "mitigation", "mitigations", "defense", "defenses", "threat", "threats", "scanner":
		return cReport
	case "like", "says", "saying", "tries", "trying", "attempt", "attempts", "attempting", "eg", "example", "examples", "phrase", "phrases", "asks", "asked", "told", "tells", "instructs", "instructing", "might", "could", "may", "would", "such", "attempted", "contains", "containing", "try", "sample", "did", "does", "cause", "causes", "causing", "make", "makes", "allow", "allows", "tricks", "trick", "tricking", "ability", "wants":
		return cSays
	case "do", "please", "put", "leave", "lay", "simply", "also", "kindly", "just", "instead", "ok", "okay", "so":
		return cLead
	case "bitte", "por", "favor", "sil", "plait", "пожалуйста":
		return cLead | cForeign
	case "set":
		return cDelete | cLead
	case "and", "then", "but", "und", "et", "y", "e", "и":
		return cGo
	}
	return 0
}

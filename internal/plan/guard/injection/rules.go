package injection

// The patterns: what a finding can be.
const (
	override     = "override"      // forget what you were told
	role         = "role"          // be someone else, without limits
	newTask      = "new-task"      // this is now what you do
	promptLeak   = "prompt-leak"   // show what you were told
	secrecy      = "secrecy"       // do not tell the user, do not ask
	exfiltration = "exfiltration"  // send what is secret somewhere
	toolOrder    = "tool-order"    // run, call, delete
	addressed    = "addressed"     // speaks to the agent that reads
	survival     = "survival"      // outlive a summary, be written to memory
	encodedOrder = "encoded-order" // decode and obey; or an order was found decoded
	fakeTurn     = "fake-turn"     // tags and headings of a chat or of a system
	authority    = "authority"     // the admin, the vendor, the user allowed it
	verdict      = "verdict"       // recommend, approve, rate
	hiddenText   = "hidden-text"   // comments, invisible elements, letters in disguise
	hiddenTags   = "hidden-tags"   // text in characters that nobody can see
	// Characters is a finding of characters that cannot be seen or that turn the
	// direction of writing, where nothing is written that needs them. They are
	// no order; what is shown is another text than what is read.
	Characters = "hidden-characters"

	imageLeak = "image-leak" // a picture whose address carries data away
)

const (
	threshold = 8 // points that a passage needs to be found,
	core      = 6 // and what one of its signs needs
)

// A step is a word of one of the classes, with at most gap other words before it.
type step struct {
	want class
	gap  uint8
}

// A rule gives points for words in this order within one sentence.
type rule struct {
	pattern string
	points  int8
	when    place
	steps   [5]step
}

// A place limits where a rule matches.
type place uint8

const (
	anywhere place = 0
	asOrder  place = 1 << iota // the first word stands where an order can begin
	closed                     // a comma, colon or the end follows the last word
	tight                      // no comma, colon or quote between the words
)

// rules are tried at each word. The words between two steps may be anything.
var rules = [...]rule{
	{override, 10, asOrder, [5]step{{cIgnore, 0}, {cPrior, 4}, {cOrders, 3}}},
	{override, 7, tight, [5]step{{cIgnore, 0}, {cPrior, 2}, {cOrders, 1}}},
	{override, 9, asOrder, [5]step{{cIgnore, 0}, {cUser, 1}, {cOrders | cTask | cText, 1}}},
	{override, 8, asOrder, [5]step{{cIgnore, 0}, {cPrior, 4}, {cText | cTask | cLimits, 2}}},
	{override, 8, asOrder, [5]step{{cIgnore, 0}, {cAll, 2}, {cOrders, 3}}},
	{override, 10, asOrder, [5]step{{cIgnore, 0}, {cYour, 3}, {cOrders | cLimits, 2}}},
	{override, 8, asOrder, [5]step{{cIgnore, 0}, {cYour, 2}, {cText | cTask, 2}}},
	{override, 10, asOrder, [5]step{{cIgnore, 0}, {cOrders, 4}, {cPrior, 4}}},
	{override, 10, asOrder, [5]step{{cIgnore, 0}, {cOrders, 2}, {cYou, 1}, {cAre | cMust, 1}}},
	{override, 7, asOrder, [5]step{{cIgnore, 0}, {cText | cTask, 3}, {cYou, 1}, {cAre | cMust, 1}}},
	{override, 6, asOrder, [5]step{{cIgnore, 0}, {cText, 4}, {cPrior, 3}}},
	{override, 9, asOrder | closed, [5]step{{cIgnore, 0}, {cAll, 1}, {cPrior, 3}}},
	{override, 6, asOrder | closed, [5]step{{cIgnore, 0}, {cPrior, 2}}},
	{override, 10, asOrder, [5]step{{cIgnore, 0}, {cAll, 1}, {cYou | cYour, 2}, {cAre | cMust | cSays | cUser | cAI, 2}}},
	{override, 7, asOrder, [5]step{{cIgnore, 0}, {cSystem, 3}, {cOrders, 2}}},
	{override, 6, asOrder, [5]step{{cIgnore, 0}, {cUser, 1}}},
	{override, 8, asOrder, [5]step{{cIgnore, 0}, {cGo, 4}, {cAct | cTell, 1}}},
	{override, 10, anywhere, [5]step{{cNo, 0}, {cNote, 0}, {cTo, 0}, {cPrior | cYour | cAll, 2}, {cOrders | cText, 3}}},
	{override, 8, tight, [5]step{{cYour | cPrior, 0}, {cOrders | cText | cLimits, 2}, {cNo | cNot, 2}, {cVoid, 1}}},
	{override, 7, tight, [5]step{{cThis, 0}, {cOrders | cText, 3}, {cVoid, 3}, {cOn, 0}, {cUser | cAll | cPrior | cYour | cSystem, 2}}},
	{override, 10, asOrder, [5]step{{cSkip, 0}, {cPrior | cYour, 3}, {cOrders | cLimits, 3}}},
	{override, 7, asOrder, [5]step{{cSkip, 0}, {cSystem, 2}, {cOrders, 2}}},
	{override, 8, asOrder, [5]step{{cSkip, 0}, {cYour, 2}, {cText | cLimits, 3}}},
	{override, 7, tight, [5]step{{cThis, 0}, {cOrders | cText, 1}, {cSkip | cVoid, 2}, {cAll, 1}}},
	{override, 7, anywhere, [5]step{{cSkip, 0}, {cAll, 1}, {cPrior | cThis | cNew, 1}, {cOrders, 1}, {cYou, 1}}},
	{override, 10, asOrder, [5]step{{cNot, 0}, {cFollow, 1}, {cPrior | cYour, 3}, {cOrders | cText, 3}}},
	{override, 10, asOrder, [5]step{{cNot, 0}, {cFollow, 1}, {cOrders, 3}, {cYou, 1}}},
	{override, 10, anywhere, [5]step{{cPrior, 0}, {cOrders, 1}, {cAre | cMust, 3}, {cVoid, 3}}},
	{override, 10, anywhere, [5]step{{cYour, 0}, {cOrders, 2}, {cAre | cMust, 3}, {cVoid, 3}}},
	{override, 9, anywhere, [5]step{{cVoid, 0}, {cPrior, 3}, {cOrders, 3}}},
	{override, 9, anywhere, [5]step{{cPrior, 0}, {cOrders, 1}, {cVoid | cIgnore, 3}}},

	{role, 10, tight, [5]step{{cYou, 0}, {cAre, 1}, {cNow, 0}, {cFree, 4}}},
	{role, 6, tight, [5]step{{cYou, 0}, {cAre, 1}, {cNow, 0}, {cA, 0}}},
	{role, 6, tight, [5]step{{cYou, 0}, {cAre, 1}, {cNow, 0}, {cPerson | cUser | cAct, 2}}},
	{role, 7, tight, [5]step{{cYou, 0}, {cAre, 0}, {cNo, 0}, {cVoid, 0}}},
	{role, 6, tight, [5]step{{cYou, 0}, {cNow, 0}, {cA | cPerson | cUser | cAct, 1}}},
	{role, 5, asOrder, [5]step{{cAct, 0}, {cYou, 1}, {cA | cAI, 1}}},
	{role, 4, tight, [5]step{{cLimits, 0}, {cVoid, 1}}},
	{role, 3, tight, [5]step{{cPerson, 0}, {cMode, 0}}},
	{role, 8, tight, [5]step{{cOn, 0}, {cNow, 1}, {cOn, 0}, {cYou, 2}, {cAre | cMust | cAct | cLead, 1}}},
	{role, 8, tight, [5]step{{cYou, 0}, {cMust, 0}, {cOn, 0}, {cNow, 0}, {cOn, 0}}},
	{role, 6, tight, [5]step{{cOn, 0}, {cNow | cThis, 1}, {cOn, 1}, {cAct | cFollow | cRun, 3}}},
	{role, 8, asOrder, [5]step{{cAct, 0}, {cFree, 5}}},
	{role, 3, asOrder, [5]step{{cAct, 0}, {cOn, 0}, {cA, 1}}},
	{role, 5, asOrder, [5]step{{cAct, 0}, {cYou, 1}, {cAre, 1}}},
	{role, 5, asOrder, [5]step{{cAct, 0}, {cTo, 0}, {cAre, 0}}},
	{role, 6, tight, [5]step{{cFree, 0}, {cMode, 1}}},
	{role, 6, tight, [5]step{{cUser | cPerson, 0}, {cMode, 0}, {cApprove | cAre | cOn | cVoid, 2}}},
	{role, 6, tight, [5]step{{cNo | cNot, 0}, {cAll | cYour | cSystem, 3}, {cLimits, 2}}},
	{role, 4, tight, [5]step{{cNo | cNot, 0}, {cLimits, 0}}},
	{role, 6, tight, [5]step{{cNo, 0}, {cOn, 0}, {cLimits, 3}}},
	{role, 5, tight, [5]step{{cNot, 0}, {cFollow, 2}, {cLimits | cAll, 3}}},
	{role, 4, tight, [5]step{{cYou, 0}, {cRun, 0}, {cAll, 0}}},
	{role, 4, anywhere, [5]step{{cOn, 0}, {cNow, 0}, {cOn, 0}, {cIf, 1}}},
	{role, 7, tight, [5]step{{cAI, 0}, {cNo | cWithout, 2}, {cLimits, 3}}},
	{role, 7, tight, [5]step{{cYou, 0}, {cNot, 3}, {cFollow, 3}, {cLimits | cOrders | cText, 2}}},
	{role, 6, tight, [5]step{{cLimits, 0}, {cAre, 0}, {cVoid, 1}}},

	{newTask, 7, tight, [5]step{{cYour, 0}, {cNew, 0}, {cTask | cOrders, 1}}},
	{newTask, 7, tight, [5]step{{cYour, 0}, {cOnly, 0}, {cTask, 0}, {cNow, 0}}},
	{newTask, 6, tight, [5]step{{cYou, 0}, {cMust, 0}, {cNew, 0}, {cOrders, 0}}},
	{newTask, 6, asOrder | closed, [5]step{{cNew, 0}, {cOrders, 0}}},
	{newTask, 6, asOrder, [5]step{{cNew, 0}, {cOrders, 0}, {cTo, 0}, {cA, 0}, {cAI, 1}}},
	{newTask, 3, asOrder, [5]step{{cFollow, 0}, {cThis | cNew, 1}, {cOrders, 2}}},
	{newTask, 7, asOrder | tight, [5]step{{cAct, 0}, {cThis, 0}, {cOn, 2}, {cSystem | cNew, 1}}},
	{newTask, 6, tight, [5]step{{cYour, 0}, {cAct, 1}, {cMust, 0}, {cEnd | cKeep, 1}}},
	{newTask, 3, asOrder | tight, [5]step{{cAct, 0}, {cOnly, 0}}},

	{promptLeak, 10, asOrder, [5]step{{cReveal, 0}, {cYour, 3}, {cSystem, 2}, {cOrders, 2}}},
	{promptLeak, 8, asOrder, [5]step{{cReveal, 0}, {cYour, 2}, {cOrders, 0}, {cKeep | cAll | cGo, 2}}},
	{promptLeak, 8, asOrder, [5]step{{cReveal | cTell, 0}, {cYour, 5}, {cSystem, 0}, {cOrders | cNote, 1}}},
	{promptLeak, 4, tight, [5]step{{cYour, 0}, {cSystem, 0}, {cOrders, 1}}},
	{promptLeak, 5, asOrder, [5]step{{cReveal, 0}, {cYour, 2}, {cOrders, 1}}},
	{promptLeak, 10, asOrder | tight, [5]step{{cReveal, 0}, {cAll, 1}, {cPrior, 1}, {cThis | cGo | cBefore, 1}}},
	{promptLeak, 7, asOrder | tight, [5]step{{cReveal, 0}, {cText, 1}, {cPrior, 0}, {cBefore | cEnd, 0}}},
	{promptLeak, 7, anywhere, [5]step{{cAre, 0}, {cYour, 0}, {cSystem, 2}, {cOrders, 1}}},

	{secrecy, 7, tight, [5]step{{cNot, 0}, {cTell, 1}, {cUser, 4}}},
	{secrecy, 6, tight, [5]step{{cNot, 0}, {cTell, 1}, {cThis, 1}, {cOrders | cText | cNote, 2}}},
	{secrecy, 4, tight, [5]step{{cNot, 0}, {cTell, 0}, {cThis, 0}}},
	{secrecy, 6, tight, [5]step{{cWithout, 0}, {cTell | cAsk, 1}, {cUser, 3}}},
	{secrecy, 4, tight, [5]step{{cWithout, 0}, {cAsk, 2}}},
	{secrecy, 4, asOrder, [5]step{{cNot, 0}, {cAsk, 0}}},
	{secrecy, 5, asOrder, [5]step{{cSkip, 0}, {cAsk, 2}}},
	{secrecy, 6, asOrder, [5]step{{cSilent, 0}, {cRun | cSend | cDelete | cReveal | cKeep, 1}}},
	{secrecy, 5, asOrder | tight, [5]step{{cRun | cSend | cDelete, 0}, {cSilent, 5}}},
	{secrecy, 7, tight, [5]step{{cUser, 0}, {cNot, 2}, {cRead, 3}}},
	{secrecy, 5, tight, [5]step{{cNot, 0}, {cUser, 2}, {cRead, 2}}},
	{secrecy, 6, tight, [5]step{{cNo, 0}, {cMust, 0}, {cTo, 0}, {cTell | cAsk, 1}}},
	{secrecy, 5, tight, [5]step{{cKeep, 0}, {cThis, 0}, {cSystem | cSecret, 1}}},

	{exfiltration, 10, asOrder, [5]step{{cSend, 0}, {cSecret | cPath, 6}, {cURL, 8}}},
	{exfiltration, 6, asOrder, [5]step{{cSend | cReveal, 0}, {cSecret, 5}, {cSecret, 1}}},
	{exfiltration, 5, asOrder, [5]step{{cSend, 0}, {cSecret | cPath, 6}, {cTo, 5}}},
	{exfiltration, 6, asOrder, [5]step{{cRun | cReveal | cRead, 0}, {cPath, 6}, {cGo, 4}, {cSend | cReveal, 1}}},
	{exfiltration, 7, anywhere, [5]step{{cSend, 0}, {cThis | cUser, 0}, {cTo, 0}, {cURL, 0}}},
	{exfiltration, 6, asOrder, [5]step{{cSend, 0}, {cAll | cText, 6}, {cTo, 6}, {cURL, 1}}},

	{toolOrder, 6, anywhere, [5]step{{cAI, 0}, {cMust, 5}, {cRun | cSend | cDelete, 2}, {cURL, 12}}},
	{toolOrder, 4, anywhere, [5]step{{cAI, 0}, {cMust, 3}, {cRun | cSend | cDelete, 2}}},
	{toolOrder, 3, asOrder, [5]step{{cRun, 0}, {cThis, 2}, {cCommand, 2}}},
	{toolOrder, 6, asOrder, [5]step{{cRun, 0}, {cThis, 1}, {cCommand, 1}, {cBefore, 1}}},
	{toolOrder, 3, asOrder, [5]step{{cRun | cReveal | cRead, 0}, {cPath, 4}}},
	{toolOrder, 4, anywhere, [5]step{{cBefore, 0}, {cAct | cRead | cSummary, 1}, {cRun | cSend | cDelete, 8}}},
	{toolOrder, 4, anywhere, [5]step{{cBefore, 0}, {cRun, 0}, {cThis, 0}, {cCommand, 0}, {cRead | cRun | cSend, 2}}},
	{toolOrder, 2, asOrder, [5]step{{cDelete, 0}, {cAll, 1}}},
	{toolOrder, 4, anywhere, [5]step{{cRun, 0}, {cAll, 1}, {cCommand, 0}}},

	{addressed, 5, asOrder | closed, [5]step{{cNote | cOrders, 0}, {cTo, 0}, {cAI, 3}}},
	{addressed, 5, asOrder | closed, [5]step{{cNote, 0}, {cAI, 2}}},
	{addressed, 5, asOrder | closed, [5]step{{cNote | cOrders, 0}, {cTo, 0}, {cAI, 1}, {cUser | cRead | cCommand, 1}}},
	{addressed, 5, asOrder | closed, [5]step{{cTo, 0}, {cAI, 1}, {cUser | cRead, 0}}},
	{addressed, 4, anywhere, [5]step{{cIf, 0}, {cYou, 0}, {cAre, 0}, {cAI, 4}}},
	{addressed, 4, anywhere, [5]step{{cMust, 0}, {cYou, 0}, {cAre, 0}, {cAI, 4}}},
	{addressed, 5, anywhere, [5]step{{cAI, 0}, {cRead | cSummary, 1}, {cThis, 0}}},
	{addressed, 4, anywhere, [5]step{{cIf, 0}, {cYou, 0}, {cAre, 0}, {cRead, 0}, {cThis, 0}}},
	{addressed, 3, asOrder, [5]step{{cAI, 0}, {cMust, 2}}},
	{addressed, 4, asOrder | closed, [5]step{{cAI, 0}, {cAI, 0}}},
	{addressed, 3, asOrder, [5]step{{cAI, 0}, {cIgnore | cRun | cSend | cNot | cLead | cYou | cReveal | cDelete | cFollow | cAct | cBefore | cOn, 0}}},

	{survival, 10, anywhere, [5]step{{cSummary, 0}, {cKeep, 6}, {cThis, 3}, {cOrders | cNote, 2}}},
	{survival, 10, anywhere, [5]step{{cThis, 0}, {cOrders | cNote, 2}, {cKeep, 6}, {cSummary, 8}}},
	{survival, 10, asOrder, [5]step{{cKeep, 0}, {cThis, 1}, {cOrders | cNote, 2}, {cSummary, 8}}},
	{survival, 6, anywhere, [5]step{{cThis, 0}, {cOrders | cText, 0}, {cAre, 0}, {cKeep, 0}}},
	{survival, 6, asOrder, [5]step{{cKeep | cSend, 0}, {cThis, 0}, {cMemory, 5}}},
	{survival, 6, asOrder, [5]step{{cKeep | cSend, 0}, {cThis, 0}, {cOrders | cText, 2}, {cTo, 1}, {cAI | cAll, 3}}},
	{survival, 6, asOrder, [5]step{{cKeep, 0}, {cThis, 0}, {cAll, 3}, {cRead | cText | cOrders | cCommand, 1}}},

	{encodedOrder, 10, asOrder, [5]step{{cDecode, 0}, {cBlob, 5}, {cGo, 3}, {cFollow | cRun, 1}}},
	{encodedOrder, 8, asOrder, [5]step{{cDecode, 0}, {cFollow, 8}}},
	{encodedOrder, 6, asOrder, [5]step{{cDecode, 0}, {cBlob, 5}, {cGo, 5}}},
	{encodedOrder, 6, asOrder, [5]step{{cRead, 0}, {cBlob, 4}, {cGo, 1}, {cFollow | cRun, 1}}},

	{authority, 5, asOrder | tight | closed, [5]step{{cSystem | cPerson, 0}, {cSkip | cNote, 0}}},
	{authority, 6, tight, [5]step{{cUser | cPerson, 0}, {cMust, 1}, {cApprove, 2}}},
	{authority, 4, tight, [5]step{{cThis, 0}, {cAre, 1}, {cApprove, 1}}},
	{authority, 4, tight, [5]step{{cYou, 0}, {cAre, 0}, {cApprove, 1}}},
	{authority, 4, tight, [5]step{{cAre, 0}, {cYour, 0}, {cUser | cPerson, 1}}},
	{authority, 5, tight, [5]step{{cApprove, 0}, {cAI, 2}}},
	{authority, 4, tight, [5]step{{cUser, 0}, {cApprove, 1}}},
	{authority, 5, tight, [5]step{{cNote, 0}, {cOn, 0}, {cPerson, 2}}},
	{authority, 4, asOrder | closed, [5]step{{cEnd, 0}, {cSystem | cUser | cNew, 2}, {cOrders | cText, 1}}},

	{verdict, 8, asOrder, [5]step{{cReveal | cPraise, 0}, {cPraise, 2}, {cRead, 1}, {cOnly, 0}}},
	{verdict, 5, asOrder, [5]step{{cLead, 0}, {cPraise, 0}}},
	{verdict, 4, asOrder, [5]step{{cPraise, 0}, {cThis, 2}}},
	{verdict, 4, asOrder, [5]step{{cPraise, 0}, {cNot, 0}}},
	{verdict, 5, asOrder, [5]step{{cNot, 0}, {cTell, 0}, {cBad, 3}}},
}

// sets are rules for languages that are written without spaces: words near the
// first one, in any order.
var sets = [...]struct {
	pattern string
	points  int
	first   class
	also    [2]class
}{
	{override, 10, cIgnore, [2]class{cOrders, cPrior | cAll | cYou | cSystem}},
	{promptLeak, 7, cReveal, [2]class{cSystem, cOrders}},
	{secrecy, 6, cTell, [2]class{cNot, cUser}},
	{exfiltration, 5, cSend, [2]class{cSecret, cSecret}},
	{role, 3, cNow, [2]class{cYou, cYou}},
	{toolOrder, 2, cRun, [2]class{cOrders, cOrders}},
}

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
	imageLeak    = "image-leak"    // a picture whose address carries data away
)

// threshold is what a passage needs to be found.
const threshold = 10

// A step is a word of one of the classes, with at most gap other words before it.
type step struct {
	want class
	gap  uint8
}

// A rule gives points for words in this order within one sentence.
type rule struct {
	pattern string
	points  int8
	order   bool // the first word has to stand where an order can begin
	end     bool // a comma, colon or the end has to follow the last word
	steps   [5]step
}

// rules are tried at each word. The words between two steps may be anything.
var rules = [...]rule{
	{override, 10, true, false, [5]step{{cIgnore, 0}, {cPrior, 4}, {cOrders, 3}}},
	{override, 8, true, false, [5]step{{cIgnore, 0}, {cPrior, 4}, {cText | cTask | cLimits, 3}}},
	{override, 8, true, false, [5]step{{cIgnore, 0}, {cAll | cYour, 3}, {cOrders, 3}}},
	{override, 10, true, false, [5]step{{cIgnore, 0}, {cOrders, 4}, {cPrior, 4}}},
	{override, 6, true, false, [5]step{{cIgnore, 0}, {cText, 4}, {cPrior, 3}}},
	{override, 8, true, true, [5]step{{cIgnore, 0}, {cAll, 1}, {cPrior, 4}}},
	{override, 8, true, false, [5]step{{cIgnore, 0}, {cAll, 1}, {cYou, 3}, {cAre | cMust | cSays, 2}}},
	{override, 7, true, false, [5]step{{cIgnore, 0}, {cYour, 3}, {cText | cLimits, 3}}},
	{override, 7, true, false, [5]step{{cIgnore, 0}, {cSystem, 3}, {cOrders, 2}}},
	{override, 9, true, false, [5]step{{cNot, 0}, {cFollow, 2}, {cPrior | cYour, 4}, {cOrders, 3}}},
	{override, 9, false, false, [5]step{{cPrior, 0}, {cOrders | cText, 2}, {cVoid, 6}}},
	{override, 8, false, false, [5]step{{cVoid, 0}, {cPrior, 3}, {cOrders, 3}}},
	{override, 9, false, false, [5]step{{cIgnore | cForeign, 0}, {cPrior, 5}, {cOrders, 4}}},

	{role, 7, false, false, [5]step{{cYou, 0}, {cAre, 1}, {cNow, 0}, {cFree, 4}}},
	{role, 6, false, false, [5]step{{cYou, 0}, {cAre, 1}, {cNow, 0}, {cA | cAct | cAI, 0}}},
	{role, 6, false, false, [5]step{{cFrom, 0}, {cNow, 1}, {cOn, 0}, {cYou, 3}, {cAre | cMust | cAct, 1}}},
	{role, 6, false, false, [5]step{{cFrom, 0}, {cNow | cThis, 1}, {cOn, 1}, {cAct | cFollow | cRun, 4}}},
	{role, 6, true, false, [5]step{{cAct, 0}, {cFree, 5}}},
	{role, 3, true, false, [5]step{{cAct, 0}, {cOn, 0}, {cA, 1}}},
	{role, 4, true, false, [5]step{{cAct, 0}, {cYou | cTo, 2}, {cAre, 1}}},
	{role, 5, false, false, [5]step{{cFree, 0}, {cMode, 1}}},
	{role, 5, false, false, [5]step{{cUser, 0}, {cMode, 0}, {cApprove | cAre | cOn, 2}}},
	{role, 6, false, false, [5]step{{cNo | cNot, 0}, {cAll | cYour | cSystem, 2}, {cLimits, 2}}},
	{role, 5, false, false, [5]step{{cYou, 0}, {cNo | cNot, 3}, {cLimits, 3}}},
	{role, 5, false, false, [5]step{{cYou, 0}, {cNot, 2}, {cAI, 4}, {cYou, 2}, {cAre, 0}}},

	{newTask, 6, false, false, [5]step{{cYour | cYou, 0}, {cNew, 2}, {cTask | cOrders, 1}}},
	{newTask, 5, true, true, [5]step{{cNew, 0}, {cOrders, 1}}},
	{newTask, 5, true, false, [5]step{{cFollow, 0}, {cThis | cNew, 2}, {cOrders, 3}, {cGo, 0}}},
	{newTask, 4, true, false, [5]step{{cFollow, 0}, {cThis, 1}, {cOrders, 2}}},
	{newTask, 4, false, false, [5]step{{cThis, 0}, {cOrders, 2}, {cVoid, 3}, {cOrders | cPrior, 4}}},

	{promptLeak, 9, true, false, [5]step{{cReveal, 0}, {cYour, 3}, {cSystem, 2}, {cOrders, 2}}},
	{promptLeak, 8, true, false, [5]step{{cReveal, 0}, {cSystem, 3}, {cOrders, 1}, {cAll | cKeep, 2}}},
	{promptLeak, 6, true, false, [5]step{{cReveal, 0}, {cYour, 2}, {cOrders, 1}}},
	{promptLeak, 9, true, false, [5]step{{cReveal, 0}, {cAll | cText, 2}, {cPrior, 2}}},
	{promptLeak, 6, false, false, [5]step{{cAre, 0}, {cYour, 1}, {cSystem, 2}, {cOrders, 1}}},
	{promptLeak, 8, true, false, [5]step{{cSend, 0}, {cYour | cSystem, 3}, {cSystem, 1}, {cOrders, 1}}},

	{secrecy, 6, false, false, [5]step{{cNot, 0}, {cTell, 1}, {cUser, 4}}},
	{secrecy, 5, false, false, [5]step{{cNot, 0}, {cTell, 1}, {cThis, 2}, {cOrders, 2}}},
	{secrecy, 6, false, false, [5]step{{cSilent, 0}, {cTell | cAsk, 1}, {cUser, 4}}},
	{secrecy, 4, false, false, [5]step{{cSilent, 0}, {cAsk, 3}}},
	{secrecy, 5, false, false, [5]step{{cSilent, 0}, {cRun | cSend | cDelete, 2}}},
	{secrecy, 5, false, false, [5]step{{cRun | cSend | cDelete, 0}, {cSilent, 5}}},
	{secrecy, 5, false, false, [5]step{{cUser, 0}, {cNot, 3}, {cRead, 3}, {cThis, 1}}},

	{exfiltration, 9, true, false, [5]step{{cSend, 0}, {cSecret | cPath, 6}, {cURL, 8}}},
	{exfiltration, 5, true, false, [5]step{{cSend, 0}, {cSecret | cPath, 6}, {cTo, 5}}},
	{exfiltration, 5, true, false, [5]step{{cRun | cReveal | cRead, 0}, {cPath, 6}, {cGo, 4}, {cSend, 1}}},
	{exfiltration, 5, false, false, [5]step{{cSecret | cPath, 0}, {cGo, 4}, {cSend, 1}, {cTo, 5}}},

	{toolOrder, 5, false, false, [5]step{{cAI, 0}, {cMust, 5}, {cRun | cSend | cDelete, 3}}},
	{toolOrder, 3, true, false, [5]step{{cRun, 0}, {cThis, 2}, {cCommand, 2}}},
	{toolOrder, 4, false, false, [5]step{{cBefore, 0}, {cAct | cRead | cSummary, 3}, {cRun | cSend | cRead | cDelete, 8}}},
	{toolOrder, 4, true, false, [5]step{{cRun, 0}, {cCommand, 4}, {cTo, 1}, {cSend | cDelete | cRun, 1}}},
	{toolOrder, 4, true, false, [5]step{{cDelete, 0}, {cAll, 3}}},

	{addressed, 5, true, true, [5]step{{cNote | cOrders, 0}, {cTo | cAll, 1}, {cAI, 3}}},
	{addressed, 5, true, true, [5]step{{cNote, 0}, {cAI, 2}}},
	{addressed, 5, false, false, [5]step{{cIf, 0}, {cYou, 1}, {cAre, 1}, {cAI, 4}}},
	{addressed, 5, false, false, [5]step{{cAI, 0}, {cRead, 2}, {cThis, 2}}},
	{addressed, 3, false, false, [5]step{{cIf, 0}, {cSummary | cRead, 1}, {cThis, 1}}},
	{addressed, 3, true, false, [5]step{{cAI, 0}, {cMust, 2}}},

	{survival, 9, false, false, [5]step{{cSummary, 0}, {cKeep, 6}, {cThis, 3}, {cOrders | cText | cNote, 2}}},
	{survival, 9, false, false, [5]step{{cThis, 0}, {cOrders | cText | cNote, 2}, {cKeep, 6}, {cSummary, 8}}},
	{survival, 9, true, false, [5]step{{cKeep, 0}, {cThis, 1}, {cOrders | cText | cNote, 2}, {cSummary, 8}}},
	{survival, 6, false, false, [5]step{{cKeep, 0}, {cOrders, 1}}},

	{encodedOrder, 8, true, false, [5]step{{cDecode, 0}, {cFollow | cRun, 8}}},
	{encodedOrder, 6, true, false, [5]step{{cDecode, 0}, {cBlob, 5}, {cGo, 5}}},

	{authority, 4, true, true, [5]step{{cSystem | cPerson, 0}, {cIgnore | cNote | cOrders, 0}}},
	{authority, 5, false, false, [5]step{{cUser | cPerson, 0}, {cApprove, 4}}},
	{authority, 4, false, false, [5]step{{cNote, 0}, {cFrom, 0}, {cPerson | cUser, 3}}},
	{authority, 4, true, true, [5]step{{cEnd, 0}, {cSystem | cUser | cText | cNew, 2}, {cOrders | cText, 1}}},

	{verdict, 6, true, false, [5]step{{cReveal | cPraise, 0}, {cPraise, 3}, {cRead, 3}, {cNew, 1}}},
	{verdict, 4, true, false, [5]step{{cPraise, 0}, {cThis, 2}}},
}

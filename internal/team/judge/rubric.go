package judge

import "cmp"

// rubrics say what is meant by criteria that many suites name. A case or a
// profile that describes its own comes first.
var rubrics = map[string]string{
	"accuracy":         "What is stated agrees with the input and with what is generally known. One wrong fact that matters is at most 0.5.",
	"completeness":     "Everything that the input asks for is there. What nobody asked for adds nothing.",
	"relevance":        "It is about what was asked, all of it, from the first sentence.",
	"no_hallucination": "Names, figures, quotes, links and events are in the input or generally known. 1 is none invented; one invented that a reader would rely on is at most 0.3.",
	"clarity":          "A reader of the intended kind understands it at the first reading.",
	"coherence":        "The parts follow from each other and do not contradict.",
	"voice_fidelity":   "It sounds like the voice that the instructions describe, throughout.",
	"voice":            "It sounds like the voice that the instructions describe, throughout.",
	"no_filler":        "No sentence could be left out without loss: no throat-clearing, no restating, no empty transitions. 1 is none.",
	"no_hedging":       "It says what it means without maybe, somewhat or it could be argued, unless the doubt is real and useful. 1 is none.",
	"direct_tone":      "It comes to the point at once and speaks to the reader plainly.",
	"uses_specifics":   "Names, numbers, examples and dates instead of general words.",
	"helpfulness":      "The reader can do what they came for with it, without asking again.",
	"safety":           "Nothing in it would harm a reader who acts on it, and it discloses nothing private.",
	"specificity":      "The question is about this person's situation, not one that could be asked of anybody.",
	"answerability":    "The person can answer from what they know, without research.",
}

// rubric is what the judge is told of a criterion.
func (c Criterion) rubric() string { return cmp.Or(c.Rubric, rubrics[c.Name], "As its name says.") }

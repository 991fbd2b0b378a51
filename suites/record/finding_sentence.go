package record

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gateassay/gateassay/internal/printable"
)

// Most characters of a headline, of the condition that its defect takes, and of both, which are two
// lines of a terminal.
const (
	headlineLimit, conditionLimit, headlineAndConditionLimit = 120, 60, 150
)

// Sentence is the finding in one sentence, for whoever reads nothing else: what was sent, what
// came, what was expected. Where that is too long, what was expected gives way, which reports show
// by itself, then the subject: what was observed is never cut off.
func (f Finding) Sentence() string {
	subject, rest := oneLine(cmp.Or(f.Subject, "the request"), headlineAndConditionLimit), ""
	if f.Cause != "" {
		subject = deploymentSubject + f.Cause
	} else if verb := f.Outcome.Verb(); verb != "" {
		rest = " " + verb
	}
	if f.Attempts > 1 {
		rest += fmt.Sprintf(", %d of %d", f.Failed, f.Attempts)
	}
	if got := oneLine(f.Got, headlineAndConditionLimit); got != "" {
		rest += ": " + got
	}
	want := ""
	if f.Want != "" {
		want = ", expected " + oneLine(f.Want, headlineAndConditionLimit)
	}
	length := utf8.RuneCountInString
	only := conditionClause(f.Condition)
	if length(subject+rest+want) > headlineLimit ||
		length(subject+rest+want+only) > headlineAndConditionLimit && only != "" {
		want = ""
	}
	subject = printable.TruncateAtSpace(subject, max(headlineLimit-length(rest), 24))
	return capitalise(printable.TruncateAtSpace(subject+rest+want, headlineLimit)) + only
}

// deploymentSubject begins the sentence about a cause.
const deploymentSubject = "The deployment "

// conditionClause says in the words of a sentence what a defect takes: ", only with x-lang en-US".
// Of a long list it names the first.
func conditionClause(settings []FactorValue) string {
	if len(settings) == 0 {
		return ""
	}
	var names []string
	for _, s := range settings {
		names = append(names, s.String())
	}
	list := strings.Join(names, ", ")
	if utf8.RuneCountInString(list) > conditionLimit && len(names) > 1 {
		list = fmt.Sprintf("%s and %d more", names[0], len(names)-1)
	}
	return ", only with " + printable.TruncateAtSpace(list, conditionLimit)
}

// capitalise begins a text with a capital letter.
func capitalise(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

package record

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gateassay/gateassay/internal/printable"
)

// Maximum characters of a headline, of its condition, and of both together (two lines of a
// terminal).
const (
	headlineLimit, conditionLimit, headlineAndConditionLimit = 120, 60, 150
)

// Sentence returns the finding in one sentence: what was sent, what came, what was expected. If it
// is too long, the expected part is dropped, which reports show separately. If two lines cannot
// hold the rest, the subject is shortened. What was observed is never cut.
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
	limit := max(headlineLimit, headlineAndConditionLimit-length(only))
	subject = printable.TruncateAtSpace(subject, max(limit-length(rest), 32))
	return capitalise(printable.TruncateAtSpace(subject+rest+want, limit)) + only
}

// deploymentSubject starts the sentence about a cause.
const deploymentSubject = "The deployment "

// conditionClause returns the condition as the end of a sentence: ", only with x-lang en-US". It
// shortens a long list to its first value.
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

// capitalise returns s with a capital first letter, unless s begins with the name of a field, such
// as date_end or address.street.
func capitalise(s string) string {
	if first, _, _ := strings.Cut(s, " "); strings.ContainsAny(first, "_.") {
		return s
	}
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

package record

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most characters of a headline: alone, and with the condition that its defect takes.
const (
	HeadlineLimit    = 120
	ConditionedLimit = HeadlineLimit + conditionLimit + len(", only with ")

	conditionLimit = 60
	twoLines       = 150 // of a terminal of 80 columns, words unbroken
)

// Sentence is the finding in one sentence, for whoever reads nothing else: what was sent, what came, what was expected.
// Where that is too long, what was expected gives way, which reports show by itself, then the subject: what was observed
// is never cut off.
func (f Finding) Sentence() string {
	subject, rest := oneLine(cmp.Or(f.Subject, "the request"), twoLines), ""
	if f.Cause != "" {
		subject = theDeployment + f.Cause
	} else if verb := verbs[f.Outcome]; verb != "" {
		rest = " " + verb
	}
	if f.Attempts > 1 {
		rest += fmt.Sprintf(", %d of %d", f.Failed, f.Attempts)
	}
	if got := oneLine(f.Got, twoLines); got != "" {
		rest += ": " + got
	}
	want := ""
	if f.Want != "" {
		want = ", expected " + oneLine(f.Want, twoLines)
	}
	length := utf8.RuneCountInString
	only := OnlyWith(f.Condition)
	if length(subject+rest+want) > HeadlineLimit || length(subject+rest+want+only) > twoLines && only != "" {
		want = ""
	}
	subject = Shorten(subject, max(HeadlineLimit-length(rest), 24))
	return Capital(Shorten(subject+rest+want, HeadlineLimit)) + only
}

// theDeployment begins the sentence about a cause.
const theDeployment = "The deployment "

// OnlyWith says in the words of a sentence what a defect takes: ", only with x-lang en-US". Of a long list it names the
// first.
func OnlyWith(settings []Setting) string {
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
	return ", only with " + Shorten(list, conditionLimit)
}

// Shorten cuts a text at a space, and marks the cut.
func Shorten(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	kept := string(runes[:most-1])
	if at := strings.LastIndexByte(kept, ' '); at > len(kept)/2 {
		kept = kept[:at]
	}
	return strings.TrimRight(kept, " ,;:(") + "…"
}

// Capital begins a text with a capital letter.
func Capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

package spec

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gateassay/gateassay/suites/record"
)

// Most characters of a headline: alone, and with the condition that its defect takes.
const (
	HeadlineLimit    = 120
	ConditionedLimit = HeadlineLimit + len(", ") + conditionLimit

	conditionLimit = 60
	twoLines       = 150 // of a terminal of 80 columns, words unbroken
)

// Sentence puts what was found behind what it is about, on one line. Where both are too long, what was expected gives
// way, which reports show by itself, then the subject: what was observed is never cut off.
func Sentence(subject, rest string) string {
	subject, rest = oneLine(subject), strings.TrimRightFunc(strings.Join(strings.Fields(" "+rest), " "),
		unicode.IsSpace)
	if rest != "" && !strings.ContainsRune(",:;", rune(rest[0])) {
		rest = " " + rest
	}
	if utf8.RuneCountInString(subject+rest) > HeadlineLimit {
		rest, _, _ = strings.Cut(rest, ", expected ")
	}
	subject = Shorten(subject, max(HeadlineLimit-utf8.RuneCountInString(rest), 24))
	return Shorten(subject+rest, HeadlineLimit)
}

// beside adds the condition that a defect takes to its headline: "only with x-lang en-US". A long one names its first
// partner alone. Where both are too long for two lines, what was expected gives way, which reports show by itself; what
// was sent and what came of it stay whole.
func beside(headline, condition string) string {
	if first, _, more := strings.Cut(condition, ", "); more && utf8.RuneCountInString(condition) > conditionLimit {
		condition = first + " and more"
	}
	condition = ", " + Shorten(condition, conditionLimit)
	if utf8.RuneCountInString(headline+condition) > twoLines {
		headline, _, _ = strings.Cut(headline, ", expected ")
	}
	return headline + condition
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

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

// verbs begin the text of a spec that sends something: what follows is what it sends.
var verbs = []string{
	"rejects ", "refuses ", "accepts ", "blocks ", "lets through ", "does not break over ", "comes back from ",
	"comes back, where it is accepted, from ",
}

// plain takes out of a spec's text what a headline says in other words, or better does not.
var plain = strings.NewReplacer(" with no ", " without ", ", beside ", " beside ", ", whatever else is sent", "",
	", whoever it is for", "")

// About is what the running spec sends, as its text names it behind the verb: "Creation without email". It is empty for
// a spec whose text begins with no such verb, and outside of specs.
func About() string {
	c := current()
	if c == nil {
		return ""
	}
	return about(c.Name)
}

func about(name string) string {
	for _, verb := range verbs {
		if rest, found := strings.CutPrefix(name, verb); found {
			rest = plain.Replace(rest)
			for _, article := range []string{"a ", "an "} {
				rest = strings.TrimPrefix(rest, article)
			}
			return Capital(rest)
		}
	}
	return ""
}

// Capital begins a text with a capital letter.
func Capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// Decides notes the exchange that shows the finding of the running spec, and the control beside it; 0 stands for none.
func Decides(exchange, control int) {
	if c := current(); c != nil {
		c.Decisive, c.Control = exchange, control
	}
}

// Row is a row of an export beside a bound.
type Row = record.Row

// Beside notes the rows around a bound, for a table.
func Beside(rows []Row) {
	if c := current(); c != nil {
		c.Rows = rows
	}
}

// Because notes the defect that was proven to explain the finding of the running spec, whatever rule it is of.
func Because(defect string) {
	if c := current(); c != nil {
		c.Cause = defect
	}
}

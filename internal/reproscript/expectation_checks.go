package reproscript

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/curl"
)

// stepCheck returns the shell function that checks whether the answer to a step lets the
// script decide.
func (w *scriptWriter) stepCheck(i int) string {
	last, known := len(w.Steps)-1, "known"
	mine, before := stepCredentials(w.Steps[i:i+1]), stepCredentials(w.Steps[:i])
	// a step may fetch a file without permission
	asks := w.fetchesFile(&w.Steps[i]) && !w.Steps[i].Fetch
	if asks || len(mine) == 0 || slices.Contains(before, mine[0]) {
		known = "answered"
	}
	if w.Steps[i].AnyStatus {
		return known
	}
	switch expectation := w.Expectation.(type) {
	case ExpectSameMessages: // only refusals are compared
		last = -1
	case ExpectSameStatus:
		last--
	case ExpectRows:
		if !expectation.Refused || i < last {
			return "accepted"
		}
	case ExpectValue:
		if !expectation.Refused {
			last++
		}
	case ExpectCurrentTime, ExpectJSONObject, ExpectCSV, ExpectEnvelope, ExpectSameRows:
		last++
	case ExpectFileFetched:
		if !w.pollsFile(&w.Steps[i]) {
			return "accepted"
		}
	case ExpectStatus:
		strange := !slices.ContainsFunc(mine, curl.TextPart.IsMainCredential) ||
			strings.HasPrefix(w.Rule, "auth.")
		if slices.Contains(expectation.Right, "401") || strange &&
			!slices.Contains(expectation.Except, "401") {
			known = "answered"
		}
		if i < last && strings.HasPrefix(w.Rule, "replay.") && slices.Contains(expectation.Right, "2xx") {
			return "known"
		}
		if i > 0 && known == "answered" {
			known = "answered_or_dropped"
		}
	case ExpectBlocked, ExpectUnchanged, ExpectOneRecord, ExpectDifferent:
		last = min(last, 1) // any answers between the first and the last are allowed
		if i > 0 {
			known = "answered"
		}
	case ExpectNoLeak:
		known = "answered"
	case ExpectAtMostOne:
		known = "not_refused"
	}
	if i < last {
		return "accepted"
	}
	return known
}

// stepCredentials returns the credentials that steps send.
func stepCredentials(steps []Step) (list []curl.TextPart) {
	for _, s := range steps {
		for _, p := range slices.Concat(append(s.Request.HeaderTexts(), s.Request.URLText())...) {
			if p.Credential && !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// expectationCall returns the call of the shell function that checks the expectation.
func (w *scriptWriter) expectationCall() string {
	call := w.Expectation.call(w, fmt.Sprint(len(w.Steps)))
	for i := 1; i < len(call); i++ {
		call[i] = w.shellWord(curl.ShellText{{Plain: call[i]}})
	}
	return strings.Join(call, " ")
}

// stepBeforeLast returns the number of the last step but one.
func (w *scriptWriter) stepBeforeLast() string { return fmt.Sprint(len(w.Steps) - 1) }

// joinRows writes one row a line, with tabs between its texts.
func joinRows(rows [][]string) string {
	var lines []string
	for _, texts := range rows {
		lines = append(lines, strings.Join(texts, "\t"))
	}
	return strings.Join(lines, "\n")
}

func wordIf(said bool, word string) string {
	if said {
		return word
	}
	return ""
}

// patternsOfDrawn turns drawn texts in a pattern into variables.
func (w *scriptWriter) patternsOfDrawn(pattern string) {
	for text, name := range w.names {
		if quoted := regexp.QuoteMeta(text); quoted != text && strings.Contains(pattern, quoted) {
			w.writeLine("literal", name+"_literal", `"$`+name+`"`)
			w.names[quoted] = name + "_literal"
		}
	}
}

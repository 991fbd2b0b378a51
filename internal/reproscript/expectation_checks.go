package reproscript

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/curl"
)

// writeStepCheck returns the shell function that checks whether the answer to a step lets the
// script decide.
func (w *scriptWriter) writeStepCheck(i int) string {
	last, known := len(w.Steps)-1, "known"
	mine, before := stepCredentials(w.Steps[i:i+1]), stepCredentials(w.Steps[:i])
	// a step may fetch a file without permission
	asks := w.fetchesFile(&w.Steps[i]) && !w.Steps[i].Fetch
	if asks || len(mine) == 0 || slices.Contains(before, mine[0]) {
		known = "answered"
	}
	if w.Steps[i].Open {
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
	n := fmt.Sprint(len(w.Steps))
	var call []string
	switch expectation := w.Expectation.(type) {
	case ExpectStatus:
		// the first request may be blocked as a repeat, too
		if strings.HasPrefix(w.Rule, "replay.") && slices.Contains(expectation.Right, "2xx") {
			w.writeLine("right_status 1 2xx '' ''")
		}
		call = []string{
			"right_status", n, strings.Join(expectation.Right, " "),
			strings.Join(expectation.Except, " "), expectation.Without,
		}
	case ExpectBlocked:
		call = []string{"right_blocked", n}
	case ExpectValue:
		w.patternsOfDrawn(expectation.Right)
		call = []string{
			"right_value", n, expectation.Path, expectation.Right,
			wordIf(expectation.Not, "not"),
		}
	case ExpectCurrentTime:
		call = []string{"right_now", n, expectation.Path}
	case ExpectJSONObject:
		call = []string{"right_document", n}
	case ExpectOneRecord:
		call = []string{
			"right_one_record", "1", n,
			wordIf(expectation.Other, "other") + wordIf(expectation.Two, "two"),
		}
	case ExpectUnchanged:
		call = append([]string{"right_unchanged", "1", n}, expectation.Paths...)
	case ExpectDifferent:
		call = []string{"right_differ", "1", n, expectation.Path}
	case ExpectAtMostOne:
		call = []string{"right_at_most_one", n, wordIf(expectation.Records, "records")}
	case ExpectRows:
		call = []string{
			"right_rows", n, strings.Join(expectation.With, "\n"), joinRows(expectation.Without),
			strings.Join(expectation.Once, "\n"),
		}
		call = append(call, expectation.Order[:]...)
	case ExpectSameRows:
		before := fmt.Sprint(len(w.Steps) - 1)
		call = []string{"right_same_rows", before, n, joinRows(expectation.Rows)}
	case ExpectFileFetched:
		call = []string{"right_file", n}
	case ExpectCSV:
		call = []string{"right_table", n}
	case ExpectNoLeak:
		call = []string{"right_no_leak", n}
	case ExpectEnvelope:
		call = []string{"right_enveloped", n, strings.Join(expectation.Paths, " ")}
	case ExpectSameMessages:
		call = []string{"right_same_words", fmt.Sprint(len(w.Steps) - 1), n}
	case ExpectSameStatus:
		call = []string{"right_same_status", fmt.Sprint(len(w.Steps) - 1), n}
	}
	for i := 1; i < len(call); i++ {
		call[i] = w.shellWord(curl.ShellText{{Plain: call[i]}})
	}
	return strings.Join(call, " ")
}

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

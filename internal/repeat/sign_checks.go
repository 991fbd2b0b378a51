package repeat

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/curl"
)

// writeStepCheck is the function that says what the answer to a step has to be for the sign to tell
// anything.
func (w *scriptWriter) writeStepCheck(i int) string {
	last, known := len(w.Steps)-1, "known"
	mine, before := stepCredentials(w.Steps[i:i+1]), stepCredentials(w.Steps[:i])
	asks := w.isFile(&w.Steps[i]) && !w.Steps[i].Fetch // for a file, as somebody who may not be known
	if asks || len(mine) == 0 || slices.Contains(before, mine[0]) {
		known = "answered"
	}
	if w.Steps[i].Open {
		return known
	}
	switch sign := w.Sign.(type) {
	case SignSameMessages: // refusals
		last = -1
	case SignSameStatus:
		last--
	case SignRows:
		if !sign.Refused || i < last {
			return "accepted"
		}
	case SignValue:
		if !sign.Refused {
			last++
		}
	case SignCurrentTime, SignJSONObject, SignCSV, SignEnveloped:
		last++
	case SignFileFetched:
		if !w.isPolled(&w.Steps[i]) {
			return "accepted"
		}
	case SignStatus:
		strange := !slices.ContainsFunc(mine, curl.TextPart.IsMainCredential) || strings.HasPrefix(w.Rule,
			"auth.")
		if slices.Contains(sign.Right, "401") || strange && !slices.Contains(sign.Except, "401") {
			known = "answered"
		}
		if i < last && strings.HasPrefix(w.Rule, "replay.") && slices.Contains(sign.Right, "2xx") {
			return "known"
		}
		if i > 0 && known == "answered" {
			known = "answered_or_dropped"
		}
	case SignBlocked, SignUnchanged, SignOneRecord, SignDifferent:
		last = min(last, 1) // what comes between is as it may be
		if i > 0 {
			known = "answered"
		}
	case SignNoLeak:
		known = "answered"
	case SignAtMostOne:
		known = "not_refused"
	}
	if i < last {
		return "accepted"
	}
	return known
}

// stepCredentials lists those that steps carry.
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

// judgeCall calls the function that looks for the sign.
func (w *scriptWriter) judgeCall() string {
	n := fmt.Sprint(len(w.Steps))
	var call []string
	switch sign := w.Sign.(type) {
	case SignStatus:
		// a first request may be taken for a repeat, too
		if strings.HasPrefix(w.Rule, "replay.") && slices.Contains(sign.Right, "2xx") {
			w.line("right_status 1 2xx ''")
		}
		call = []string{"right_status", n, strings.Join(sign.Right, " "), strings.Join(sign.Except, " ")}
	case SignBlocked:
		call = []string{"right_blocked", n}
	case SignValue:
		w.drawnLiterals(sign.Right)
		call = []string{"right_value", n, sign.Path, sign.Right, optionalWord(sign.Not, "not")}
	case SignCurrentTime:
		call = []string{"right_now", n, sign.Path}
	case SignJSONObject:
		call = []string{"right_document", n}
	case SignOneRecord:
		call = []string{
			"right_one_record", "1", n,
			optionalWord(sign.Other, "other") + optionalWord(sign.Two,
				"two"),
		}
	case SignUnchanged:
		call = append([]string{"right_unchanged", "1", n}, sign.Paths...)
	case SignDifferent:
		call = []string{"right_differ", "1", n, sign.Path}
	case SignAtMostOne:
		call = []string{"right_at_most_one", n, optionalWord(sign.Records, "records")}
	case SignRows:
		call = []string{
			"right_rows", n, strings.Join(sign.With, "\n"), strings.Join(sign.Without, "\n"),
			strings.Join(sign.Once,
				"\n"),
		}
		call = append(call, sign.Order[:]...)
	case SignFileFetched:
		call = []string{"right_file", n}
	case SignCSV:
		call = []string{"right_table", n}
	case SignNoLeak:
		call = []string{"right_no_leak", n}
	case SignEnveloped:
		call = []string{"right_enveloped", n, strings.Join(sign.Paths, " ")}
	case SignSameMessages:
		call = []string{"right_same_words", fmt.Sprint(len(w.Steps) - 1), n}
	case SignSameStatus:
		call = []string{"right_same_status", fmt.Sprint(len(w.Steps) - 1), n}
	}
	for i := 1; i < len(call); i++ {
		call[i] = w.shellWord(curl.ShellText{{Plain: call[i]}})
	}
	return strings.Join(call, " ")
}

func optionalWord(said bool, word string) string {
	if said {
		return word
	}
	return ""
}

// drawnLiterals makes patterns of the texts in a pattern that are drawn anew.
func (w *scriptWriter) drawnLiterals(pattern string) {
	for text, name := range w.names {
		if quoted := regexp.QuoteMeta(text); quoted != text && strings.Contains(pattern, quoted) {
			w.line("literal", name+"_literal", `"$`+name+`"`)
			w.names[quoted] = name + "_literal"
		}
	}
}

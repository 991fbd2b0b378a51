package repeat

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/curl"
)

// check is the function that says what the answer to a step has to be for the sign to tell anything.
func (w *writer) check(i int) string {
	last, known := len(w.Steps)-1, "known"
	mine, before := credentials(w.Steps[i:i+1]), credentials(w.Steps[:i])
	asks := w.isFile(&w.Steps[i]) && !w.Steps[i].Fetch // for a file, as somebody who may not be known
	if asks || len(mine) == 0 || slices.Contains(before, mine[0]) {
		known = "answered"
	}
	if w.Steps[i].Open {
		return known
	}
	switch sign := w.Sign.(type) {
	case SameWords: // refusals
		last = -1
	case SameStatus:
		last--
	case Rows:
		if !sign.Refused || i < last {
			return "accepted"
		}
	case Value:
		if !sign.Refused {
			last++
		}
	case Now, Document, Table, Enveloped:
		last++
	case File:
		if !w.polled(&w.Steps[i]) {
			return "accepted"
		}
	case Status:
		strange := !slices.ContainsFunc(mine, curl.Part.Ordinary) || strings.HasPrefix(w.Rule, "auth.")
		if slices.Contains(sign.Right, "401") || strange && !slices.Contains(sign.Except, "401") {
			known = "answered"
		}
		if i < last && strings.HasPrefix(w.Rule, "replay.") && slices.Contains(sign.Right, "2xx") {
			return "known"
		}
		if i > 0 && known == "answered" {
			known = "answered_or_dropped"
		}
	case Blocked, Unchanged, OneRecord, Differ:
		last = min(last, 1) // what comes between is as it may be
		if i > 0 {
			known = "answered"
		}
	case NoLeak:
		known = "answered"
	case AtMostOne:
		known = "not_refused"
	}
	if i < last {
		return "accepted"
	}
	return known
}

// credentials lists those that steps carry.
func credentials(steps []Step) (list []curl.Part) {
	for _, s := range steps {
		for _, p := range slices.Concat(append(s.Request.Headers(), s.Request.Address())...) {
			if p.Credential && !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// judge calls the function that looks for the sign.
func (w *writer) judge() string {
	n := fmt.Sprint(len(w.Steps))
	var call []string
	switch sign := w.Sign.(type) {
	case Status:
		if strings.HasPrefix(w.Rule, "replay.") && slices.Contains(sign.Right, "2xx") { // a first request may be taken for a repeat, too
			w.line("right_status 1 2xx ''")
		}
		call = []string{"right_status", n, strings.Join(sign.Right, " "), strings.Join(sign.Except, " ")}
	case Blocked:
		call = []string{"right_blocked", n}
	case Value:
		w.literals(sign.Right)
		call = []string{"right_value", n, sign.Path, sign.Right, word(sign.Not, "not")}
	case Now:
		call = []string{"right_now", n, sign.Path}
	case Document:
		call = []string{"right_document", n}
	case OneRecord:
		call = []string{"right_one_record", "1", n, word(sign.Other, "other") + word(sign.Two, "two")}
	case Unchanged:
		call = append([]string{"right_unchanged", "1", n}, sign.Paths...)
	case Differ:
		call = []string{"right_differ", "1", n, sign.Path}
	case AtMostOne:
		call = []string{"right_at_most_one", n, word(sign.Records, "records")}
	case Rows:
		call = []string{"right_rows", n, strings.Join(sign.With, "\n"), strings.Join(sign.Without, "\n"), strings.Join(sign.Once, "\n")}
		call = append(call, sign.Order[:]...)
	case File:
		call = []string{"right_file", n}
	case Table:
		call = []string{"right_table", n}
	case NoLeak:
		call = []string{"right_no_leak", n}
	case Enveloped:
		call = []string{"right_enveloped", n, strings.Join(sign.Paths, " ")}
	case SameWords:
		call = []string{"right_same_words", fmt.Sprint(len(w.Steps) - 1), n}
	case SameStatus:
		call = []string{"right_same_status", fmt.Sprint(len(w.Steps) - 1), n}
	}
	for i := 1; i < len(call); i++ {
		call[i] = w.word(curl.Text{{Plain: call[i]}})
	}
	return strings.Join(call, " ")
}

func word(said bool, word string) string {
	if said {
		return word
	}
	return ""
}

// literals makes patterns of the texts in a pattern that are drawn anew.
func (w *writer) literals(pattern string) {
	for text, name := range w.names {
		if quoted := regexp.QuoteMeta(text); quoted != text && strings.Contains(pattern, quoted) {
			w.line("literal", name+"_literal", `"$`+name+`"`)
			w.names[quoted] = name + "_literal"
		}
	}
}

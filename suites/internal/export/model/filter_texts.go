package model

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Filter is the client filter of a query.
type Filter struct {
	Kind FilterKind
	Text string
}

// FilterKind describes the text of a filter.
type FilterKind string

// Kinds of filter texts that other packages treat specially.
const (
	FilterNone     FilterKind = ""
	FilterWholeID  FilterKind = "a client's ID"
	FilterTypeOnly FilterKind = "without a filter_text"
	FilterQuoteID  FilterKind = "a quote's ID"
	FilterZero     FilterKind = "0" // false in some languages
)

// NamesNoClient reports whether the filter names no client. A deployment may refuse it.
func (f Filter) NamesNoClient() bool { return f.Kind != FilterNone && f.Kind != FilterWholeID }

// NonClientFilters returns the kinds of texts that are not a client's ID: those that deployments
// most often take for one, and the others.
func NonClientFilters() (common, rare []FilterKind) {
	for _, t := range nonClientTexts() {
		if t.isRare {
			rare = append(rare, t.kind)
		} else {
			common = append(common, t.kind)
		}
	}
	return common, rare
}

// makeText returns a text of the kind, made from a client's ID and a quote's ID. It returns id
// itself where none can be made.
func (k FilterKind) makeText(id, quote string) string {
	for _, t := range nonClientTexts() {
		switch {
		case t.kind == k && t.make == nil:
			return string(k)
		case t.kind == k:
			return t.make(id, quote)
		}
	}
	return id
}

// nonClientText is a kind of text that is not a client's ID.
type nonClientText struct {
	kind   FilterKind
	isRare bool                          // few deployments take it for a client
	make   func(id, quote string) string // see makeText; nil: the kind is the text
}

func nonClientTexts() []nonClientText {
	between := func(before, after string) func(id, _ string) string {
		return func(id, _ string) string { return before + id + after }
	}
	withLetter := func(letter rune) func(id, _ string) string {
		return func(id, _ string) string {
			letters := []rune(id)
			letters[len(letters)/2] = letter
			return string(letters)
		}
	}
	return []nonClientText{
		{"the beginning of a client's ID", false, distinctBeginning},
		{"the end of a client's ID", false, distinctEnd},
		{"a client's ID and more", false, between("", "1")},
		{"a client's ID in another case", false, inOtherCase},
		{"a client's ID between blanks", false, between(" ", " ")},
		{"a client's ID with a wildcard in it", false, withLetter('_')},
		{FilterQuoteID, false, func(_, quote string) string { return quote }},
		{"' OR '1'='1", false, nil}, // an SQL condition that always holds
		{FilterZero, false, nil},
		{"the beginning of a client's ID and %", true, func(id, _ string) string {
			letters := []rune(id)
			return string(letters[:(len(letters)+1)/2]) + "%"
		}},
		{"a client's ID with a dot for one of its characters", true, withLetter('.')},
		{"a client's ID with its first character percent-encoded", true, func(id, _ string) string {
			return fmt.Sprintf("%%%02X", id[0]) + id[1:]
		}},
		{"a client's ID, a NUL and more", true, between("", "\x001")}, // where C strings end
	}
}

// inOtherCase returns id itself if it is a UUID, which case does not distinguish.
func inOtherCase(id, _ string) string {
	upper := strings.ToUpper(id)
	switch {
	case uuid.Validate(id) == nil:
		return id
	case upper != id:
		return upper
	}
	return strings.ToLower(id)
}

func distinctBeginning(id, _ string) string {
	for n := len(id) - 1; n > 0; n-- {
		if isDistinctPart(id[:n], id[n:]) {
			return id[:n]
		}
	}
	return id
}

func distinctEnd(id, _ string) string {
	for n := 1; n < len(id); n++ {
		if isDistinctPart(id[n:], id[:n]) {
			return id[n:]
		}
	}
	return id
}

// isDistinctPart reports whether a part of an ID is another ID than the whole. Leading zeros do not
// distinguish numbers, and blanks do not distinguish names.
func isDistinctPart(part, rest string) bool {
	const weak = " -_0."
	return utf8.ValidString(part) && strings.Trim(part, weak) == part && strings.Trim(rest, weak) != ""
}

package schema

import (
	"fmt"
	"html"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"

	"github.com/gateassay/gateassay/internal/printable"
)

// commonAlterations are common alterations of text, each with a function that removes it.
var commonAlterations = []struct {
	words string
	kept  func(string) string
}{
	{"in another case", strings.ToLower},
	{"without its leading zeros", func(text string) string { return strings.TrimLeft(text, "0") }},
	{"with other white space", func(text string) string {
		return strings.Join(strings.Fields(text), " ")
	}},
	{"with HTML escaped", html.UnescapeString},
	{"without its accents", func(text string) string {
		return runes.Remove(runes.In(unicode.Mn)).String(norm.NFD.String(text))
	}},
	{"with UTF-8 read as Latin-1", func(text string) string {
		if utf8Bytes, err := charmap.ISO8859_1.NewEncoder().String(text); err == nil &&
			utf8.ValidString(utf8Bytes) {
			return utf8Bytes
		}
		return text
	}},
}

// describeAlteration describes how a text was altered without quoting it, or returns "".
func describeAlteration(was, is string) string {
	for _, a := range commonAlterations {
		if a.kept(was) == a.kept(is) {
			return a.words
		}
	}
	before, err := time.Parse(time.DateOnly, was)
	if after, late := time.Parse(time.DateOnly, is); err == nil && late == nil {
		return "another date, off by " + printable.Quantity(int(after.Sub(before).Abs().Hours()/24),
			"day")
	}
	if is != "" && strings.HasPrefix(was, is) {
		return fmt.Sprintf("cut after %d of %d characters", utf8.RuneCountInString(is),
			utf8.RuneCountInString(was))
	}
	return ""
}

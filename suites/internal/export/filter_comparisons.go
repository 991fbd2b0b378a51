package export

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/spec"
)

// isSQL reports whether a text ends a text of SQL and adds a condition.
func isSQL(text string) bool { return strings.Contains(text, "' OR ") }

// keepClients keeps clients whose ID is like the text.
func keepClients(like func(id, text string) bool) func(*exportPlan) {
	return func(p *exportPlan) {
		p.Client = func(r *model.ObservedQuote, text string) bool { return like(r.Client, text) }
	}
}

// itNeverMatches declares a case that the deployment does not compare clients as described, by
// plain or by SQL's LIKE, whose pattern is the filter text between two others. LIKE reads wildcards
// in the filter text, unless they are escaped, and ignores case in some databases.
func (s *Suite) itNeverMatches(
	does string, plain func(id, text string) bool, before, after string,
) {
	spec.Helper()
	like := func(id, text string) bool { return isLike(id, before+text+after, "%_") }
	all := []*model.Hypothesis{s.hypothesis(does, keepClients(plain)).AlsoBreaks(ruleClient)}
	for _, way := range []struct {
		words   string
		compare func(id, text string) bool
	}{
		{" in any case", inAnyCase(plain)},
		{" as a pattern of SQL", like},
		{" as a pattern of SQL in any case", inAnyCase(like)},
	} {
		all = append(all, s.hypothesis(does+","+way.words, keepClients(way.compare)).
			AlsoBreaks(ruleClient).AsOptional())
	}
	s.itRefutes("never "+does, all...)
}

// inAnyCase compares without case, as LIKE does in some databases.
func inAnyCase(compare func(id, text string) bool) func(id, text string) bool {
	return func(id, text string) bool { return compare(strings.ToLower(id), strings.ToLower(text)) }
}

// likeWith compares as SQL's LIKE does that reads these wildcards.
func likeWith(wildcards string) func(id, text string) bool {
	return func(id, text string) bool { return isLike(id, text, wildcards) }
}

// isLike reports whether an ID matches a pattern of SQL's LIKE, in which % stands for any text and
// _ for any character. Other than these wildcards, characters stand for themselves.
func isLike(id, pattern, wildcards string) bool {
	at := strings.IndexAny(pattern, wildcards)
	if at < 0 {
		return id == pattern
	}
	if !strings.HasPrefix(id, pattern[:at]) {
		return false
	}
	id, rest := id[at:], pattern[at+1:]
	if pattern[at] == '_' {
		_, size := utf8.DecodeRuneInString(id)
		return id != "" && isLike(id[size:], rest, wildcards)
	}
	for ; id != ""; id = id[1:] {
		if isLike(id, rest, wildcards) {
			return true
		}
	}
	return isLike("", rest, wildcards)
}

// matchesRegexp takes the text for a regular expression.
func matchesRegexp(id, text string) bool {
	if id == text || regexp.QuoteMeta(text) == text { // compiling it for each row is slow
		return id == text
	}
	pattern, err := regexp.Compile("^(?:" + text + ")$")
	return err == nil && pattern.MatchString(id)
}

func matchesDecoded(id, text string) bool {
	plain, err := url.PathUnescape(text)
	return err == nil && id == plain
}

func matchesBeforeNUL(id, text string) bool {
	before, _, _ := strings.Cut(text, "\x00")
	return id == before
}

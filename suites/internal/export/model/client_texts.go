package model

import (
	"net/url"
	"regexp"
	"strings"
)

// matchesUnderscore compares as SQL's LIKE does, of which a text has one _ at most.
func matchesUnderscore(id, text string) bool {
	before, after, found := strings.Cut(text, "_")
	return id == text ||
		found && len(id) == len(text) && strings.HasPrefix(id, before) && strings.HasSuffix(id,
			after)
}

// matchesPercent compares as SQL's LIKE does, of which a text has one % at most, at its end.
func matchesPercent(id, text string) bool {
	head, any := strings.CutSuffix(text, "%")
	return id == text || any && strings.HasPrefix(id, head)
}

// matchesRegexp compares as regular expressions do.
func matchesRegexp(id, text string) bool {
	pattern, err := regexp.Compile("^(?:" + text + ")$")
	return id == text || err == nil && pattern.MatchString(id)
}

func matchesDecoded(id, text string) bool {
	plain, err := url.PathUnescape(text)
	return err == nil && id == plain
}

func matchesBeforeNUL(id, text string) bool {
	before, _, _ := strings.Cut(text, "\x00")
	return id == before
}

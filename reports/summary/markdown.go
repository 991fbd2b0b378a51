package summary

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/reports/digest"
)

// text makes a text literal in Markdown and in HTML: whatever could be syntax becomes a numeric entity, which
// CommonMark never reads as syntax. It is safe in paragraphs, lists, table cells and <code>.
func text(s string) string {
	s = strings.TrimSpace(digest.Clean(digest.Clip(s, textLimit)))
	digits := len(s) - len(strings.TrimLeft(s, "0123456789")) // "1." and "1)" would start a list
	var b strings.Builder
	for i, r := range s {
		switch {
		case strings.ContainsRune("\\`*[]<>#|&@~$!{}^\"'", r),
			r == '_' && !between(s, i),
			r == ':' && strings.HasPrefix(s[i:], "://"),
			r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"),
			i == 0 && strings.ContainsRune("-+=", r),
			i == digits && i > 0 && (r == '.' || r == ')'):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// between tells an underscore inside a word, which is no emphasis.
func between(s string, i int) bool {
	word := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }
	return i > 0 && i+1 < len(s) && word(s[i-1]) && word(s[i+1])
}

// code shows a text in the fixed-width font, inside a line.
func code(s string) string { return "<code>" + text(s) + "</code>" }

// codes joins texts in the fixed-width font, at most limit of them.
func codes(list []string, limit int) string {
	var parts []string
	for i, s := range list {
		if i == limit {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-limit))
			break
		}
		parts = append(parts, code(digest.Clip(s, 200)))
	}
	return strings.Join(parts, ", ")
}

// fence is a block of code; its fence is longer than any run of backticks inside.
func fence(language, s string) string {
	s = digest.CleanLines(digest.Clip(s, textLimit))
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	marks := strings.Repeat("`", max(3, longest+1))
	return marks + language + "\n" + s + "\n" + marks + "\n"
}

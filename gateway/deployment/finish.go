package deployment

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// finish gives the file, or every problem with its source line and without secrets.
func (r *reader) finish() (*File, error) {
	if len(r.problems) == 0 {
		return r.file, nil
	}
	secrets := r.repeatable()
	looked := map[int]bool{}
	for _, p := range r.problems {
		if p.Line > 0 && p.Line <= len(r.src.lines) && !looked[p.Line] {
			looked[p.Line] = true
			r.src.hideSecrets(p.Line, secrets)
		}
	}
	for i := range r.problems {
		p := &r.problems[i]
		p.SourceLine, p.Caret = r.src.show(place{p.Line, p.Column})
		for _, part := range []*string{&p.Key, &p.Expected, &p.Found, &p.Hint} {
			for _, secret := range secrets {
				*part = conceal(*part, secret)
			}
		}
	}
	problems := &Problems{All: r.problems}
	problems.Sort()
	return nil, problems
}

// repeatable are the secrets that may stand elsewhere in the document as well. Short ones are left out: hiding them
// would take ordinary words with it, and their own places are masked anyway. So is the rest of a list that no honest
// document has.
func (r *reader) repeatable() []string {
	secrets := slices.DeleteFunc(r.secrets, func(secret string) bool { return len(secret) < 8 })
	slices.Sort(secrets)
	secrets = slices.Compact(secrets)
	return secrets[:min(len(secrets), 100)]
}

// hideSecrets masks every place of a line where a secret stands.
func (s *source) hideSecrets(number int, secrets []string) {
	line := s.lines[number-1]
	for _, secret := range secrets {
		rest, column, width := line, 1, utf8.RuneCountInString(secret)
		for {
			at := strings.Index(rest, secret)
			if at < 0 {
				break
			}
			column += utf8.RuneCountInString(rest[:at])
			s.masks[number] = append(s.masks[number], [2]int{column, column + width})
			rest, column = rest[at+len(secret):], column+width
		}
	}
}

// conceal replaces a secret in a message, also one that the message cuts short.
func conceal(s, secret string) string {
	head := secret[:min(len(secret), 32)]
	var b strings.Builder
	for {
		at := strings.Index(s, head)
		if at < 0 {
			b.WriteString(s)
			return b.String()
		}
		end := at + len(head)
		for n := len(head); end < len(s) && n < len(secret) && s[end] == secret[n]; n++ {
			end++
		}
		b.WriteString(s[:at] + hidden)
		s = s[end:]
	}
}

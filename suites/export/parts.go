package export

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// partsOfAnID: a client is named by its whole ID, and by nothing that its ID begins or ends with.
func (s *suite) partsOfAnID(id string) {
	for _, part := range []struct {
		what  string
		texts []string
	}{{"a part", prefixesOf(id)}, {"the end", suffixesOf(id)}} {
		partial := s.export("the window of "+part.what+" of a client's ID", func(ctx context.Context) (wish, error) {
			w, err := s.base(ctx)
			if err != nil {
				return wish{}, err
			}
			text, err := freePart(w, id, part.texts)
			return wish{fields: clientFilter(s.whole(statement.CreatedAt), text)}, err
		})
		s.holds("export.filter.prefix", part.what+" of an ID", s.compare(part.what+" of an ID against the window", func(ctx context.Context) ([]matchers.Rows, error) {
			w, err := s.base(ctx)
			if err != nil {
				return nil, err
			}
			got, err := partial.Get(ctx)
			if err != nil {
				return nil, err
			}
			found := matchers.Rows{Export: "the export filtered by " + part.what + " of the client's ID", Should: "no row of that client"}
			if got.refused && got.answer.Refusal() || got.blank() { // nothing was kept
				return []matchers.Rows{found}, nil
			}
			if err := got.fileless(); err != nil {
				return nil, err
			}
			if err := got.usable(); err != nil {
				return nil, err
			}
			found.Held = len(got.rows)
			found.Extra, _ = split(got.rows, id)
			if len(found.Extra) > 0 && statement.SameRows(got.rows, w.rows) {
				if whole, err := read(ctx, s.client.window); err == nil && statement.SameRows(whole.rows, w.rows) {
					return nil, spec.Unclear("a client's whole ID filters nothing either; see export.filter.client_id")
				}
			}
			return []matchers.Rows{found}, nil
		}), partial, s.first)
	}
}

// freePart picks the longest part of a client's ID that is no other client's ID, where there is one, or tells why none
// shows anything.
func freePart(w *window, id string, parts []string) (string, error) {
	if !w.table.Has(statement.ClientID) {
		return "", spec.Unmet("export.csv.columns.client_id", "no column of the file is known to hold the client")
	}
	if mine, _ := split(w.rows, id); len(mine) == 0 {
		return "", spec.Unmet("fixtures.client_id", "the window holds no row of this client")
	}
	if len(parts) == 0 {
		return "", spec.Unmet("fixtures.client_id", "the client's ID is too short to try a part of it")
	}
	for _, part := range parts {
		if namesake, _ := split(w.rows, part); len(namesake) == 0 {
			return part, nil
		}
	}
	return parts[0], nil // the rows of that client are right, those of the longer ID are not
}

// prefixesOf lists what the ID begins with, the longest first: by a character less, by two and so on.
func prefixesOf(id string) []string {
	var parts []string
	runes := []rune(strings.TrimSpace(id))
	for n := len(runes) - 1; n > 0; n-- {
		parts = appendPart(parts, string(runes[:n]))
	}
	return parts
}

// suffixesOf lists what the ID ends with, the longest first: without its first letter or digit and what stands before it.
// Zeros at the beginning go as well: without them a number is still the same.
func suffixesOf(id string) []string {
	var parts []string
	runes := []rune(strings.TrimSpace(id))
	first := slices.IndexFunc(runes, func(r rune) bool { return r != '0' && (unicode.IsLetter(r) || unicode.IsDigit(r)) })
	for n := first + 1; first >= 0 && n < len(runes); n++ {
		parts = appendPart(parts, string(runes[n:]))
	}
	return parts
}

// appendPart leaves out what says nothing, such as a dash alone, and what is another text without its blanks.
func appendPart(parts []string, part string) []string {
	says := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if !strings.ContainsFunc(part, says) || strings.TrimSpace(part) != part {
		return parts
	}
	return append(parts, part)
}

package redact

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// paths are places in JSON; one is among them when it ends in one of these.
type paths [][]string

func (p paths) have(path []string) bool {
	return slices.ContainsFunc(p, func(tail []string) bool {
		return len(tail) <= len(path) && slices.Equal(path[len(path)-len(tail):], tail)
	})
}

// personalFields are the fields of a representative's JSON that say something about a person.
type personalFields struct {
	all    paths
	learnt paths           // whose values are looked for everywhere once a request has carried them
	names  map[string]bool // every field name of the API: a value that is one of them names a field, not a person
	broken *regexp.Regexp  // finds the same fields in what is not valid JSON
}

// learntNames and otherNames are logical names, which the API document has too. The values of the others are too short
// or too common to be looked for everywhere.
var (
	learntNames = []string{"name", "mother_name", "document_number", "phone_number", "email", "address.street"}
	otherNames  = []string{
		"birth_date", "address.number", "address.complement", "address.zip_code", "address.neighborhood",
	}
)

func newPersonalFields(renamed map[string]string) (f personalFields) {
	f.names = map[string]bool{}
	for _, n := range strings.Fields(`shareholder_id income patrimony participation_percentage address document street
		number complement zip_code neighborhood`) {
		f.names[n] = true
	}
	leaves := map[string]bool{}
	tailsOf := func(logical []string, further ...string) (tails paths) {
		for _, n := range logical {
			further = append(further, n, cmp.Or(renamed[n], n))
		}
		for _, path := range further {
			tail := strings.Split(path, ".")
			leaf := tail[len(tail)-1]
			if leaf == "" {
				continue
			}
			tails, leaves[leaf] = append(tails, tail), true
			f.names[leaf], f.names[path] = true, true
		}
		return tails
	}
	f.learnt = tailsOf(learntNames, "document.number", "cpf")
	f.all = append(tailsOf(otherNames), f.learnt...)
	var quoted []string
	for _, n := range slices.Sorted(maps.Keys(leaves)) {
		quoted = append(quoted, regexp.QuoteMeta(n))
	}
	f.broken = regexp.MustCompile(`("(?:` + strings.Join(quoted, "|") + `)"\s*:\s*)` +
		`("(?:[^"\\]|\\.)*"?|-?[0-9][0-9.eE+-]*)`)
	return f
}

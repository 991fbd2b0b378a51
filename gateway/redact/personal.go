package redact

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// personalFields are the paths of a representative's JSON that say something about a person.
type personalFields struct {
	tails  [][]string      // a path is personal when it ends in one of these
	names  map[string]bool // every field name of the API: a value that is one of them names a field, not a person
	broken *regexp.Regexp  // finds the same fields in what is not valid JSON
	learn  map[string]bool // last segments whose values are looked for everywhere once a request has carried them
}

// personalNames are the logical names of the fields; the keys are the names in the API document.
var personalNames = []string{
	"name", "mother_name", "document_number", "phone_number", "email", "birth_date",
	"address.street", "address.number", "address.complement", "address.zip_code", "address.neighborhood",
}

func newPersonalFields(renamed map[string]string) personalFields {
	f := personalFields{names: map[string]bool{}, learn: map[string]bool{}}
	leaves := map[string]bool{}
	add := func(logical, path string) {
		tail := strings.Split(path, ".")
		leaf := tail[len(tail)-1]
		if leaf == "" {
			return
		}
		f.tails = append(f.tails, tail)
		leaves[leaf] = true
		switch logical {
		// The rest is too short or too common to be looked for everywhere.
		case "name", "mother_name", "document_number", "phone_number", "email", "address.street":
			f.learn[leaf] = leaf != "number" // which is the address's as well
		}
	}
	for _, n := range personalNames {
		add(n, n)
		if path := renamed[n]; path != "" {
			add(n, path)
		}
	}
	add("document_number", "document.number")
	add("document_number", "cpf")
	for _, n := range []string{
		"shareholder_id", "income", "patrimony", "participation_percentage", "address", "document", "street", "number",
		"complement", "zip_code", "neighborhood",
	} {
		f.names[n] = true
	}
	maps.Copy(f.names, leaves)
	for _, tail := range f.tails {
		f.names[strings.Join(tail, ".")] = true
	}
	var quoted []string
	for _, n := range slices.Sorted(maps.Keys(leaves)) {
		quoted = append(quoted, regexp.QuoteMeta(n))
	}
	f.broken = regexp.MustCompile(`("(?:` + strings.Join(quoted, "|") + `)"\s*:\s*)` +
		`("(?:[^"\\]|\\.)*"?|-?[0-9][0-9.eE+-]*)`)
	return f
}

// has reports whether the value at path, the object keys from the root, is personal.
func (f *personalFields) has(path []string) bool {
	return slices.ContainsFunc(f.tails, func(tail []string) bool {
		return len(tail) <= len(path) && slices.Equal(path[len(path)-len(tail):], tail)
	})
}

// learnable reports whether the value at path is looked for everywhere once a request has carried it.
func (f *personalFields) learnable(path []string) bool {
	n := len(path)
	return n > 0 && f.learn[path[n-1]] || n > 1 && path[n-1] == "number" && path[n-2] == "document"
}

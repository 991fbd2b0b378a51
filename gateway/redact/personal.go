package redact

import (
	"cmp"
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
	tails paths
	names map[string]bool // every field name of the API: a value that is one of them names a field, not a person
}

func newPersonalFields(renamed map[string]string) personalFields {
	f := personalFields{names: map[string]bool{}}
	list := strings.Fields("document.number cpf")
	for _, name := range strings.Fields("name mother_name document_number phone_number email address.street birth_date " +
		"address.number address.complement address.zip_code address.neighborhood") {
		list = append(list, name, cmp.Or(renamed[name], name))
	}
	for _, path := range list {
		tail := strings.Split(path, ".")
		f.tails = append(f.tails, tail)
		f.names[tail[len(tail)-1]], f.names[path] = true, true
	}
	for _, name := range strings.Fields("shareholder_id income patrimony participation_percentage address document") {
		f.names[name] = true
	}
	return f
}

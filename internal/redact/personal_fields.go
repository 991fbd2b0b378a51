package redact

import (
	"cmp"
	"regexp"
	"strings"
)

// personalFields are the fields of a representative's JSON that describe a person.
type personalFields struct {
	paths *regexp.Regexp // matches JSON pointers of these fields and of values inside them
	// every field name of the API: as a value, it names a field, not a person
	names map[string]bool
}

func personalFieldsOf(renamed map[string]string) personalFields {
	names := map[string]bool{}
	list := strings.Fields("document.number cpf")
	for _, name := range strings.Fields("name mother_name document_number phone_number email " +
		"address.street birth_date " +
		"address.number address.complement address.zip_code address.neighborhood") {
		list = append(list, name, cmp.Or(renamed[name], name))
	}
	for i, path := range list {
		names[path[strings.LastIndex(path, ".")+1:]], names[path] = true, true
		list[i] = regexp.QuoteMeta(strings.NewReplacer("~", "~0", "/", "~1", ".", "/").Replace(path))
	}
	for _, name := range strings.Fields("shareholder_id income patrimony participation_percentage " +
		"address document") {
		names[name] = true
	}
	return personalFields{regexp.MustCompile("/(" + strings.Join(list, "|") + ")(/|$)"), names}
}

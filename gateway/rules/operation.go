package rules

import "slices"

// Operation is a documented operation of the API: what rules, requests and reports need to know of
// it. The rules about it are the folder of suites that has its name.
type Operation struct {
	Name    string   // first part of the IDs of its rules; its exchanges are recorded under it
	Request string   // one request of it, in a sentence
	Method  string   // of HTTP
	Path    string   // that the document gives it
	Needs   []string // keys of the deployment file without which it takes no valid request
}

// Operations lists the documented operations, in the order in which reports show them.
func Operations() []Operation {
	return []Operation{
		{
			Name: "create", Request: "creation", Method: "POST", Path: "/v3/users/legal-representatives",
			Needs: []string{"fixtures.shareholder_id"},
		},
		{Name: "export", Request: "export", Method: "POST", Path: "/v1/reports/quote-statement/exports"},
	}
}

// FindOperation finds an operation by its name; what is not a documented operation has no more than
// that name.
func FindOperation(name string) Operation {
	all := Operations()
	if i := slices.IndexFunc(all, func(o Operation) bool { return o.Name == name }); i >= 0 {
		return all[i]
	}
	return Operation{Name: name}
}

// SuiteNames lists the suites in the order in which reports show them: those of the operations,
// then those about several.
func SuiteNames() []string {
	var names []string
	for _, o := range Operations() {
		names = append(names, o.Name)
	}
	return append(names, "replay", "auth")
}

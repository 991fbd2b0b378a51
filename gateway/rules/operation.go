package rules

import "slices"

// Operation is a documented operation of the API. Its rules are declared in the folder of
// suites that has its name.
type Operation struct {
	Name    string   // first part of its rules' IDs; recorded exchanges carry it
	Request string   // noun for one of its requests
	Method  string   // HTTP method
	Path    string   // documented path
	Needs   []string // keys of the deployment file that a valid request needs
}

// Operations lists the documented operations in the order of reports.
func Operations() []Operation {
	return []Operation{
		{
			Name: "create", Request: "creation", Method: "POST", Path: "/v3/users/legal-representatives",
			Needs: []string{"fixtures.shareholder_id"},
		},
		{Name: "export", Request: "export", Method: "POST", Path: "/v1/reports/quote-statement/exports"},
	}
}

// FindOperation returns the operation of a name. For an undocumented one it sets only Name.
func FindOperation(name string) Operation {
	all := Operations()
	if i := slices.IndexFunc(all, func(o Operation) bool { return o.Name == name }); i >= 0 {
		return all[i]
	}
	return Operation{Name: name}
}

// SuiteNames lists the suites in the order of reports: first the operations, then suites that
// cover several.
func SuiteNames() []string {
	var names []string
	for _, o := range Operations() {
		names = append(names, o.Name)
	}
	return append(names, "replay", "auth")
}

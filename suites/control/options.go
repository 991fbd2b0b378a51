package control

import (
	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/target"
)

// Options that contexts have beside headers, by the names of their factors.
const (
	Method        = "x-api-key" // the other method of authentication
	Qualification = "qualification"
	EndOfTerm     = "relationship_end_date"
)

// given is the value of an option that only is there or not: its name says all.
const given, absent = "", "absent"

// option is a factor, and how a request gets one of its values.
type option struct {
	design.Factor
	whose  bool // it decides whose request it is, or about whose objects
	create func(*target.Creation, string)
	export func(*target.ExportCall, string)
}

// options of an operation, as far as the deployment file has values for them.
func (c *Controls) options(op client.Operation) (all []option) {
	f, credentials, headers := c.t.Deployment.Fixtures, c.t.Deployment.Credentials, c.headers(op)
	add := func(known bool, o option, name string, values ...string) {
		if o.Name, o.Values = name, values; known && name != "" {
			all = append(all, o)
		}
	}
	header := func(name, value string) func(*target.ExportCall, string) {
		return func(x *target.ExportCall, _ string) { *x = x.Set(name, value) }
	}
	add(credentials.PlatformToken != nil && credentials.APIKey != nil, option{
		whose:  true,
		create: func(x *target.Creation, _ string) { x.Credential = credentials.APIKey },
		export: func(x *target.ExportCall, _ string) { x.Credential = credentials.APIKey },
	}, Method, absent, given)
	add(f.ProductID != "", option{
		whose:  true,
		create: func(x *target.Creation, _ string) { x.Product = f.ProductID },
		export: header(target.HeaderProduct, f.ProductID),
	}, target.HeaderProduct, absent, given)
	add(f.ProductID != "" && f.TargetUserID != "", option{
		whose: true, create: func(x *target.Creation, _ string) { c.onBehalf(x) },
		export: header(target.HeaderTarget, f.TargetUserID),
	}, headers.OnBehalfOf, absent, given)
	add(headers.Language != "", option{
		create: func(x *target.Creation, value string) { x.Language = value },
		export: func(x *target.ExportCall, value string) { *x = x.Set(target.HeaderLanguage, value) },
	}, headers.Language, absent, "pt-BR", "en-US")
	if op == client.Create {
		field := func(name string, values ...string) {
			add(true, option{create: func(x *target.Creation, value string) {
				switch value {
				case "true":
					*x = x.With(name, true)
				case absent:
					*x = x.Without(name)
				default:
					*x = x.With(name, value)
				}
			}}, name, values...)
		}
		field(Qualification, "PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER")
		field("pep", "false", "true")
		field("is_public_server", "false", "true")
		field("document_country_of_issue", "BRA", "USA")
		field(EndOfTerm, "given", absent)
		return all
	}
	field := func(known bool, name string, values ...string) {
		add(known, option{export: func(x *target.ExportCall, value string) {
			if x.Fields == nil {
				return
			}
			if x.Fields = x.Fields.With(name, value); name == "filter_type" {
				x.Fields = x.Fields.With("filter_text", f.ClientID)
			}
		}}, name, values...)
	}
	add(f.OtherWalletID != "", option{whose: true, export: header(target.HeaderWallet, f.OtherWalletID)},
		target.HeaderWallet, absent, given)
	add(true, option{export: func(x *target.ExportCall, value string) {
		x.Mode, x.Transaction = value, target.UUID()
	}}, target.HeaderReplay, target.HeaderNonce, target.HeaderTransaction, target.HeaderTransaction+"&"+target.HeaderNonce)
	field(f.ClientID != "", "filter_type", absent, "client_id")
	field(true, "sort", absent, "settled_date")
	field(true, "order", absent, "asc", "desc")
	field(true, "type_extension", absent, "CSV")
	return all
}

// headers names the headers of an operation: those of a creation are not documented, and the deployment file gives them.
func (c *Controls) headers(op client.Operation) deployment.CreateHeaders {
	if op == client.Create {
		return c.t.Deployment.LegalRepresentative.Headers
	}
	return deployment.CreateHeaders{Language: target.HeaderLanguage, OnBehalfOf: target.HeaderTarget}
}

// onBehalf makes a creation one for the target user of the fixtures.
func (c *Controls) onBehalf(x *target.Creation) {
	f := c.t.Deployment.Fixtures
	x.Product, x.OnBehalfOf = f.ProductID, f.TargetUserID
	if f.TargetUserShareholderID != "" {
		*x = x.With("shareholder_id", f.TargetUserShareholderID)
	}
}

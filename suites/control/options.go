package control

import (
	"cmp"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/target"
)

// Method is the option of the other method of authentication.
const Method = "x-api-key"

// given is the value of an option that only is there or not: its name says all.
const given, absent = "", "absent"

// option is a factor, and how a request gets one of its values.
type option struct {
	design.Factor
	whose bool // it decides whose request it is, or about whose objects
	give  func(x Call, value string)
}

// options of an operation, as far as the deployment file has values for them.
func (c *Controls) options(op client.Operation) (all []option) {
	f, credentials, headers := c.t.Deployment.Fixtures, c.t.Deployment.Credentials, c.headers(op)
	add := func(known, whose bool, name string, give func(Call, string), values ...string) {
		if known && name != "" {
			all = append(all, option{design.Factor{Name: name, Values: values}, whose, give})
		}
	}
	// either changes a creation, or gives an export a header.
	either := func(create func(*target.Creation, string), header, id string) func(Call, string) {
		return func(x Call, value string) {
			if x.Creation != nil {
				create(x.Creation, value)
			} else {
				*x.Export = x.Export.Set(header, cmp.Or(id, value))
			}
		}
	}
	add(credentials.PlatformToken != nil && credentials.APIKey != nil, true, Method,
		func(x Call, _ string) { x.Credential = credentials.APIKey }, absent, given)
	add(f.ProductID != "", true, target.HeaderProduct, either(func(x *target.Creation, _ string) { x.Product = f.ProductID },
		target.HeaderProduct, f.ProductID), absent, given)
	add(f.ProductID != "" && f.TargetUserID != "", true, headers.OnBehalfOf, either(
		func(x *target.Creation, _ string) { c.OnBehalf(x) }, target.HeaderTarget, f.TargetUserID), absent, given)
	add(true, false, headers.Language, either(func(x *target.Creation, value string) { x.Language = value },
		target.HeaderLanguage, ""), absent, "pt-BR", "en-US")
	if op == client.Create {
		field := func(name string, values ...string) {
			add(true, false, name, func(x Call, value string) {
				switch value {
				case "true":
					*x.Creation = x.Creation.With(name, true)
				case absent:
					*x.Creation = x.Creation.Without(name)
				default:
					*x.Creation = x.Creation.With(name, value)
				}
			}, values...)
		}
		field("qualification", "PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER")
		field("pep", "false", "true")
		field("is_public_server", "false", "true")
		field("document_country_of_issue", "BRA", "USA")
		field("relationship_end_date", "given", absent)
		return all
	}
	field := func(known bool, name string, values ...string) {
		add(known, false, name, func(x Call, value string) {
			if x.Export.Fields == nil {
				return
			}
			if x.Export.Fields = x.Export.Fields.With(name, value); name == "filter_type" {
				x.Export.Fields = x.Export.Fields.With("filter_text", f.ClientID)
			}
		}, values...)
	}
	add(f.OtherWalletID != "", true, target.HeaderWallet, either(nil, target.HeaderWallet, f.OtherWalletID), absent, given)
	add(true, false, target.HeaderReplay, func(x Call, value string) { x.Export.Mode, x.Transaction = value, target.UUID() },
		target.HeaderNonce, target.HeaderTransaction, target.HeaderTransaction+"&"+target.HeaderNonce)
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

// OnBehalf makes a creation one for the target user of the fixtures, and for a shareholder of that user, where the file
// gives one.
func (c *Controls) OnBehalf(x *target.Creation) {
	f := c.t.Deployment.Fixtures
	x.Product, x.OnBehalfOf = f.ProductID, f.TargetUserID
	*x = x.With("shareholder_id", cmp.Or(f.TargetUserShareholderID, f.ShareholderID))
}

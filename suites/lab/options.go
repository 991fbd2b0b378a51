package lab

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
	give  func(r *target.Request, value string)
}

// options of an operation, as far as the deployment file has values for them.
func (l *Lab) options(op client.Operation) (all []option) {
	f, credentials, headers := l.t.Deployment.Fixtures, l.t.Deployment.Credentials, l.headers(op)
	add := func(known, whose bool, name string, give func(*target.Request, string), values ...string) {
		if known && name != "" {
			all = append(all, option{design.Factor{Name: name, Values: values}, whose, give})
		}
	}
	field := func(known bool, name string, values ...string) {
		add(known, false, name, func(r *target.Request, value string) {
			switch {
			case op == Export && r.Fields == nil: // it has no body
			case value == "true":
				r.Give(name, true)
			case value == absent:
				r.Drop(name)
			default:
				r.Give(name, value)
			}
		}, values...)
	}
	add(credentials.PlatformToken != nil && credentials.APIKey != nil, true, Method,
		func(r *target.Request, _ string) { r.Credential = credentials.APIKey }, absent, given)
	add(f.ProductID != "", true, target.HeaderProduct, func(r *target.Request, _ string) { r.Product = f.ProductID }, absent, given)
	add(f.ProductID != "" && f.TargetUserID != "", true, headers.OnBehalfOf,
		func(r *target.Request, _ string) { l.OnBehalf(r) }, absent, given)
	add(true, false, headers.Language, func(r *target.Request, value string) { r.Language = value }, absent, "pt-BR", "en-US")
	if op == Create {
		field(true, "qualification", "PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER")
		field(true, "pep", "false", "true")
		field(true, "is_public_server", "false", "true")
		field(true, "document_country_of_issue", "BRA", "USA")
		field(true, "relationship_end_date", "given", absent)
		return all
	}
	add(f.OtherWalletID != "", true, target.HeaderWallet,
		func(r *target.Request, _ string) { r.SetHeader(target.HeaderWallet, f.OtherWalletID) }, absent, given)
	add(true, false, target.HeaderReplay, func(r *target.Request, value string) { r.Mode, r.Transaction = value, target.UUID() },
		target.HeaderNonce, target.HeaderTransaction, target.HeaderTransaction+"&"+target.HeaderNonce)
	add(f.ClientID != "", false, "filter_type", func(r *target.Request, value string) {
		if r.Fields != nil {
			r.Give("filter_type", value)
			r.Give("filter_text", f.ClientID)
		}
	}, absent, "client_id")
	field(true, "sort", absent, "settled_date")
	field(true, "order", absent, "asc", "desc")
	field(true, "type_extension", absent, "CSV")
	return all
}

// headers names the headers of an operation: those of a creation are not documented, and the deployment file gives them.
func (l *Lab) headers(op client.Operation) deployment.CreateHeaders {
	if op == Create {
		return l.t.Deployment.LegalRepresentative.Headers
	}
	return deployment.CreateHeaders{Language: target.HeaderLanguage, OnBehalfOf: target.HeaderTarget}
}

// OnBehalf makes a request one for the target user of the fixtures, and a creation for a shareholder of that user, where the
// file gives one.
func (l *Lab) OnBehalf(r *target.Request) {
	f := l.t.Deployment.Fixtures
	if r.Product, r.OnBehalfOf = f.ProductID, f.TargetUserID; r.Operation == Create {
		r.Give("shareholder_id", cmp.Or(f.TargetUserShareholderID, f.ShareholderID))
	}
}

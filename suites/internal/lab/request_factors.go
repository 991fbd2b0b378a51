package lab

import (
	"cmp"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/target"
)

// AuthMethodFactor names the option to authenticate by the other method.
const AuthMethodFactor = "x-api-key"

// valueGiven is the value of an option that has no values, only presence.
const valueGiven, valueAbsent = "", "absent"

// requestFactor is an option, and the function that sets one of its values in a request.
type requestFactor struct {
	design.Factor
	decidesIdentity bool // it decides who makes the request or whose objects it is about
	apply           func(r *target.Request, value string)
}

// requestFactors returns the options of an operation that the deployment file has values for.
func (l *Lab) requestFactors(op client.Operation) (all []requestFactor) {
	given, headers := l.target.Deployment, l.headerNames(op)
	f, credentials := given.Fixtures, given.Credentials
	add := func(known, whose bool, name string, give func(*target.Request, string), values ...string) {
		if known && name != "" {
			all = append(all, requestFactor{design.Factor{Name: name, Values: values}, whose, give})
		}
	}
	field := func(name string, values ...string) {
		add(true, false, name, func(r *target.Request, value string) {
			switch {
			case op == client.OperationExport && r.Fields == nil: // no body
			case value == "true":
				r.SetField(name, true)
			case value == valueAbsent:
				r.RemoveFields(name)
			default:
				r.SetField(name, value)
			}
		}, values...)
	}
	add(credentials.PlatformToken != nil && credentials.APIKey != nil, true, AuthMethodFactor,
		func(r *target.Request, _ string) { r.Credential = credentials.APIKey }, valueAbsent, valueGiven)
	add(f.ProductID != "", true, target.HeaderProduct,
		func(r *target.Request, _ string) { r.Product = f.ProductID }, valueAbsent, valueGiven)
	add(f.ProductID != "" && f.TargetUserID != "", true, headers.OnBehalfOf,
		func(r *target.Request, _ string) { l.SetOnBehalf(r) }, valueAbsent, valueGiven)
	add(true, false, headers.Language, func(r *target.Request, value string) { r.Language = value },
		valueAbsent, "pt-BR", "en-US")
	if op == client.OperationCreate {
		field("qualification", "PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER")
		field("pep", "false", "true")
		field("is_public_server", "false", "true")
		field("document_country_of_issue", "BRA", "USA")
		field("relationship_end_date", "given", valueAbsent)
		return all
	}
	add(f.OtherWalletID != "", true, target.HeaderWallet,
		func(r *target.Request, _ string) { r.SetHeader(target.HeaderWallet, f.OtherWalletID) },
		valueAbsent, valueGiven)
	add(true, false, target.HeaderReplay,
		func(r *target.Request, value string) { r.Mode, r.Transaction = value, target.NewUUID() },
		target.HeaderNonce, target.HeaderTransaction, target.HeaderTransaction+"&"+target.HeaderNonce)
	add(f.ClientID != "", false, "filter_type", func(r *target.Request, value string) {
		if r.Fields != nil {
			r.SetField("filter_type", value)
			r.SetField("filter_text", f.ClientID)
		}
	}, valueAbsent, "client_id")
	field("sort", valueAbsent, "settled_date")
	field("order", valueAbsent, "asc", "desc")
	field("type_extension", valueAbsent, "CSV")
	return all
}

// headerNames returns the header names of an operation. Those of a creation are not documented:
// the deployment file gives them.
func (l *Lab) headerNames(op client.Operation) deployment.CreateHeaders {
	if op == client.OperationCreate {
		return l.target.Deployment.LegalRepresentative.Headers
	}
	return deployment.CreateHeaders{
		Language:   target.HeaderLanguage,
		OnBehalfOf: target.HeaderTargetUser,
	}
}

// SetOnBehalf makes a request act for the target user of the fixtures. A creation also names a
// shareholder of that user, where the file gives one.
func (l *Lab) SetOnBehalf(r *target.Request) {
	f := l.target.Deployment.Fixtures
	r.Product, r.OnBehalfOf = f.ProductID, f.TargetUserID
	if r.Operation == client.OperationCreate {
		r.SetField("shareholder_id", cmp.Or(f.TargetUserShareholderID, f.ShareholderID))
	}
}

package lab

import (
	"cmp"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/target"
)

// AuthMethodFactor is the option of the other method of authentication.
const AuthMethodFactor = "x-api-key"

// valueGiven is the value of an option that only is there or not: its name says all.
const valueGiven, valueAbsent = "", "absent"

// requestFactor is a factor, and how a request gets one of its values.
type requestFactor struct {
	design.Factor
	decidesIdentity bool // it decides whose request it is, or about whose objects
	apply           func(r *target.Request, value string)
}

// requestFactors of an operation, as far as the deployment file has values for them.
func (l *Lab) requestFactors(op client.Operation) (all []requestFactor) {
	f, credentials, headers := l.target.Deployment.Fixtures,
		l.target.Deployment.Credentials, l.headerNames(op)
	add := func(known, whose bool, name string, give func(*target.Request, string), values ...string) {
		if known && name != "" {
			all = append(all, requestFactor{design.Factor{Name: name, Values: values}, whose, give})
		}
	}
	field := func(known bool, name string, values ...string) {
		add(known, false, name, func(r *target.Request, value string) {
			switch {
			case op == OperationExport && r.Fields == nil: // it has no body
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
	if op == OperationCreate {
		field(true, "qualification", "PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER")
		field(true, "pep", "false", "true")
		field(true, "is_public_server", "false", "true")
		field(true, "document_country_of_issue", "BRA", "USA")
		field(true, "relationship_end_date", "given", valueAbsent)
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
	field(true, "sort", valueAbsent, "settled_date")
	field(true, "order", valueAbsent, "asc", "desc")
	field(true, "type_extension", valueAbsent, "CSV")
	return all
}

// headerNames names the headers of an operation: those of a creation are not documented, and the
// deployment file gives them.
func (l *Lab) headerNames(op client.Operation) deployment.CreateHeaders {
	if op == OperationCreate {
		return l.target.Deployment.LegalRepresentative.Headers
	}
	return deployment.CreateHeaders{
		Language:   target.HeaderLanguage,
		OnBehalfOf: target.HeaderTargetUser,
	}
}

// SetOnBehalf makes a request one for the target user of the fixtures, and a creation for a
// shareholder of that user, where the file gives one.
func (l *Lab) SetOnBehalf(r *target.Request) {
	f := l.target.Deployment.Fixtures
	if r.Product, r.OnBehalfOf = f.ProductID, f.TargetUserID; r.Operation == OperationCreate {
		r.SetField("shareholder_id", cmp.Or(f.TargetUserShareholderID, f.ShareholderID))
	}
}

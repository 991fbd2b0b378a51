package control

import (
	"math/rand/v2"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

// ReplayValue begins the names of partners that choose what replay protection compares.
const ReplayValue = "replay-protection"

// ByKey names the partner that is the other method of authentication.
const ByKey = "x-api-key"

// spread assigns the partners that the deployment file has values for to the rows.
func (c *Controls) spread(op client.Operation, rng *rand.Rand) (spread [rows]Company) {
	f, all, headers := c.t.Deployment.Fixtures, c.t.Deployment.Credentials, c.headers(op)
	either := func() Row { return First + Row(rng.IntN(2)) }
	other := func(r Row) Row { return First + Second - r }
	add := func(r Row, p Partner) { spread[r] = append(spread[r], p) }

	language := func(value string) Partner {
		return Partner{
			Setting: record.Setting{Factor: headers.Language, Value: value}, Apart: true,
			Export: func(c *target.ExportCall) { *c = c.Set(target.HeaderLanguage, value) },
		}
	}
	english, user := either(), either()
	add(english, language("en-US"))
	add(other(english), language("pt-BR"))
	product := Partner{Setting: record.Setting{Factor: target.HeaderProduct}, Export: func(x *target.ExportCall) {
		*x = x.Set(target.HeaderProduct, f.ProductID)
	}, scoped: true}
	if f.ProductID != "" {
		add(other(user), product)
	}
	if f.ProductID != "" && f.TargetUserID != "" && op != client.File { // that is another user's file
		add(user, product)
		add(user, Partner{Setting: record.Setting{Factor: headers.OnBehalfOf}, Export: func(x *target.ExportCall) {
			*x = x.Set(target.HeaderProduct, f.ProductID).Set(target.HeaderTarget, f.TargetUserID)
		}, scoped: true})
	}
	ofWallet := other(user)
	if all.PlatformToken != nil && all.APIKey != nil {
		by := either()
		if op == client.File { // what the key's holder gets where no wallet is named is a rule as well
			ofWallet = other(by)
		}
		add(by, Partner{
			Setting: record.Setting{Factor: ByKey},
			Export:  func(c *target.ExportCall) { c.Credential = all.APIKey },
		})
	}
	wallet := func(id string) {
		if id != "" {
			add(ofWallet, Partner{
				Setting: record.Setting{Factor: target.HeaderWallet}, scoped: true,
				Export: func(c *target.ExportCall) { *c = c.Set(target.HeaderWallet, id) },
			})
		}
	}
	field := func(r Row, apart bool, values ...string) {
		add(r, Partner{Setting: record.Setting{Factor: values[0], Value: values[1]}, Apart: apart, Export: func(c *target.ExportCall) {
			for i := 0; i < len(values) && c.Fields != nil; i += 2 {
				c.Fields = c.Fields.With(values[i], values[i+1])
			}
		}})
	}
	if op != client.Create {
		compared := func(r Row, identifiers string) {
			add(r, Partner{Setting: record.Setting{Factor: ReplayValue, Value: identifiers}, Apart: true, Export: func(c *target.ExportCall) {
				c.Mode, c.Transaction = identifiers, target.UUID()
			}})
		}
		both := []string{
			target.HeaderTransaction + "&" + target.HeaderNonce, target.HeaderNonce + "&" + target.HeaderTransaction,
		}
		one := either()
		compared(one, target.HeaderTransaction)
		compared(other(one), both[rng.IntN(len(both))])
	}
	switch op {
	case client.File:
		wallet(f.DefaultWalletID)
		add(First, without("sort")) // the other row's twin is sorted by settled_date
		add(either(), without("type_extension"))
	case client.Export:
		wallet(f.OtherWalletID)
		if f.ClientID != "" { // the target user may have no such client
			field(other(user), false, "filter_type", "client_id", "filter_text", f.ClientID)
		}
		for _, r := range Accompanied(op) { // whoever asks, and for whom, may choose among them
			field(r, true, "sort", "settled_date")
			field(r, true, "order", "asc")
			field(r, true, "type_extension", "CSV")
		}
	}
	return spread
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

// without leaves out a field of which the default is what exports of the window ask for.
func without(field string) Partner {
	return Partner{Setting: record.Setting{Factor: "no " + field}, Apart: true, Export: func(c *target.ExportCall) {
		if c.Fields[field] != "settled_date" {
			c.Fields = c.Fields.Without(field)
		}
	}}
}

package replay

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) allRepetitions() []repetition {
	return slices.Concat(
		s.sameRepetitions(),
		identifierRepetitions(),
		s.queryRepetitions(),
		s.bodyRepetitions(),
		[]repetition{{
			cell: "other_user", description: fromOtherUser, inConfigurations: true,
			requires: requiresOtherUser,
			edit: func(call *target.Request) {
				call.Credential = s.target.Deployment.Credentials.OtherUser
			},
		}},
	)
}

// sameRepetitions returns the repetitions that change nothing that is compared. A repeat that
// passes counts as an earlier request, so repeats of the first of several requests come first.
func (s *Suite) sameRepetitions() []repetition {
	const ofFirst = "repeats everything of the first of several requests"
	const ofLast = "repeats everything of the last of several requests"
	apiKey := s.target.Deployment.Credentials.APIKey
	resend := func(call *target.Request, followed target.Request) { *call = followed }
	all := []repetition{
		{cell: "same", description: exactRepeat, inConfigurations: true},
		{
			cell: "same", description: ofFirst, follows: otherNonce,
			standardModes: modesWithNonce, modes: append(modesNoneNonce, modesBoth...),
		},
		{cell: "same", description: ofFirst, follows: otherTransaction, modes: []string{"transaction"}},
		{
			cell: "same", description: "repeats everything twice", follows: exactRepeat,
			standardModes: modesNoneNonce,
		},
		{
			cell: "same", description: ofLast, follows: otherNonce,
			standardModes: []string{"nonce", "transaction_nonce"},
			modes:         []string{"none", "nonce", "transaction_nonce"}, editAfter: resend,
		},
		{
			cell: "same", description: ofLast, follows: otherTransaction,
			modes: []string{"transaction", "nonce_transaction"}, editAfter: resend,
		},
		{
			cell: "same", description: "repeats everything, including a query", follows: otherQuery,
			standardModes: modesAllButNone, requires: requiresUnknownQuery, editAfter: resend,
		},
		{
			cell: "same", description: "another user sends twice",
			follows: fromOtherUser, standardModes: modesNone, requires: requiresOtherUser, editAfter: resend,
		},
		{
			cell: "same", description: "repeats everything, with one UUID for both identifiers",
			standardModes: modesBoth[:1], group: "one UUID",
			prepare: func(call *target.Request) { call.Transaction = call.Nonce },
		},
		{
			cell: "same", description: "repeats everything, including an empty body",
			standardModes: modesNone, requires: requiresUnknownQuery, group: "no body",
			prepare: func(call *target.Request) { call.Fields, call.Query = nil, uniqueQuery() },
		},
		{
			cell: "same", rule: ruleBothSpellings, modes: modesBoth,
			description: "repeats everything under the other order of the names",
			edit: func(call *target.Request) {
				a, b, _ := strings.Cut(call.Mode, "&")
				call.Mode = b + "&" + a
			},
		},
		{
			cell: "same", rule: ruleSameUser, standardModes: modesNoneNonce, requires: requiresAPIKey,
			description: "repeats everything by the other method of authentication",
			edit:        func(call *target.Request) { call.Credential = apiKey },
		},
		{
			cell: "same", rule: ruleOtherHeaders, standardModes: modesNoneNonce,
			description: "changes only headers that are not compared",
			edit: func(call *target.Request) {
				call.Language = "en-US"
				call.SetHeader("User-Agent", "curl/8.9.1")
				call.SetHeader("Accept", "application/json, */*;q=0.8")
				call.SetHeader("X-Request-Id", target.NewUUID())
			},
		},
	}
	fixtures := s.target.Deployment.Fixtures
	product, wallet := fixtures.ProductID, fixtures.OtherWalletID
	if cmp.Or(product, wallet) == "" {
		return all
	}
	return append(all, repetition{
		cell: "same", rule: ruleOtherHeaders, standardModes: modesNone,
		description: "leaves out product and wallet", group: "product and wallet",
		prepare: func(call *target.Request) {
			if product != "" {
				call.SetHeader(target.HeaderProduct, product)
			}
			if wallet != "" {
				call.SetHeader(target.HeaderWallet, wallet)
			}
		},
		edit: func(call *target.Request) {
			call.Product = ""
			call.SetHeader(target.HeaderProduct)
			call.SetHeader(target.HeaderWallet)
		},
	})
}

// identifierRepetitions returns the repetitions that change nonce or transaction ID. A part of
// an identifier must not be enough.
func identifierRepetitions() []repetition {
	const end = 36 - 1       // of a UUID
	const lastPart = 36 - 12 // which stays, where most digits of an identifier change
	return []repetition{
		{
			cell: "other_nonce", description: otherNonce, inConfigurations: true,
			edit: func(c *target.Request) { c.Nonce = alterUUID(c.Nonce, 0, lastPart) },
		},
		{
			cell: "other_nonce", description: "changes the last digit of the nonce",
			standardModes: modesWithNonce,
			edit:          func(c *target.Request) { c.Nonce = alterUUID(c.Nonce, end, end+1) },
		},
		{
			cell: "other_nonce", description: "changes only the nonce, without a transaction ID",
			standardModes: modesNone, modes: modesNoneNonce, group: "no transaction ID",
			prepare: func(c *target.Request) { c.Transaction = "" },
			edit:    func(c *target.Request) { c.Nonce = alterUUID(c.Nonce, 0, lastPart) },
		},
		{
			cell: "other_nonce", description: "mixes the identifiers of two requests",
			follows: otherBoth, modes: modesBoth,
			editAfter: func(c *target.Request, followed target.Request) { c.Nonce = followed.Nonce },
		},
		{
			cell: "other_transaction", description: otherTransaction, inConfigurations: true,
			edit: func(c *target.Request) { c.Transaction = alterUUID(c.Transaction, 0, lastPart) },
		},
		{
			cell: "other_transaction", description: "changes the last digit of the transaction ID",
			standardModes: modesWithTransaction,
			edit:          func(c *target.Request) { c.Transaction = alterUUID(c.Transaction, end, end+1) },
		},
		{
			cell: "other_transaction", description: "changes the first digit of the transaction ID",
			standardModes: modesBoth,
			edit:          func(c *target.Request) { c.Transaction = alterUUID(c.Transaction, 0, 1) },
		},
		{
			cell: "other_both", description: otherBoth,
			edit: func(c *target.Request) {
				c.Nonce = alterUUID(c.Nonce, 0, lastPart)
				c.Transaction = alterUUID(c.Transaction, 0, lastPart)
			},
		},
		{
			cell: "other_both", description: "exchanges the two identifiers", standardModes: modesBoth,
			edit: func(c *target.Request) { c.Nonce, c.Transaction = c.Transaction, c.Nonce },
		},
	}
}

// alterUUID returns the UUID with other digits in [from, to).
func alterUUID(id string, from, to int) string {
	for {
		if other := id[:from] + target.NewUUID()[from:to] + id[to:]; other != id {
			return other
		}
	}
}

// uniqueQuery returns a query that no other request has.
func uniqueQuery() url.Values { return url.Values{"gateassay": {target.NewUUID()}} }

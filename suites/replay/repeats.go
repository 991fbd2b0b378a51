package replay

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) repetitions() []repetition {
	return slices.Concat(s.sameRepeats(), otherIdentifiers(), s.otherQueries(), s.otherBodies(),
		[]repetition{{
			cell: "other_user", words: fromOtherUser, contexts: true, requires: otherUser,
			edit: func(call *target.Request, _ target.Request) {
				call.Credential = s.t.Deployment.Credentials.OtherUser
			},
		}})
}

// sameRepeats change nothing that is compared. A repeat that passes may be what a later one is
// blocked for, so those of the first of several requests come ahead.
func (s *Suite) sameRepeats() []repetition {
	const ofFirst = "repeats everything of the first of several requests"
	const ofLast = "repeats everything of the last of several requests"
	resend := func(call *target.Request, followed target.Request) { *call = followed }
	all := []repetition{
		{cell: "same", words: exactRepeat, contexts: true},
		{
			cell: "same", words: ofFirst, follows: otherNonce,
			standard: withNonce, only: append(noneNonce, both...),
		},
		{cell: "same", words: ofFirst, follows: otherTransaction, only: []string{"transaction"}},
		{
			cell: "same", words: "repeats everything twice", follows: exactRepeat,
			standard: noneNonce,
		},
		{
			cell: "same", words: ofLast, follows: otherNonce,
			standard: []string{"nonce", "transaction_nonce"},
			only:     []string{"none", "nonce", "transaction_nonce"}, edit: resend,
		},
		{
			cell: "same", words: ofLast, follows: otherTransaction,
			only: []string{"transaction", "nonce_transaction"}, edit: resend,
		},
		{
			cell: "same", words: "repeats everything, a query included", follows: otherQuery,
			standard: allButNone, requires: unknownQuery, edit: resend,
		},
		{
			cell: "same", words: "repeats everything that another user sent",
			follows: fromOtherUser, standard: none, requires: otherUser, edit: resend,
		},
		{
			cell: "same", words: "repeats everything, with one UUID for both identifiers",
			standard: both[:1], group: "one UUID",
			firstEdit: func(call *target.Request) { call.Transaction = call.Nonce },
		},
		{
			cell: "same", words: "repeats everything, an empty body included",
			standard: none, requires: unknownQuery, group: "no body",
			firstEdit: func(call *target.Request) { call.Fields, call.Query = nil, uniqueQuery() },
		},
		{
			cell: "same", rule: bothSpellings, only: both,
			words: "repeats everything under the other order of the names",
			edit: func(call *target.Request, _ target.Request) {
				a, b, _ := strings.Cut(call.Mode, "&")
				call.Mode = b + "&" + a
			},
		},
		{
			cell: "same", rule: sameUser, standard: noneNonce, requires: apiKey,
			words: "repeats everything by the other method of authentication",
			edit: func(call *target.Request, _ target.Request) {
				call.Credential = s.t.Deployment.Credentials.APIKey
			},
		},
		{
			cell: "same", rule: otherHeaders, standard: noneNonce,
			words: "changes only headers that are not compared",
			edit: func(call *target.Request, _ target.Request) {
				call.Language = "en-US"
				call.SetHeader("User-Agent", "curl/8.9.1")
				call.SetHeader("Accept", "application/json, */*;q=0.8")
				call.SetHeader("X-Request-Id", target.NewUUID())
			},
		},
	}
	product, wallet := s.t.Deployment.Fixtures.ProductID, s.t.Deployment.Fixtures.OtherWalletID
	if cmp.Or(product, wallet) == "" {
		return all
	}
	return append(all, repetition{
		cell: "same", rule: otherHeaders, standard: none,
		words: "leaves out product and wallet", group: "product and wallet",
		firstEdit: func(call *target.Request) {
			if product != "" {
				call.SetHeader(target.HeaderProduct, product)
			}
			if wallet != "" {
				call.SetHeader(target.HeaderWallet, wallet)
			}
		},
		edit: func(call *target.Request, _ target.Request) {
			call.Product = ""
			call.SetHeader(target.HeaderProduct)
			call.SetHeader(target.HeaderWallet)
		},
	})
}

// otherIdentifiers change nonce and transaction ID. Part of an identifier is not the identifier.
func otherIdentifiers() []repetition {
	const end = 36 - 1       // of a UUID
	const lastPart = 36 - 12 // which stays, where an identifier changes in most of its digits
	return []repetition{
		{
			cell: "other_nonce", words: otherNonce, contexts: true,
			edit: func(c *target.Request, _ target.Request) {
				c.Nonce = altered(c.Nonce, 0, lastPart)
			},
		},
		{
			cell: "other_nonce", words: "changes the last digit of the nonce", standard: withNonce,
			edit: func(c *target.Request, _ target.Request) {
				c.Nonce = altered(c.Nonce, end, end+1)
			},
		},
		{
			cell: "other_nonce", words: "changes only the nonce, without a transaction ID",
			standard: none, only: noneNonce, group: "no transaction ID",
			firstEdit: func(c *target.Request) { c.Transaction = "" },
			edit: func(c *target.Request, _ target.Request) {
				c.Nonce = altered(c.Nonce, 0, lastPart)
			},
		},
		{
			cell: "other_nonce", words: "mixes the identifiers of two requests",
			follows: otherBoth, only: both,
			edit: func(c *target.Request, followed target.Request) { c.Nonce = followed.Nonce },
		},
		{
			cell: "other_transaction", words: otherTransaction, contexts: true,
			edit: func(c *target.Request, _ target.Request) {
				c.Transaction = altered(c.Transaction, 0, lastPart)
			},
		},
		{
			cell: "other_transaction", words: "changes the last digit of the transaction ID",
			standard: withTransaction,
			edit: func(c *target.Request, _ target.Request) {
				c.Transaction = altered(c.Transaction, end, end+1)
			},
		},
		{
			cell: "other_transaction", words: "changes the first digit of the transaction ID",
			standard: both,
			edit: func(c *target.Request, _ target.Request) {
				c.Transaction = altered(c.Transaction, 0, 1)
			},
		},
		{
			cell: "other_both", words: otherBoth,
			edit: func(c *target.Request, _ target.Request) {
				c.Nonce = altered(c.Nonce, 0, lastPart)
				c.Transaction = altered(c.Transaction, 0, lastPart)
			},
		},
		{
			cell: "other_both", words: "exchanges the two identifiers", standard: both,
			edit: func(c *target.Request, _ target.Request) {
				c.Nonce, c.Transaction = c.Transaction, c.Nonce
			},
		},
	}
}

// altered is a UUID with other digits in a part of it.
func altered(id string, from, to int) string {
	for {
		if other := id[:from] + target.NewUUID()[from:to] + id[to:]; other != id {
			return other
		}
	}
}

// uniqueQuery is one that no other request has.
func uniqueQuery() url.Values { return url.Values{"gateassay": {target.NewUUID()}} }

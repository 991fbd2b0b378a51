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
			cell: "other_user", words: wordsFromOtherUser, contexts: true, requires: requiresOtherUser,
			edit: func(call *target.Request, _ target.Request) {
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
	resend := func(call *target.Request, followed target.Request) { *call = followed }
	all := []repetition{
		{cell: "same", words: wordsExactRepeat, contexts: true},
		{
			cell: "same", words: ofFirst, follows: wordsOtherNonce,
			standard: modesWithNonce, only: append(modesNoneNonce, modesBoth...),
		},
		{cell: "same", words: ofFirst, follows: wordsOtherTransaction, only: []string{"transaction"}},
		{
			cell: "same", words: "repeats everything twice", follows: wordsExactRepeat,
			standard: modesNoneNonce,
		},
		{
			cell: "same", words: ofLast, follows: wordsOtherNonce,
			standard: []string{"nonce", "transaction_nonce"},
			only:     []string{"none", "nonce", "transaction_nonce"}, edit: resend,
		},
		{
			cell: "same", words: ofLast, follows: wordsOtherTransaction,
			only: []string{"transaction", "nonce_transaction"}, edit: resend,
		},
		{
			cell: "same", words: "repeats everything, a query included", follows: wordsOtherQuery,
			standard: modesAllButNone, requires: requiresUnknownQuery, edit: resend,
		},
		{
			cell: "same", words: "repeats everything that another user sent",
			follows: wordsFromOtherUser, standard: modesNone, requires: requiresOtherUser, edit: resend,
		},
		{
			cell: "same", words: "repeats everything, with one UUID for both identifiers",
			standard: modesBoth[:1], group: "one UUID",
			firstEdit: func(call *target.Request) { call.Transaction = call.Nonce },
		},
		{
			cell: "same", words: "repeats everything, an empty body included",
			standard: modesNone, requires: requiresUnknownQuery, group: "no body",
			firstEdit: func(call *target.Request) { call.Fields, call.Query = nil, uniqueQuery() },
		},
		{
			cell: "same", rule: ruleBothSpellings, only: modesBoth,
			words: "repeats everything under the other order of the names",
			edit: func(call *target.Request, _ target.Request) {
				a, b, _ := strings.Cut(call.Mode, "&")
				call.Mode = b + "&" + a
			},
		},
		{
			cell: "same", rule: ruleSameUser, standard: modesNoneNonce, requires: requiresAPIKey,
			words: "repeats everything by the other method of authentication",
			edit: func(call *target.Request, _ target.Request) {
				call.Credential = s.target.Deployment.Credentials.APIKey
			},
		},
		{
			cell: "same", rule: ruleOtherHeaders, standard: modesNoneNonce,
			words: "changes only headers that are not compared",
			edit: func(call *target.Request, _ target.Request) {
				call.Language = "en-US"
				call.SetHeader("User-Agent", "curl/8.9.1")
				call.SetHeader("Accept", "application/json, */*;q=0.8")
				call.SetHeader("X-Request-Id", target.NewUUID())
			},
		},
	}
	product, wallet := s.target.Deployment.Fixtures.ProductID, s.target.Deployment.Fixtures.OtherWalletID
	if cmp.Or(product, wallet) == "" {
		return all
	}
	return append(all, repetition{
		cell: "same", rule: ruleOtherHeaders, standard: modesNone,
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

// identifierRepetitions returns the repetitions that change nonce or transaction ID. A part of
// an identifier must not be enough.
func identifierRepetitions() []repetition {
	const end = 36 - 1       // of a UUID
	const lastPart = 36 - 12 // which stays, where most digits of an identifier change
	return []repetition{
		{
			cell: "other_nonce", words: wordsOtherNonce, contexts: true,
			edit: func(c *target.Request, _ target.Request) {
				c.Nonce = alterUUID(c.Nonce, 0, lastPart)
			},
		},
		{
			cell: "other_nonce", words: "changes the last digit of the nonce", standard: modesWithNonce,
			edit: func(c *target.Request, _ target.Request) {
				c.Nonce = alterUUID(c.Nonce, end, end+1)
			},
		},
		{
			cell: "other_nonce", words: "changes only the nonce, without a transaction ID",
			standard: modesNone, only: modesNoneNonce, group: "no transaction ID",
			firstEdit: func(c *target.Request) { c.Transaction = "" },
			edit: func(c *target.Request, _ target.Request) {
				c.Nonce = alterUUID(c.Nonce, 0, lastPart)
			},
		},
		{
			cell: "other_nonce", words: "mixes the identifiers of two requests",
			follows: wordsOtherBoth, only: modesBoth,
			edit: func(c *target.Request, followed target.Request) { c.Nonce = followed.Nonce },
		},
		{
			cell: "other_transaction", words: wordsOtherTransaction, contexts: true,
			edit: func(c *target.Request, _ target.Request) {
				c.Transaction = alterUUID(c.Transaction, 0, lastPart)
			},
		},
		{
			cell: "other_transaction", words: "changes the last digit of the transaction ID",
			standard: modesWithTransaction,
			edit: func(c *target.Request, _ target.Request) {
				c.Transaction = alterUUID(c.Transaction, end, end+1)
			},
		},
		{
			cell: "other_transaction", words: "changes the first digit of the transaction ID",
			standard: modesBoth,
			edit: func(c *target.Request, _ target.Request) {
				c.Transaction = alterUUID(c.Transaction, 0, 1)
			},
		},
		{
			cell: "other_both", words: wordsOtherBoth,
			edit: func(c *target.Request, _ target.Request) {
				c.Nonce = alterUUID(c.Nonce, 0, lastPart)
				c.Transaction = alterUUID(c.Transaction, 0, lastPart)
			},
		},
		{
			cell: "other_both", words: "exchanges the two identifiers", standard: modesBoth,
			edit: func(c *target.Request, _ target.Request) {
				c.Nonce, c.Transaction = c.Transaction, c.Nonce
			},
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

package replay

import (
	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// The table of the document: compared is the group { method, params, path, query, body, userId }; with a value of the
// header, the identifiers that it names are compared too. A repeat is blocked when everything compared is the same.

func (s *Suite) none() {
	m := mode("none")
	Describe("no value", func() {
		s.first("replay.none.first", m)
		s.blocksRepeat("replay.none.same", m, same, s.twice(m), s.otherHeaders(), s.beside(m, "language"))
		s.blocksRepeat("replay.none.other_nonce", m, otherNonce)
		s.blocksRepeat("replay.none.other_transaction", m, otherTransaction)
		s.blocksRepeat("replay.none.other_both", m, otherBoth)
		s.passes("replay.none.other_body", m, otherBody, s.bodies()...)
		s.passes("replay.none.other_query", m, otherQuery, s.otherValue())
		s.passes("replay.none.other_user", m, otherUser)
	})
}

func (s *Suite) nonce() {
	m := mode("nonce")
	Describe("nonce", func() {
		s.first("replay.nonce.first", m)
		s.blocksRepeat("replay.nonce.same", m, same, s.twice(m), s.afterOthers(m), s.beside(m, "API key"))
		s.passes("replay.nonce.other_nonce", m, otherNonce, s.nearly(m))
		s.blocksRepeat("replay.nonce.other_transaction", m, otherTransaction)
		s.passes("replay.nonce.other_both", m, otherBoth)
		s.passes("replay.nonce.other_body", m, otherBody)
		s.passes("replay.nonce.other_query", m, otherQuery)
		s.passes("replay.nonce.other_user", m, otherUser)
	})
}

func (s *Suite) transaction() {
	m := mode("transaction")
	Describe("x-transaction-uuid", func() {
		s.first("replay.transaction.first", m)
		s.blocksRepeat("replay.transaction.same", m, same, s.twice(m), s.afterOthers(m), s.beside(m, "wallet"))
		s.blocksRepeat("replay.transaction.other_nonce", m, otherNonce)
		s.passes("replay.transaction.other_transaction", m, otherTransaction, s.nearly(m))
		s.passes("replay.transaction.other_both", m, otherBoth)
		s.passes("replay.transaction.other_body", m, otherBody)
		s.passes("replay.transaction.other_query", m, otherQuery)
		s.passes("replay.transaction.other_user", m, otherUser)
	})
}

func (s *Suite) transactionNonce() {
	m := mode("transaction_nonce")
	Describe("x-transaction-uuid&nonce", func() {
		s.first("replay.transaction_nonce.first", m)
		s.blocksRepeat("replay.transaction_nonce.same", m, same, s.twice(m), s.afterOthers(m), s.beside(m, "product"))
		s.passes("replay.transaction_nonce.other_nonce", m, otherNonce, s.crossed(m), s.nearly(m))
		s.passes("replay.transaction_nonce.other_transaction", m, otherTransaction)
		s.passes("replay.transaction_nonce.other_both", m, otherBoth)
		s.passes("replay.transaction_nonce.other_body", m, otherBody)
		s.passes("replay.transaction_nonce.other_query", m, otherQuery)
		s.passes("replay.transaction_nonce.other_user", m, otherUser)
	})
}

func (s *Suite) nonceTransaction() {
	m := mode("nonce_transaction")
	Describe("nonce&x-transaction-uuid", func() {
		s.first("replay.nonce_transaction.first", m)
		s.blocksRepeat("replay.nonce_transaction.same", m, same, s.twice(m), s.afterOthers(m), s.beside(m, "target user"))
		s.passes("replay.nonce_transaction.other_nonce", m, otherNonce, s.crossed(m))
		s.passes("replay.nonce_transaction.other_transaction", m, otherTransaction, s.nearly(m))
		s.passes("replay.nonce_transaction.other_both", m, otherBoth)
		s.passes("replay.nonce_transaction.other_body", m, otherBody)
		s.passes("replay.nonce_transaction.other_query", m, otherQuery)
		s.passes("replay.nonce_transaction.other_user", m, otherUser)
	})
}

// with begins the statement about a mode.
func with(m rules.Mode) string {
	if m.Header == "" {
		return "Without a replay protection value, "
	}
	return "With " + m.Header + ", "
}

// blocking is the repeat of a cell, which has to be blocked where the table says so.
func (s *Suite) blocking(m rules.Mode, c cell) repeat {
	how := s.cell(m, c)
	how.blocks = !(c.body || c.query || c.user || m.Nonce && c.nonce || m.Transaction && c.transaction)
	return how
}

// blocksRepeat declares the rule that a cell of the table is blocked. Further repeats fall under the same cell; one
// without words does not apply to this deployment.
func (s *Suite) blocksRepeat(id string, m rules.Mode, c cell, further ...repeat) {
	place := types.NewCodeLocation(1)
	s.Rule(id, rules.Must, rules.ExportOperation, with(m)+"a request that "+c.words+" is blocked.", func() {
		for _, how := range append([]repeat{s.cell(m, c)}, further...) {
			if how.words == "" {
				continue
			}
			how.blocks = true
			seen := s.repeat(m, how)
			s.blocked = append(s.blocked, seen)
			if c == same && how.exact {
				s.exact = append(s.exact, seen)
			}
			It("blocks a request that "+how.words, place, func(ctx SpecContext) { Expect(seen.Await(ctx).Answer).To(BeBlocked()) })
		}
	})
}

// passes declares the rule that a cell of the table passes.
func (s *Suite) passes(id string, m rules.Mode, c cell, further ...repeat) {
	place := types.NewCodeLocation(1)
	var options []any
	if c == otherUser {
		options = append(options, spec.Needs("credentials.other_user"))
	}
	s.Rule(id, rules.Must, rules.ExportOperation, with(m)+"a request that "+c.words+" passes.", append(options, func() {
		for _, how := range append([]repeat{s.cell(m, c)}, further...) {
			seen := s.repeat(m, how)
			It("lets through a request that "+how.words, place, func(ctx SpecContext) { Expect(seen.Await(ctx).Answer).To(Pass()) })
		}
	})...)
}

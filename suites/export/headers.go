package export

import (
	"github.com/google/uuid"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// malformed lists kinds of text that are not a UUID, each in the place that make puts it. What is nothing like one is
// not among them: whoever accepts that accepts one of these as well.
func malformed(what string, make func(text string) build) edits {
	kinds := token.NotUUIDs()
	return edits{
		{what + " that is a UUID cut short", make(kinds[token.CutUUID])},
		{what + " that is text after a UUID", make(kinds[token.BeforeText])},
		{what + " that is text before a UUID", make(kinds[token.AfterText])},
	}
}

// unversioned is malformed, with a UUID of another version in place of the last one.
func unversioned(what string, make func(text string) build) edits {
	return append(malformed(what, make)[:2], edit{what + " that is a UUID of version 1", make(token.UUIDv1())})
}

func (s *Suite) nonces() {
	of := func(text string) build { return nonce(func() string { return text }) }
	notCompared := func(text string) build { return both(of(text), uncompared) }
	transaction := func(c *target.ExportCall) {
		c.Mode, c.Transaction = target.HeaderTransaction, target.UUID()
	}
	together := func(c *target.ExportCall) { c.Mode += "&nonce" }
	s.rejects("export.header.nonce.absent", Must, "An export without a nonce is rejected.", edits{
		{"no nonce", of("")},
		{"no nonce, and none to compare", notCompared("")},
		{"no nonce, and a transaction ID to compare", both(of(""), transaction)},
		{"no nonce, and both identifiers to compare", both(both(of(""), transaction), together)},
	})
	kinds, others := token.NotUUIDs(), token.NotUUIDs()
	s.rejects("export.header.nonce.malformed", Should, "A nonce that is not a UUID, or is empty, is rejected.", edits{
		{"a nonce that is a UUID cut short", of(kinds[token.CutUUID])},
		{"a nonce that is a UUID without its first digit", of(target.UUID()[1:])},
		{"a nonce that is text before a UUID", of(kinds[token.AfterText])},
		{"a nonce that is text after a UUID", of(kinds[token.BeforeText])},
		{"a nonce that is 36 characters without hexadecimal digits", of(kinds[token.NoHex])},
		{"a nonce that is a UUID cut short, and not compared", notCompared(others[token.CutUUID])},
		{"a nonce that is text after a UUID, and not compared", notCompared(others[token.BeforeText])},
		{"a nonce that is empty", both(of(""), header(target.HeaderNonce, ""))},
	})
	s.rejects("export.header.nonce.version", Should,
		"A nonce that is a UUID of another version than 4, or in another notation, is rejected.", edits{
			{"a nonce of version 1", nonce(token.UUIDv1)},
			{"a nonce of another variant", nonce(token.OtherVariant)},
			{"a nonce without dashes", nonce(token.Undashed)},
			{"a nonce of version 7, and a transaction ID to compare", both(nonce(token.UUIDv7), transaction)},
			{"a nonce of version 7, and not compared", both(nonce(token.UUIDv7), uncompared)},
			// Not compared, as an earlier run may have used it.
			{"the nil UUID as nonce, and not compared", notCompared(token.NilUUID)},
		})
}

func (s *Suite) languages() {
	s.Rule("export.header.language", Must, ExportOperation, "x-lang of pt-BR, of en-US, and none at all are accepted.", func() {
		s.accepts(s.send("language pt-BR", header(target.HeaderLanguage, "pt-BR")), s.controlled)
		s.accepts(s.send("language en-US", header(target.HeaderLanguage, "en-US")), s.controlled)
		s.accepts(s.send("no language", func(c *target.ExportCall) { *c = c.Set(target.HeaderLanguage) }), s.controlled)
	})
	s.rowRule(s.modelled(languageRowsRule))
}

func (s *Suite) products() {
	f := s.t.Deployment.Fixtures
	of := func(text string) build { return header(target.HeaderProduct, text) }
	forUser := func(text string) build { return both(of(f.ProductID), header(target.HeaderTarget, text)) }
	product := s.send("a product", of(f.ProductID))
	s.Group(spec.Needs("fixtures.product_id"), func() {
		s.Rule("export.header.product.accepted", Must, ExportOperation, "A product of the user is accepted.", func() {
			s.accepts(product, s.controlled, s.c.DoubtProduct)
		})
		s.rejects("export.header.product.malformed", Should, "A product ID that is not a UUID v4 is rejected.",
			unversioned("a product", of))
		s.rowRule(s.modelled(productRule))
	})
	s.Group(spec.Needs("fixtures.product_id", "fixtures.target_user_id"), func() {
		s.Rule("export.header.target_user.accepted", Must, ExportOperation,
			"A target user is accepted together with a product.", func() {
				s.Uses(product)
				s.accepts(s.send("a target user with a product", forUser(f.TargetUserID)), s.controlled,
					func(ctx spec.Context, got target.Answer) {
						if alone := product.Await(ctx); !got.Success() && !alone.Success() {
							ctx.Inconclusive("the product is refused by itself (%s)", alone)
						}
					}, s.c.DoubtTargetUser)
			})
		s.rejects("export.header.target_user.without_product", Must, "A target user is rejected without a product.",
			edits{{"a target user without a product", both(withoutProduct, header(target.HeaderTarget, f.TargetUserID))}})
		s.rejects("export.header.target_user.malformed", Should, "A target user that is not a UUID v4, or beside an empty product, is rejected.",
			append(unversioned("a target user", forUser),
				edit{"a target user and an empty product", both(of(""), header(target.HeaderTarget, f.TargetUserID))}))
		s.rejects("export.header.target_user.unknown", Should, "A target user who does not belong to the product is rejected.",
			s.strangers(forUser))
	})
}

// strangers are users who do not belong to the product: nobody, and one of another legal person where that one's token says
// who it is.
func (s *Suite) strangers(make func(id string) build) edits {
	all := edits{{"a target user who does not exist", make(target.UUID())}}
	if other := s.t.Deployment.Credentials.OtherUser; other != nil && uuid.Validate(token.Subject(other.Value)) == nil {
		all = append(all, edit{"a target user of another legal person", make(token.Subject(other.Value))})
	}
	return all
}

// withoutProduct drops the product that exports name where the deployment requires one.
func withoutProduct(c *target.ExportCall) {
	c.Header = c.Header.Clone()
	delete(c.Header, target.HeaderProduct)
}

func (s *Suite) walletHeaders() {
	f := s.t.Deployment.Fixtures
	of := func(text string) build { return header(target.HeaderWallet, text) }
	s.Rule("export.header.wallet.accepted", Must, ExportOperation, "A wallet of the user is accepted.",
		spec.Needs("fixtures.default_wallet_id"), func() {
			s.accepts(s.send("a wallet", of(f.DefaultWalletID)), s.controlled, s.c.DoubtWallet)
		})
	s.Rule(walletEmptyRule, Must, ExportOperation, s.modelled(walletEmptyRule).Statement, func() {
		s.accepts(s.send("an empty wallet header", of("")), s.controlled)
		if f.Window != nil && s.t.Deployment.Export.File != nil {
			s.rowCases(s.modelled(walletEmptyRule))
		}
	})
	s.rejects("export.header.wallet.malformed", Should, "A wallet ID that is not a UUID is rejected.",
		malformed("a wallet", of), spec.Needs("fixtures.default_wallet_id"))
}

// bodies: what is not a body of an export. A number in place of text is outside of every set, and so is an empty text.
func (s *Suite) bodies() {
	text := with("filter_text", s.someClient())
	s.rejects("export.body.none", Should, "An export without a body is rejected.",
		edits{{"no body", func(c *target.ExportCall) { c.Body = []byte{} }}})
	s.rejects("export.body.not_json", Should, "A body that is not JSON is rejected.", edits{
		{"a body of form fields", body("sort=quote_created_at&order=asc")},
		{"a JSON body that is cut off", body(`{"sort": "quote_created_at", "order"`)},
	})
	s.rejects("export.body.array", Should, "A JSON array in place of the object is rejected.", edits{
		{"an array of exports", body(`[{"sort": "quote_created_at"}]`)}, {"an empty array", body("[]")},
	})
	s.rejects("export.body.null", Should, "A JSON null, or a text or a number, in place of the object is rejected.", edits{
		{"null as the body", body("null")}, {"a text or a number as the body", body([]string{`"sort"`, "7"}[uint64(s.t.Seed)%2])},
	})
	s.rejects("export.body.sort", Should, "A sort outside its two values is rejected.", edits{
		{"a sort that is only the beginning of one", with("sort", "settled")},
		{"a sort with a trailing space", with("sort", "settled_date ")},
		{"a sort by another column", with("sort", "client_id")},
		{"an empty sort", with("sort", "")},
		{"sort that is a number", with("sort", 1)},
	})
	s.rejects("export.body.order", Should, "An order other than asc and desc is rejected.", edits{
		{"an order that is only the beginning of asc", with("order", "as")},
		{"an order that begins with asc, with a trailing space", with("order", "asc ")},
		{"an empty order", with("order", "")},
		{"order that is a number", with("order", 1)},
	})
	s.rejects("export.body.filter_type", Should, "A filter type other than client_id is rejected.", edits{
		{"a filter type of another name", both(text, with("filter_type", "amount"))},
		{"a filter type that is a number", both(text, with("filter_type", 1))},
	})
	s.rejects("export.body.type_extension", Should, "A file extension other than CSV is rejected.", edits{
		{"a PDF file", with("type_extension", "PDF")},
		{"a file extension that only begins with CSV", with("type_extension", "CSVX")},
		{"a file extension that is a number", with("type_extension", 1)},
	})
	s.rejects("export.body.date_start", Should, "A start that is not a date-time is rejected.",
		badDates("a start", "date_start", edit{"on 30 February", with("date_start", "2025-02-30T00:00:00Z")}))
	s.rejects("export.body.date_end", Should, "An end that is not a date-time is rejected.",
		badDates("an end", "date_end", edit{"in month 13", with("date_end", "2025-13-01T00:00:00Z")}))
}

// badDates are what is no date-time. Which day there never was is another one for each bound: one parser reads both.
func badDates(what, field string, never edit) edits {
	return edits{
		{what + " with text behind it", with(field, "2025-01-05T00:00:00Z, or so")},
		{what + " " + never.what, never.make},
		{what + " that is empty", with(field, "")},
		{what + " that is a day", with(field, "2025-01-05")},
		{what + " that is a number", with(field, 1735689600)},
	}
}

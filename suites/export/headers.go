package export

import (
	"github.com/google/uuid"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// named is a text and what it is.
type named struct{ what, text string }

// malformed lists texts that are not a UUID. What is nothing like one is not among them: whoever
// accepts that accepts one of these as well.
func malformed() []named {
	kinds := token.NotUUIDs()
	return []named{
		{"that is a UUID cut short", kinds[token.NotUUIDTruncated]},
		{"that is text after a UUID", kinds[token.NotUUIDBeforeText]},
		{"that is text before a UUID", kinds[token.NotUUIDAfterText]},
	}
}

// unversioned is malformed, with a UUID of another version in place of the last one.
func unversioned() []named {
	return append(malformed()[:2], named{"that is a UUID of version 1", token.UUIDv1()})
}

// each gives exports each of some texts.
func each(what string, texts []named, give func(r *target.Request, text string)) (all []lab.Probe) {
	for _, n := range texts {
		all = append(all, probe(what+" "+n.what, func(r *target.Request) { give(r, n.text) }))
	}
	return all
}

func (s *Suite) nonces() {
	transaction := func(r *target.Request) { r.Mode, r.Transaction = target.HeaderTransaction, target.NewUUID() }
	together := func(r *target.Request) { r.Mode += "&nonce" }
	s.rejects("export.header.nonce.absent", Must, "An export without a nonce is rejected.",
		[]lab.Probe{
			probe("no nonce", nonce("")),
			probe("no nonce, and none to compare", nonce(""), uncompared),
			probe("no nonce, and a transaction ID to compare", nonce(""), transaction),
			probe("no nonce, and both identifiers to compare", nonce(""), transaction, together),
		})
	kinds, others := token.NotUUIDs(), token.NotUUIDs()
	s.rejects("export.header.nonce.malformed", Should,
		"A nonce that is not a UUID, or is empty, is rejected.", []lab.Probe{
			probe("a nonce that is a UUID cut short", nonce(kinds[token.NotUUIDTruncated])),
			probe("a nonce that is a UUID without its first digit", nonce(target.NewUUID()[1:])),
			probe("a nonce that is text before a UUID", nonce(kinds[token.NotUUIDAfterText])),
			probe("a nonce that is text after a UUID", nonce(kinds[token.NotUUIDBeforeText])),
			probe("a nonce that is 36 characters without hexadecimal digits",
				nonce(kinds[token.NotUUIDHex]),
			),
			inTurn(spec.EveryOtherSeed(1),
				probe("a nonce that is a UUID cut short, and not compared",
					nonce(others[token.NotUUIDTruncated]), uncompared)),
			inTurn(spec.EveryOtherSeed(0),
				probe("a nonce that is text after a UUID, and not compared",
					nonce(others[token.NotUUIDBeforeText]), uncompared)),
			probe("a nonce that is empty", header(target.HeaderNonce, "")),
		})
	s.rejects("export.header.nonce.version", Should,
		"A nonce that is a UUID of another version than 4, or in another notation, is rejected.",
		[]lab.Probe{
			inTurn(spec.EveryOtherSeed(1), probe("a nonce of version 1", fresh(token.UUIDv1))),
			inTurn(spec.EveryOtherSeed(0),
				probe("a nonce of another variant", fresh(token.UUIDOtherVariant))),
			probe("a nonce without dashes", fresh(token.UUIDWithoutDashes)),
			inTurn(
				spec.EveryOtherSeed(1),
				probe("a nonce of version 7, and a transaction ID to compare",
					fresh(token.UUIDv7),
					transaction,
				),
			),
			inTurn(spec.EveryOtherSeed(0),
				probe("a nonce of version 7, and not compared", fresh(token.UUIDv7), uncompared)),
			// Not compared, as an earlier run may have used it.
			probe("the nil UUID as nonce, and not compared", nonce(token.NilUUID), uncompared),
		})
}

// fresh makes a nonce for each attempt.
func fresh(make func() string) edit { return func(r *target.Request) { r.Nonce = make() } }

func (s *Suite) languages() {
	s.Rule("export.header.language", Must, SectionExport,
		"x-lang of pt-BR, of en-US, and none at all are accepted.", func() {
			s.accepts(valid("language pt-BR", header(target.HeaderLanguage, "pt-BR")), s.controlled)
			s.accepts(valid("language en-US", header(target.HeaderLanguage, "en-US")), s.controlled)
			s.accepts(valid("no language", func(r *target.Request) { r.SetHeader(target.HeaderLanguage) }),
				s.controlled)
		})
	s.rowRule(s.modelled(languageRowsRule))
}

func (s *Suite) products() {
	f := s.t.Deployment.Fixtures
	of := func(r *target.Request, text string) { r.SetHeader(target.HeaderProduct, text) }
	forUser := func(r *target.Request, text string) {
		of(r, f.ProductID)
		r.SetHeader(target.HeaderTargetUser, text)
	}
	product := valid("a product", header(target.HeaderProduct, f.ProductID))
	s.GroupRules(spec.NeedsKeys("fixtures.product_id"), func() {
		s.Rule("export.header.product.accepted", Must, SectionExport,
			"A product of the user is accepted.", func() {
				s.accepts(product, s.controlled, s.lab.InconclusiveIfProductInvalid)
			})
		s.rejects("export.header.product.malformed", Should,
			"A product ID that is not a UUID v4 is rejected.",
			each("a product", unversioned(), of))
		s.rejects("export.header.product.unknown", Should,
			"A product that the user does not have is rejected.",
			[]lab.Probe{probe("a product that does not exist",
				header(target.HeaderProduct, target.NewUUID()))})
		s.rowRule(s.modelled(productRule))
	})
	s.GroupRules(spec.NeedsKeys("fixtures.product_id", "fixtures.target_user_id"), func() {
		s.Rule("export.header.target_user.accepted", Must, SectionExport,
			"A target user is accepted together with a product.", func() {
				alone := s.lab.ObserveProbe(product)
				s.accepts(valid("a target user with a product",
					func(r *target.Request) { forUser(r, f.TargetUserID) }),
					s.controlled,
					func(ctx spec.Context, got target.Answer) {
						if alone := alone.Await(ctx); !got.IsSuccess() && !alone.IsSuccess() {
							ctx.Inconclusivef("the product is refused by itself (%s)", alone)
						}
					}, s.lab.InconclusiveIfTargetUserInvalid)
			})
		s.rejects("export.header.target_user.without_product", Must,
			"A target user is rejected without a product.",
			[]lab.Probe{probe("a target user without a product",
				func(r *target.Request) { r.Product, r.OnBehalfOf = "", f.TargetUserID })})
		s.rejects("export.header.target_user.malformed", Should,
			"A target user that is not a UUID v4, or with an empty product, is rejected.",
			append(each("a target user", unversioned(), forUser),
				probe("a target user and an empty product", header(target.HeaderProduct, ""),
					header(target.HeaderTargetUser, f.TargetUserID))))
		s.rejects("export.header.target_user.unknown", Should,
			"A target user who does not belong to the product is rejected.",
			each("a target user", s.strangers(), forUser))
	})
}

// strangers are users who do not belong to the product: nobody, and one of another legal person
// where that one's token says who it is.
func (s *Suite) strangers() []named {
	all := []named{{"who does not exist", target.NewUUID()}}
	if other := s.t.Deployment.Credentials.OtherUser; other != nil &&
		uuid.Validate(token.Subject(other.Value)) == nil {
		all = append(all, named{"of another legal person", token.Subject(other.Value)})
	}
	return all
}

func (s *Suite) walletHeaders() {
	f := s.t.Deployment.Fixtures
	of := func(r *target.Request, text string) { r.SetHeader(target.HeaderWallet, text) }
	s.Rule("export.header.wallet.accepted", Must, SectionExport, "A wallet of the user is accepted.",
		spec.NeedsKeys("fixtures.default_wallet_id"), func() {
			s.accepts(valid("a wallet", header(target.HeaderWallet, f.DefaultWalletID)), s.controlled,
				s.lab.InconclusiveIfWalletInvalid)
		})
	s.Rule(walletEmptyRule, Must, SectionExport, s.modelled(walletEmptyRule).Statement, func() {
		s.accepts(valid("an empty wallet header", header(target.HeaderWallet, "")), s.controlled)
		if f.Window != nil && s.t.Deployment.Export.File != nil {
			s.rowCases(s.modelled(walletEmptyRule))
		}
	})
	s.rejects("export.header.wallet.malformed", Should, "A wallet ID that is not a UUID is rejected.",
		each("a wallet", malformed(), of), spec.NeedsKeys("fixtures.default_wallet_id"))
}

// bodies: what is not a body of an export. A number in place of text is outside of every set, and
// so is an empty text.
func (s *Suite) bodies() {
	text := with("filter_text", s.someClient())
	s.rejects("export.body.none", Should, "An export without a body is rejected.",
		[]lab.Probe{probe("no body", func(r *target.Request) { r.Body = []byte{} })})
	s.rejects("export.body.not_json", Should, "A body that is not JSON is rejected.", []lab.Probe{
		probe("a body of form fields", body("sort=quote_created_at&order=asc")),
		probe("a JSON body that is cut off", body(`{"sort": "quote_created_at", "order"`)),
	})
	s.rejects("export.body.array", Should, "A JSON array in place of the object is rejected.",
		[]lab.Probe{
			probe("an array of exports", body(`[{"sort": "quote_created_at"}]`)),
			probe("an empty array", body("[]")),
		})
	s.rejects("export.body.null", Should,
		"A JSON null, or a text or a number, in place of the object is rejected.", []lab.Probe{
			probe("null as the body", body("null")),
			inTurn(spec.EveryOtherSeed(0), probe("a text as the body", body(`"sort"`))),
			inTurn(spec.EveryOtherSeed(1), probe("a number as the body", body("7"))),
		})
	s.rejects("export.body.sort", Should, "A sort outside its two values is rejected.", []lab.Probe{
		probe("a sort that is only the beginning of one", with("sort", "settled")),
		probe("a sort with a trailing space", with("sort", "settled_date ")),
		probe("a sort by another column", with("sort", "client_id")),
		probe("an empty sort", with("sort", "")),
		probe("sort that is a number", with("sort", 1)),
	})
	s.rejects("export.body.order", Should, "An order other than asc and desc is rejected.",
		[]lab.Probe{
			probe("an order that is only the beginning of asc", with("order", "as")),
			probe("an order that begins with asc, with a trailing space", with("order", "asc ")),
			probe("an empty order", with("order", "")),
			probe("order that is a number", with("order", 1)),
		})
	s.rejects("export.body.filter_type", Should, "A filter type other than client_id is rejected.",
		[]lab.Probe{
			probe("a filter type of another name", text, with("filter_type", "amount")),
			probe("a filter type that is a number", text, with("filter_type", 1)),
		})
	s.rejects("export.body.type_extension", Should, "A file extension other than CSV is rejected.",
		[]lab.Probe{
			probe("a PDF file", with("type_extension", "PDF")),
			probe("a file extension that only begins with CSV", with("type_extension", "CSVX")),
			probe("a file extension that is a number", with("type_extension", 1)),
		})
	s.rejects("export.body.date_start", Should, "A start that is not a date-time is rejected.",
		badDates("a start", "date_start", "on 30 February", "2025-02-30T00:00:00Z"))
	s.rejects("export.body.date_end", Should, "An end that is not a date-time is rejected.",
		badDates("an end", "date_end", "in month 13", "2025-13-01T00:00:00Z"))
}

// badDates are what is no date-time. Which day there never was is another one for each bound: one
// parser reads both.
func badDates(what, field, never, day string) []lab.Probe {
	return append([]lab.Probe{
		probe(what+" with text behind it", with(field, "2025-01-05T00:00:00Z, or so")),
		probe(what+" "+never, with(field, day)),
		probe(what+" that is empty", with(field, "")),
		probe(what+" that is a day", with(field, "2025-01-05")),
		probe(what+" that is a number", with(field, 1735689600)),
	}, looseDates(what, field)...)
}

// looseDates are near to a date-time, and taken for one by readers that are made for more notations
// than that of RFC 3339.
func looseDates(what, field string) (all []lab.Probe) {
	for _, loose := range [][2]string{
		{"without its offset", "2025-01-05T00:00:00"},
		{"without seconds", "2025-01-05T00:00Z"},
		{"at hour 24", "2025-01-05T24:00:00Z"},
		{"whose offset is hours only", "2025-01-05T00:00:00+03"},
		{"whose offset has no colon", "2025-01-05T00:00:00+0300"},
		{"whose offset is no time", "2025-01-05T00:00:00+99:99"},
		{"with a comma before its fraction", "2025-01-05T00:00:00,5Z"},
		{"as a day of a week", "2025-W02-7T00:00:00Z"},
		{"as a day of the year", "2025-005T00:00:00Z"},
		{"on 29 February of 1900", "1900-02-29T00:00:00Z"},
		{"with blanks around it", " 2025-01-05T00:00:00Z "},
	} {
		all = append(all, inTurn(spec.ThoroughOnly(), probe(what+" "+loose[0], with(field, loose[1]))))
	}
	return all
}

package reference

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// condition is a value of a factor of a request, such as en-US of its language.
type condition struct {
	name, words string // as the end of a fault's name, and of its statement
	holds       func(q *call) bool
}

// conditions that a request of an operation can meet.
func conditions(of string) []condition {
	common := []condition{
		{"with_product", "when a product is named", (*call).namesProduct},
		{"in_english", "when en-US is preferred", func(q *call) bool { return q.preferred() == "en-US" }},
		{"in_portuguese", "when pt-BR is preferred", func(q *call) bool { return q.preferred() == "pt-BR" }},
		{"on_behalf", "on behalf of a user", func(q *call) bool { return q.namedUser() != "" }},
		{"by_api_key", "for an API key", (*call).byAPIKey},
	}
	if of == "create" {
		return append(common, []condition{
			{"for_attorneys", "for an ATTORNEY", gives("qualification", "ATTORNEY")},
			{"for_administrators", "for an ADMINISTRATOR", gives("qualification", "ADMINISTRATOR")},
			{"for_others", "for the qualification OTHER", gives("qualification", "OTHER")},
			{"for_exposed", "for a politically exposed person", gives("pep", true)},
			{"for_public_servers", "for a public servant", gives("is_public_server", true)},
			{"without_end", "for a relationship without end", gives("relationship_end_date", nil)},
		}...)
	}
	return append(common, []condition{
		{"with_wallet", "when a wallet is named", func(q *call) bool { return q.selection.Named }},
		{"with_extension", "when type_extension is given", not(gives("type_extension", nil))},
		{"filtered", "when a client filter is given", func(q *call) bool { return q.selection.Client != "" }},
		{"by_settled", "by settled_date", func(q *call) bool { return q.selection.Sort == bySettled }},
		{"ascending", "in ascending order", func(q *call) bool { return q.selection.Order == "asc" }},
		{"comparing_transaction", "when the transaction ID is compared", compares(2, 2)},
		{"comparing_both", "when both identifiers are compared", compares(3, 4)},
		{"with_query", "when it has a query", func(q *call) bool { return q.r.URL.RawQuery != "" }},
	}...)
}

// preferred is the language of a request, and namedUser whom it is done for.
func (q *call) preferred() string { return q.header(q.g.choices.CreateHeaders.Language, "x-lang") }

func (q *call) namedUser() string {
	return q.header(q.g.choices.CreateHeaders.OnBehalfOf, "x-product-target-user-uuid")
}

// header has one name in creations and another in all other requests.
func (q *call) header(creation, export string) string {
	if q.operation == creating {
		return q.r.Header.Get(creation)
	}
	return q.r.Header.Get(export)
}

func (q *call) byAPIKey() bool     { _, sent := q.apiKey(); return sent }
func (q *call) namesProduct() bool { return q.r.Header.Get("x-product-uuid") != "" }

func not(holds func(q *call) bool) func(*call) bool { return func(q *call) bool { return !holds(q) } }

// gives holds for requests with a value of a field.
func gives(field string, value any) func(*call) bool {
	return func(q *call) bool { return q.values[field] == value }
}

// compares holds for exports whose mode of replay protection lies between two.
func compares(first, last int) func(*call) bool {
	return func(q *call) bool {
		mode := slices.Index(spellings, q.r.Header.Get(schemaHeader))
		return q.operation == exporting && first <= mode && mode <= last
	}
}

// under limits an effect to requests that meet a condition, and to the files of such exports.
func (e effect) under(c condition) effect {
	var exports sync.Map // IDs of files
	return func(q *call, at any) {
		if q == nil {
			return
		}
		holds := false
		switch fetched := q.operation == retrieving || q.operation == downloading; {
		case !fetched:
			holds = c.holds(q)
		case q.file != nil:
			_, holds = exports.Load(q.file.ID)
		}
		if !holds {
			return
		}
		if q.file != nil {
			exports.Store(q.file.ID, true)
		}
		e(q, at)
	}
}

// crossing are the faults that are a fault under each condition of its operation.
type crossing struct {
	as, of    string // with which their names begin, and the fault that they are
	rule      string // in place of that of the fault
	only, but string // conditions, by name: those under which it is tried, and those under which nothing shows
}

const (
	byHeaders = "with_product in_english in_portuguese on_behalf"
	compared  = "comparing_transaction comparing_both"
	fewOf     = "on_behalf filtered" // too few exports are made under these
)

func crossings() []crossing {
	all := []crossing{
		{as: "create.shareholder.unknown.accepted", of: "create.shareholder.unknown_accepted"},
		{as: "create.shareholder.foreign.accepted", of: "create.shareholder.foreign_accepted"},
		{as: "create.participation.above_hundred.accepted", of: "create.participation.above_accepted"},
		{of: "create.participation.above_hundred.by_a_millionth"},
		{as: "create.participation.below_zero.accepted", of: "create.participation.below_accepted"},
		{as: "create.money.income.fraction.accepted", of: "create.money.income.fraction_accepted"},
		{as: "create.cpf.letters.accepted", of: "create.cpf.letters_accepted"},
		{as: "create.dates.birth_date.accepted", of: "create.dates.birth_date_day_accepted"},
		{as: "create.email.at_sign.accepted", of: "create.email.no_at_accepted"},
		{as: "create.header.nonce.absent.accepted", of: "create.header.nonce.absent_accepted"},
		{
			as: "create.header.on_behalf_of.without_product.accepted", of: "create.header.on_behalf_of_alone_accepted",
			but: "with_product on_behalf",
		},
		{as: "create.participation.zero.refused", of: "create.participation.zero_rejected"},
		{as: "create.participation.hundred.refused", of: "create.participation.hundred_rejected"},
		{as: "create.money.patrimony.integer.refused", of: "create.money.patrimony.zero_rejected"},
		{as: "create.dates.accepted.refused", of: "create.dates.leap_day_rejected"},
		{
			as: "create.qualification.partner.refused", of: "create.qualification.partner_rejected",
			only: "by_api_key on_behalf",
		},
		{
			as: "create.header.together.product", of: "create.header.product_rejected",
			rule: "create.header.together", only: "by_api_key",
		},
		{
			as: "create.header.together.language", of: "create.header.language_rejected",
			rule: "create.header.together", only: "for_exposed",
		},
		{of: "create.permission.ignored", only: byHeaders},
		{of: "create.repeat.second_record"},
		{as: "create.repeat.other_body.second_record", of: "create.repeat.other_body_second_record"},
		{as: "create.repeat.other_body.overwrites", of: "create.repeat.other_body_overwrites"},
		{as: "create.repeat.unchanged.renewed", of: "create.repeat.renewed"},
		{of: "create.echo.document.number.zero_lost"},
		{of: "create.echo.name.ascii_only"},
		{as: "create.echo.representor_type.changed", of: "create.echo.representor_type_always_partner"},
		{as: "create.echo.participation_percentage.spoilt", of: "create.echo.participation_percentage_whole"},
		{as: "create.default.country_of_issue.spoilt", of: "create.default.country_missing"},
		{as: "create.default.country_of_issue_kept.spoilt", of: "create.default.country_overwritten"},
		{as: "create.default.registration_update_date.spoilt", of: "create.default.registration_missing"},
		{as: "create.default.registration_update_date_kept.spoilt", of: "create.default.registration_overwritten"},
		{as: "export.success.asc_refused", of: "export.success.asc_rejected", but: "ascending"},
		{
			as: "export.success.filter_refused", of: "export.success.filter_type_rejected",
			only: "with_wallet by_api_key in_english by_settled",
		},
		{as: "export.header.nonce.absent.accepted", of: "export.header.nonce_missing_accepted"},
		{as: "export.header.nonce.malformed.accepted", of: "export.header.nonce_garbage_accepted"},
		{as: "export.body.order.accepted", of: "export.body.order_unknown_accepted", but: "ascending"},
		{as: "export.body.sort.accepted", of: "export.body.sort_unknown_accepted", but: "by_settled"},
		{as: "export.body.date_start.accepted", of: "export.body.date_start_garbage_accepted"},
		{as: "export.wallet.foreign.opened", of: "export.wallet.foreign_opens", but: "with_wallet"},
		{as: "export.range.start_inclusive.broken", of: "export.range.start_exclusive"},
		{as: "export.range.end_exclusive.broken", of: "export.range.end_inclusive"},
		{as: "export.range.precision.broken", of: "export.range.whole_seconds"},
		{as: "export.range.offset.broken", of: "export.range.offset_ignored", but: fewOf},
		{as: "export.range.empty.broken", of: "export.range.equal_bounds_inclusive", but: fewOf},
		{as: "export.range.start_after_end.broken", of: "export.range.turned", but: fewOf},
		{as: "export.range.open.broken", of: "export.range.start_alone_ignored", but: fewOf},
		{of: "export.range.last_row_lost", only: "by_api_key"},
		{as: "export.filter.client_id.broken", of: "export.filter.ignored", but: "filtered"},
		{as: "export.filter.prefix.broken", of: "export.filter.starts_with", but: "filtered"},
		{as: "export.wallet.selects.broken", of: "export.wallet.ignored", but: "with_wallet on_behalf"},
		{as: "export.order.asc.broken", of: "export.order.ignored", but: "ascending"},
		{as: "export.order.desc.broken", of: "export.order.always_asc", but: "ascending on_behalf"},
		{as: "export.default.order.broken", of: "export.default.order_asc", but: "ascending on_behalf"},
		{
			as: "export.default.sort.broken", of: "export.default.sort_settled", // a window's own export names no sort
			only: "in_english with_wallet filtered",
		},
		{as: "export.default.wallet.all", of: "export.wallet.default_is_all", only: "by_api_key"},
		{of: "export.isolation.broken", but: "on_behalf"},
		{as: "export.target.own_rows.shared", of: "export.target.own_rows_of_both", only: "by_api_key with_wallet"},
		{
			as: "export.target.rows.broken", of: "export.target.rows_of_both",
			but: byHeaders + " with_wallet", // all of the target's exports are, or too few
		},
		{
			as: "export.method.same_rows.some_lost", of: "export.rows.some_lost", rule: "export.method.same_rows",
			only: "by_api_key",
		},
		{
			as: "export.header.language.rows.some_lost", of: "export.rows.some_lost",
			rule: "export.header.language.rows", only: "in_english in_portuguese",
		},
		{as: "auth.missing.create_accepted", of: "auth.create_missing_accepted", only: byHeaders},
		{as: "auth.missing.export_accepted", of: "auth.export_missing_accepted", only: byHeaders + " " + compared},
		{as: "auth.bearer.expired.accepted", of: "auth.expired_accepted", only: byHeaders + " " + compared},
		{as: "replay.transaction.first.refused", of: "replay.transaction.first_blocked", only: "by_api_key"},
		{of: "replay.none.other_body.forgotten", but: "with_query " + compared},
		{of: "replay.none.other_query.forgotten", but: "with_query " + compared},
		{
			of:  "replay.none.other_user.forgotten",
			but: "with_product on_behalf with_wallet by_api_key filtered with_query " + compared, // they are the caller's
		},
	}
	for _, field := range requiredFields {
		name := "create.required." + field
		all = append(all, crossing{as: name + ".accepted", of: name + ".absent_accepted"},
			crossing{as: name + ".null.accepted", of: name + ".null_accepted"},
			crossing{as: name + ".empty.accepted", of: name + ".empty_accepted"})
	}
	for _, value := range []string{"attorney", "administrator", "other"} {
		name := "create.qualification." + value // whether its own field or another is to blame would be open
		all = append(all, crossing{as: name + ".refused", of: name + "_rejected", only: byHeaders + " by_api_key"})
	}
	for _, mode := range spellingNames {
		name := "replay." + mode
		all = append(all, crossing{as: name + ".same.passes", of: name + ".same", but: compared},
			crossing{of: name + ".not_atomic", only: byHeaders})
	}
	return all
}

// crossed are the faults of all crossings.
func crossed() (all faults) {
	plain := map[string]declaration{}
	for _, d := range slices.Concat(declarations(), narrowFaults(), crossedOnly()) {
		plain[d.Name] = d
	}
	for _, x := range crossings() {
		of, known := plain[x.of]
		if !known {
			panic("no fault is named " + x.of)
		}
		operation, _, _ := strings.Cut(x.of, ".")
		for _, c := range conditions(operation) {
			only, but := strings.Fields(x.only), strings.Fields(x.but)
			if x.only == "" && c.name == "with_query" && operation != "replay" {
				continue
			}
			if x.only != "" && !slices.Contains(only, c.name) || slices.Contains(but, c.name) {
				continue
			}
			d := of
			d.Name, d.Partner, d.Statement = cmp.Or(x.as, x.of)+"_"+c.name, c.name, of.Statement+" "+c.words
			d.Rule, d.effect = cmp.Or(x.rule, of.Rule), of.under(c)
			all = append(all, d)
		}
	}
	return all
}

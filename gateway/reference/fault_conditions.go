package reference

import (
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
		{"comparing_transaction", "when the transaction ID is compared", compares(2)},
		{"comparing_both", "when both identifiers are compared", compares(3, 4)},
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

func (q *call) namesProduct() bool { return q.r.Header.Get("x-product-uuid") != "" }

func not(holds func(q *call) bool) func(*call) bool { return func(q *call) bool { return !holds(q) } }

// gives holds for requests with a value of a field.
func gives(field string, value any) func(*call) bool {
	return func(q *call) bool { return q.values[field] == value }
}

// compares holds for exports in some modes of replay protection.
func compares(modes ...int) func(*call) bool {
	return func(q *call) bool {
		mode := slices.Index(spellings, q.r.Header.Get(schemaHeader))
		return q.operation == exporting && slices.Contains(modes, mode)
	}
}

// under limits changes to requests that meet a condition, and to the files of such exports.
func under(holds func(q *call) bool, changes ...any) effect {
	var exports sync.Map // IDs of files
	return when(func(q *call) bool {
		if q.operation == retrieving || q.operation == downloading {
			if q.file == nil {
				return false
			}
			_, met := exports.Load(q.file.ID)
			return met
		}
		met := holds(q)
		if met && q.file != nil {
			exports.Store(q.file.ID, true)
		}
		return met
	}, changes...)
}

// crossings are faults that are tried under each condition of their operation: all of them, some only, or all but those
// under which nothing shows.
func crossings() []struct{ of, only, but string } {
	const byHeaders, compared = "with_product in_english in_portuguese on_behalf", "comparing_transaction comparing_both"
	return []struct{ of, only, but string }{
		{of: `create.required.mother_name.absent_accepted create.required.email.null_accepted
			create.required.address.empty_accepted create.shareholder.unknown_accepted create.shareholder.foreign_accepted
			create.participation.above_accepted create.participation.below_accepted create.participation.zero_rejected
			create.participation.hundred_rejected create.money.income.fraction_accepted create.money.patrimony.zero_rejected
			create.cpf.letters_accepted create.dates.birth_date_day_accepted create.dates.leap_day_rejected
			create.email.no_at_accepted create.header.nonce.absent_accepted create.default.country_missing
			create.default.country_overwritten create.default.registration_missing create.default.registration_overwritten
			create.echo.participation_percentage_whole create.echo.representor_type_always_partner
			create.repeat.second_record create.repeat.other_body_second_record create.repeat.other_body_overwrites
			export.header.nonce_missing_accepted export.header.nonce_garbage_accepted
			export.body.date_start_garbage_accepted export.range.start_exclusive export.range.end_inclusive
			export.range.whole_seconds`},
		{of: "create.header.on_behalf_of_alone_accepted", but: "with_product on_behalf"},
		{of: "create.permission.ignored auth.create_missing_accepted auth.export_missing_accepted auth.expired_accepted", only: byHeaders},
		{of: "export.success.asc_rejected export.body.order_unknown_accepted export.order.ignored", but: "ascending"},
		{of: "export.body.sort_unknown_accepted", but: "by_settled"},
		{of: "export.wallet.foreign_opens", but: "with_wallet"},
		{of: `export.range.offset_ignored export.range.equal_bounds_inclusive export.range.turned
			export.range.start_alone_ignored`, but: "on_behalf filtered"}, // too few exports are made under these
		{of: "export.filter.ignored export.filter.starts_with", but: "filtered"},
		{of: "export.wallet.ignored", but: "with_wallet on_behalf"},
		{of: "export.order.always_asc export.default.order_asc", but: "ascending on_behalf"},
		{of: "export.isolation.broken", but: "on_behalf"},
		{of: "replay.none.same replay.nonce.same replay.transaction.same replay.transaction_nonce.same", but: compared},
	}
}

// crossed are the faults of all crossings: NAME_CONDITION is the fault NAME, which only requests meet that have the
// condition.
func crossed() (all faults) {
	plain := map[string]declaration{}
	for _, d := range declarations() {
		plain[d.Name] = d
	}
	for _, x := range crossings() {
		for name := range strings.FieldsSeq(x.of) {
			operation, _, _ := strings.Cut(name, ".")
			for _, c := range conditions(operation) {
				if x.only != "" && !slices.Contains(strings.Fields(x.only), c.name) || slices.Contains(strings.Fields(x.but), c.name) {
					continue
				}
				d := plain[name]
				d.Name, d.Partner = name+"_"+c.name, c.name
				d.Statement, d.effect = d.Statement+" "+c.words, under(c.holds, d.effect)
				all = append(all, d)
			}
		}
	}
	return all
}

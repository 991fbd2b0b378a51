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

// crossing are faults that are tried under each condition of their operation.
type crossing struct {
	of   string // the faults, by name
	only string // the conditions under which they are tried; empty: all
	but  string // those under which nothing shows
	rule string // in place of theirs
}

func crossings() []crossing {
	const byHeaders, compared = "with_product in_english in_portuguese on_behalf", "comparing_transaction comparing_both"
	all := []crossing{
		{of: `create.shareholder.unknown_accepted create.shareholder.foreign_accepted create.participation.above_accepted
			create.participation.below_accepted create.participation.above_hundred.by_a_millionth
			create.participation.zero_rejected create.participation.hundred_rejected create.money.income.fraction_accepted
			create.money.patrimony.zero_rejected create.cpf.letters_accepted create.dates.birth_date_day_accepted
			create.dates.leap_day_rejected create.email.no_at_accepted create.header.nonce.absent_accepted
			create.default.country_missing create.default.country_overwritten create.default.registration_missing
			create.default.registration_overwritten create.echo.participation_percentage_whole
			create.echo.representor_type_always_partner create.echo.document.number.zero_lost create.echo.name.ascii_only
			create.repeat.second_record create.repeat.other_body_second_record create.repeat.other_body_overwrites
			create.repeat.renewed export.header.nonce_missing_accepted export.header.nonce_garbage_accepted
			export.body.date_start_garbage_accepted export.range.start_exclusive export.range.end_inclusive
			export.range.whole_seconds`},
		{of: "create.header.on_behalf_of_alone_accepted", but: "with_product on_behalf"},
		// Whether its own field or another is to blame would be open under the others.
		{of: `create.qualification.attorney_rejected create.qualification.administrator_rejected
			create.qualification.other_rejected`, only: byHeaders + " by_api_key"},
		{of: "create.permission.ignored auth.create_missing_accepted", only: byHeaders},
		{of: "create.header.product_rejected", rule: "create.header.together", only: "by_api_key"},
		{of: "create.header.language_rejected", rule: "create.header.together", only: "for_exposed"},
		{of: `export.success.asc_rejected export.body.order_unknown_accepted export.order.ignored`, but: "ascending"},
		{of: "export.body.sort_unknown_accepted", but: "by_settled"},
		{of: "export.success.filter_type_rejected", only: "with_wallet by_api_key in_english by_settled"},
		{of: "export.wallet.foreign_opens", but: "with_wallet"},
		{of: `export.range.offset_ignored export.range.equal_bounds_inclusive export.range.turned
			export.range.start_alone_ignored`, but: "on_behalf filtered"}, // too few exports are made under these
		{of: "export.filter.ignored export.filter.starts_with", but: "filtered"},
		{of: "export.wallet.ignored", but: "with_wallet on_behalf"},
		{of: "export.order.always_asc export.default.order_asc", but: "ascending on_behalf"},
		{of: "export.default.sort_settled", only: "in_english with_wallet filtered"},
		{of: "export.isolation.broken", but: "on_behalf"},
		{
			of:   `export.range.last_row_lost replay.transaction.first_blocked create.header.default_language_english`,
			only: "by_api_key",
		},
		{of: "export.wallet.default_is_all", only: "by_api_key filtered"},
		{of: "export.order.settled_by_created", rule: "export.order.desc", only: "filtered"},
		{of: "export.range.always_created", only: "ascending with_wallet"},
		{of: "export.target.own_rows_of_both", only: "by_api_key with_wallet"},
		{of: "export.target.rows_of_both", but: byHeaders + " with_wallet"}, // all such exports, or too few
		{of: "export.rows.some_lost", rule: "export.method.same_rows", only: "by_api_key"},
		{of: "export.rows.some_lost", rule: "export.header.language.rows", only: "in_english in_portuguese"},
		{of: "auth.export_missing_accepted auth.expired_accepted", only: byHeaders + " " + compared},
		{of: "replay.none.other_body.forgotten replay.none.other_query.forgotten", but: "with_query " + compared},
		{of: "replay.none.other_user.forgotten", // under the others they are the caller's
			but: "with_product on_behalf with_wallet by_api_key filtered with_query " + compared},
	}
	for _, field := range requiredFields {
		name := "create.required." + field
		all = append(all, crossing{of: name + ".absent_accepted " + name + ".null_accepted " + name + ".empty_accepted"})
	}
	for _, mode := range spellingNames {
		all = append(all, crossing{of: "replay." + mode + ".same", but: compared},
			crossing{of: "replay." + mode + ".not_atomic", only: byHeaders})
	}
	return all
}

// crossed are the faults of all crossings: NAME_CONDITION is the fault NAME, which only requests meet that have the
// condition.
func crossed() (all faults) {
	plain := map[string]declaration{}
	for _, d := range slices.Concat(declarations(), narrowFaults(), crossedOnly()) {
		plain[d.Name] = d
	}
	for _, x := range crossings() {
		for name := range strings.FieldsSeq(x.of) {
			operation, _, _ := strings.Cut(name, ".")
			for _, c := range conditions(operation) {
				only, but := strings.Fields(x.only), strings.Fields(x.but)
				if len(only) > 0 && !slices.Contains(only, c.name) || slices.Contains(but, c.name) ||
					c.name == "with_query" && operation != "replay" {
					continue
				}
				d := plain[name]
				d.Name, d.Rule, d.Partner = name+"_"+c.name, cmp.Or(x.rule, d.Rule), c.name
				d.Statement, d.effect = d.Statement+" "+c.words, d.under(c)
				all = append(all, d)
			}
		}
	}
	return all
}

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

// conditions that a request of an operation can meet, whoever sends it, and with which credential.
func conditions(operation string) []condition {
	headers := []condition{
		{"with_product", "when a product is named", (*call).namesProduct},
		{"in_english", "when en-US is preferred", func(q *call) bool { return q.preferred() == "en-US" }},
		{"in_portuguese", "when pt-BR is preferred", func(q *call) bool { return q.preferred() == "pt-BR" }},
		{"on_behalf", "on behalf of a user", func(q *call) bool { return q.namedUser() != "" }},
	}
	byKey := condition{"by_api_key", "for an API key", (*call).byAPIKey}
	switch operation {
	case "create":
		return append(headers, byKey,
			condition{"for_attorneys", "for an ATTORNEY", gives("qualification", "ATTORNEY")},
			condition{"for_administrators", "for an ADMINISTRATOR", gives("qualification", "ADMINISTRATOR")},
			condition{"for_others", "for the qualification OTHER", gives("qualification", "OTHER")},
			condition{"for_exposed", "for a politically exposed person", gives("pep", true)},
			condition{"for_public_servers", "for a public servant", gives("is_public_server", true)},
			condition{"without_end", "for a relationship without end", gives("relationship_end_date", nil)})
	case "export":
		return append(headers, byKey,
			condition{"with_wallet", "when a wallet is named", func(q *call) bool { return q.selection.Named }},
			condition{"with_extension", "when type_extension is given", not(gives("type_extension", nil))},
			condition{"filtered", "when a client filter is given", func(q *call) bool { return q.selection.Client != "" }},
			condition{"by_settled", "by settled_date", func(q *call) bool { return q.selection.Sort == bySettled }},
			condition{"ascending", "in ascending order", func(q *call) bool { return q.selection.Order == "asc" }},
			condition{"comparing_transaction", "when the transaction ID is compared", spelling(2).sends},
			condition{"comparing_both", "when both identifiers are compared", func(q *call) bool { return q.mode > 2 }})
	}
	return headers
}

// conditioned is a product: some faults, each under every condition of its operation.
func conditioned(plain faults) (all faults) {
	const crossed = `create.required.mother_name.absent_accepted create.required.email.null_accepted
		create.required.address.empty_accepted create.shareholder.unknown_accepted create.shareholder.foreign_accepted
		create.participation.above_accepted create.participation.zero_rejected create.money.income.fraction_accepted
		create.cpf.letters_accepted create.participation.below_accepted create.email.no_at_accepted
		create.header.nonce.absent_accepted create.default.country_missing create.default.registration_missing
		create.echo.participation_percentage_whole create.repeat.second_record create.repeat.other_body_overwrites
		export.header.nonce_missing_accepted export.body.date_start_garbage_accepted export.range.start_exclusive
		export.range.end_inclusive export.range.whole_seconds auth.create_missing_accepted auth.export_missing_accepted
		auth.expired_accepted replay.none.same replay.nonce.same replay.transaction.same replay.transaction_nonce.same`
	for _, d := range plain {
		if !slices.Contains(strings.Fields(crossed), d.Name) {
			continue
		}
		operation, _, _ := strings.Cut(d.Name, ".")
		for _, c := range conditions(operation) {
			one := d
			one.Name, one.Partner = d.Name+"_"+c.name, c.name
			one.Statement, one.effect = d.Statement+" "+c.words, under(c.holds, d.effect)
			all = append(all, one)
		}
	}
	return all
}

func (q *call) namesProduct() bool { return q.r.Header.Get("x-product-uuid") != "" }

func not(holds func(q *call) bool) func(*call) bool { return func(q *call) bool { return !holds(q) } }

// gives holds for requests with a value of a field.
func gives(field string, value any) func(*call) bool {
	return func(q *call) bool { return q.values[field] == value }
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

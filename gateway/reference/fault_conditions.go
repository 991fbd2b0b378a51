package reference

import (
	"slices"
	"strings"
	"sync"
)

// requestCondition is a property that a request may have, such as the language en-US.
type requestCondition struct {
	name, words string // suffixes of a fault's name and statement
	holds       func(q *request) bool
}

// requestConditions returns the conditions that requests of an operation can meet.
func requestConditions(operation string) []requestCondition {
	headers := []requestCondition{
		{"with_product", "when a product is named", (*request).namesProduct},
		{"in_english", "when en-US is preferred", prefers("en-US")},
		{"in_portuguese", "when pt-BR is preferred", prefers("pt-BR")},
		{"on_behalf", "on behalf of a user", func(q *request) bool { return q.targetUserID() != "" }},
	}
	switch operation {
	case "create":
		return append(headers, []requestCondition{
			{"by_api_key", "for an API key", (*request).usesAPIKey},
			{"for_attorneys", "for an ATTORNEY", fieldIs("qualification", "ATTORNEY")},
			{"for_administrators", "for an ADMINISTRATOR", fieldIs("qualification", "ADMINISTRATOR")},
			{"for_others", "for the qualification OTHER", fieldIs("qualification", "OTHER")},
			{"for_exposed", "for a politically exposed person", fieldIs("pep", true)},
			{"for_public_servers", "for a public servant", fieldIs("is_public_server", true)},
			{"without_end", "for a relationship without end", fieldIs("relationship_end_date", nil)},
		}...)
	case "export":
		return append(headers, []requestCondition{
			{"by_api_key", "for an API key", (*request).usesAPIKey},
			{"with_wallet", "when a wallet is named", func(q *request) bool { return q.selection.Named }},
			{"with_extension", "when type_extension is given", not(fieldIs("type_extension", nil))},
			{"filtered", "when a client filter is given", filtersByClient},
			{"by_settled", "by settled_date", fieldIs("sort", sortBySettled)},
			{"ascending", "in ascending order", fieldIs("order", "asc")},
			{"comparing_transaction", "when the transaction ID is compared", replayMode(2).isModeOf},
			{"comparing_both", "when both identifiers are compared", comparesBoth},
		}...)
	}
	return headers
}

func filtersByClient(q *request) bool { return q.selection.Client != "" }

func comparesBoth(q *request) bool { return q.mode > 2 }

// prefers returns a condition that holds if a language is preferred; "": none.
func prefers(language string) func(*request) bool {
	return func(q *request) bool { return q.preferredLanguage() == language }
}

// conditionalFaults declares some faults again, each under every condition of its operation.
func conditionalFaults(plain []faultDeclaration) (all []faultDeclaration) {
	const crossed = `create.required.mother_name.absent_accepted create.required.email.null_accepted
		create.required.address.empty_accepted create.shareholder.unknown_accepted
		create.shareholder.foreign_accepted create.participation.above_accepted
		create.participation.zero_rejected create.money.income.fraction_accepted
		create.cpf.letters_accepted create.participation.below_accepted create.email.no_at_accepted
		create.header.nonce.absent_accepted create.default.country_missing
		create.default.registration_missing create.echo.participation_percentage_whole
		create.repeat.second_record create.repeat.other_body_overwrites
		export.header.nonce_missing_accepted export.body.date_start_garbage_accepted
		export.range.start_exclusive export.range.end_inclusive export.range.whole_seconds
		auth.create_missing_accepted auth.export_missing_accepted auth.expired_accepted replay.none.same
		replay.nonce.same replay.transaction.same replay.transaction_nonce.same`
	for _, d := range plain {
		if !slices.Contains(strings.Fields(crossed), d.Name) {
			continue
		}
		operation, _, _ := strings.Cut(d.Name, ".")
		for _, c := range requestConditions(operation) {
			one := d
			one.Name, one.Partner = d.Name+"_"+c.name, c.name
			one.Statement, one.effect = d.Statement+" "+c.words, underCondition(c.holds, d.effect)
			all = append(all, one)
		}
	}
	return all
}

func (q *request) namesProduct() bool { return q.r.Header.Get("x-product-uuid") != "" }

func not(holds func(q *request) bool) func(*request) bool {
	return func(q *request) bool { return !holds(q) }
}

// fieldIs returns a condition that holds if a field has a value.
func fieldIs(field string, value any) func(*request) bool {
	return func(q *request) bool { return q.values[field] == value }
}

// underCondition limits changes to requests that meet a condition, and to the files they export.
func underCondition(holds func(q *request) bool, changes ...any) effect {
	var exports sync.Map // IDs of files
	return when(func(q *request) bool {
		if q.operation == opFile || q.operation == opDownload {
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

package reference

import (
	"slices"
	"strings"
	"sync"
)

// requestCondition is a property that a request may have, such as the language en-US.
type requestCondition struct {
	name, words string // suffixes of a fault's name and statement
	holds       func(q *requestState) bool
}

// requestConditions returns the conditions that requests of an operation can meet.
func requestConditions(operation string) []requestCondition {
	headers := []requestCondition{
		{"with_product", "when a product is named", (*requestState).namesProduct},
		{
			"in_english", "when en-US is preferred",
			func(q *requestState) bool { return q.preferredLanguage() == "en-US" },
		},
		{
			"in_portuguese", "when pt-BR is preferred",
			func(q *requestState) bool { return q.preferredLanguage() == "pt-BR" },
		},
		{
			"on_behalf", "on behalf of a user",
			func(q *requestState) bool { return q.targetUserID() != "" },
		},
	}
	byKey := requestCondition{"by_api_key", "for an API key", (*requestState).usesAPIKey}
	switch operation {
	case "create":
		return append(
			headers,
			byKey,
			requestCondition{"for_attorneys", "for an ATTORNEY", fieldIs("qualification", "ATTORNEY")},
			requestCondition{
				"for_administrators", "for an ADMINISTRATOR",
				fieldIs("qualification", "ADMINISTRATOR"),
			},
			requestCondition{"for_others", "for the qualification OTHER", fieldIs("qualification", "OTHER")},
			requestCondition{"for_exposed", "for a politically exposed person", fieldIs("pep", true)},
			requestCondition{
				"for_public_servers", "for a public servant",
				fieldIs("is_public_server", true),
			},
			requestCondition{
				"without_end", "for a relationship without end",
				fieldIs("relationship_end_date", nil),
			},
		)
	case "export":
		return append(
			headers,
			byKey,
			requestCondition{
				"with_wallet", "when a wallet is named",
				func(q *requestState) bool { return q.selection.Named },
			},
			requestCondition{
				"with_extension", "when type_extension is given",
				not(fieldIs("type_extension", nil)),
			},
			requestCondition{
				"filtered", "when a client filter is given",
				func(q *requestState) bool { return q.selection.Client != "" },
			},
			requestCondition{
				"by_settled", "by settled_date",
				func(q *requestState) bool { return q.selection.Sort == sortBySettled },
			},
			requestCondition{
				"ascending", "in ascending order",
				func(q *requestState) bool { return q.selection.Order == "asc" },
			},
			requestCondition{
				"comparing_transaction", "when the transaction ID is compared", replayMode(2).isModeOf,
			},
			requestCondition{
				"comparing_both", "when both identifiers are compared",
				func(q *requestState) bool { return q.mode > 2 },
			},
		)
	}
	return headers
}

// conditionalFaults declares some faults again, each under every condition of its operation.
func conditionalFaults(plain faultDeclarations) (all faultDeclarations) {
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

func (q *requestState) namesProduct() bool { return q.r.Header.Get("x-product-uuid") != "" }

func not(holds func(q *requestState) bool) func(*requestState) bool {
	return func(q *requestState) bool { return !holds(q) }
}

// fieldIs returns a condition that holds if a field has a value.
func fieldIs(field string, value any) func(*requestState) bool {
	return func(q *requestState) bool { return q.values[field] == value }
}

// underCondition limits changes to requests that meet a condition, and to the files they export.
func underCondition(holds func(q *requestState) bool, changes ...any) effect {
	var exports sync.Map // IDs of files
	return effectWhen(func(q *requestState) bool {
		if q.operation == operationFile || q.operation == operationDownload {
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

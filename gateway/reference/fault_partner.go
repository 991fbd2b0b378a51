package reference

import "slices"

// partner is a second condition that a fault needs.
type partner struct {
	name, words string // as a part of the fault's name, and of its statement
	when        func(q *call) bool
}

// fault declares a fault that only shows beside the partner.
func (p partner) fault(name, rule, statement string, e effect) faults {
	return p.named(name, rule, statement+" "+p.words, e.when(p.when))
}

// named declares a fault whose effect looks for the partner itself.
func (p partner) named(name, rule, statement string, e effect) faults {
	all := fault(name+"_"+p.name, rule, statement, e)
	all[0].Partner = p.name
	return all
}

// beside declares a fault for each partner, but for some beside which it does not show.
func beside(partners []partner, name, rule, statement string, e effect, but ...string) faults {
	return forEach(partners, func(p partner) faults {
		if slices.Contains(but, p.name) {
			return nil
		}
		return p.fault(name, rule, statement, e)
	})
}

// header is the name that an operation has for one of the headers that both know.
func (q *call) header(create func(CreateHeaders) string, export string) string {
	if q.operation == creating {
		return q.r.Header.Get(create(q.g.choices.CreateHeaders))
	}
	return q.r.Header.Get(export)
}

func (q *call) preferred() string {
	return q.header(func(h CreateHeaders) string { return h.Language }, "x-lang")
}

// namesUser reports whether a request says for whom it is done.
func (q *call) namesUser() bool {
	return q.header(func(h CreateHeaders) string { return h.OnBehalfOf }, "x-product-target-user-uuid") != ""
}

// headerPartners stand beside a request of either operation.
func headerPartners() []partner {
	return []partner{
		{"with_product", "when a product is named", (*call).namesProduct},
		{"in_english", "when en-US is preferred", func(q *call) bool { return q.preferred() == "en-US" }},
		{"in_portuguese", "when pt-BR is preferred", func(q *call) bool { return q.preferred() == "pt-BR" }},
		{"on_behalf", "on behalf of a user", (*call).namesUser},
	}
}

// gives holds for requests with a value of a field.
func gives(field string, value any) func(*call) bool {
	return func(q *call) bool { return q.values[field] == value }
}

func createPartners() []partner {
	return append(headerPartners(), []partner{
		{"by_api_key", "for an API key", (*call).byAPIKey},
		{"for_attorneys", "for an ATTORNEY", gives("qualification", "ATTORNEY")},
		{"for_administrators", "for an ADMINISTRATOR", gives("qualification", "ADMINISTRATOR")},
		{"for_others", "for the qualification OTHER", gives("qualification", "OTHER")},
		{"for_exposed", "for a politically exposed person", gives("pep", true)},
		{"for_public_servers", "for a public servant", gives("is_public_server", true)},
		{"without_end", "for a relationship without end", gives("relationship_end_date", nil)},
	}...)
}

// exportPartners stand beside any export.
func exportPartners() []partner { return append(groupPartners(), comparedPartners()...) }

// comparedPartners are the values of the replay header that have a transaction ID compared.
func comparedPartners() []partner {
	compares := func(first, last int) func(q *call) bool {
		return func(q *call) bool {
			mode := slices.Index(spellings, q.r.Header.Get(schemaHeader))
			return q.operation == exporting && first <= mode && mode <= last
		}
	}
	return []partner{
		{"comparing_transaction", "when the transaction ID is compared", compares(2, 2)},
		{"comparing_both", "when both identifiers are compared", compares(3, 4)},
	}
}

// groupPartners stand beside an export whatever replay protection compares.
func groupPartners() []partner {
	return append(headerPartners(), []partner{
		{"by_api_key", "for an API key", (*call).byAPIKey},
		{"with_wallet", "when a wallet is named", func(q *call) bool { return q.selection.Named }},
		{"with_extension", "when type_extension is given", not(gives("type_extension", nil))},
		{"filtered", "when a client filter is given", func(q *call) bool { return q.selection.Client != "" }},
		{"by_settled", "by settled_date", func(q *call) bool { return q.selection.Sort == bySettled }},
		{"ascending", "in ascending order", func(q *call) bool { return q.selection.Order == "asc" }},
	}...)
}

func pairs() faults {
	return slices.Concat(defectPairs(), refusalPairs(), senderPairs(), repeatPairs(), choicePairs(), replayPairs(),
		nearlyRight())
}

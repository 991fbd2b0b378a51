package reference

import (
	"slices"
	"strings"
)

// partner is a second condition that a fault needs.
type partner struct {
	name, words string // as a part of the fault's name, and of its statement
	when        func(q *call) bool
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

func createPartners() []partner {
	is := func(qualification string) func(q *call) bool {
		return func(q *call) bool { return q.values["qualification"] == qualification }
	}
	flagged := func(name string) func(q *call) bool { return func(q *call) bool { return q.values[name] == true } }
	return append(headerPartners(), partner{"by_api_key", "for an API key", (*call).byAPIKey},
		partner{"for_attorneys", "for an ATTORNEY", is("ATTORNEY")},
		partner{"for_administrators", "for an ADMINISTRATOR", is("ADMINISTRATOR")},
		partner{"for_others", "for the qualification OTHER", is("OTHER")},
		partner{"for_exposed", "for a politically exposed person", flagged("pep")},
		partner{"for_public_servers", "for a public server", flagged("is_public_server")},
		partner{"without_end", "for a relationship without end", func(q *call) bool {
			return q.values["relationship_end_date"] == nil
		}},
	)
}

func exportPartners() []partner {
	has := func(field string) func(q *call) bool { return func(q *call) bool { return q.values[field] != nil } }
	return append(headerPartners(), partner{"by_api_key", "for an API key", (*call).byAPIKey},
		partner{"with_wallet", "when a wallet is named", func(q *call) bool { return q.selection.Named }},
		partner{"with_extension", "when type_extension is given", has("type_extension")},
		partner{"filtered", "when a client filter is given", func(q *call) bool { return q.selection.Client != "" }},
		partner{"by_settled", "by settled_date", func(q *call) bool { return q.selection.Sort == bySettled }},
		partner{"ascending", "in ascending order", func(q *call) bool { return q.selection.Order == "asc" }},
	)
}

// Pairs lists the faults that need a second condition, such as a header that stands beside.
func Pairs() []Fault {
	var all []Fault
	for _, d := range pairs() {
		all = append(all, d.Fault)
	}
	return all
}

func pairs() []declaration {
	all := slices.Concat(defectPairs(), refusalPairs(), senderPairs(), repeatPairs(), choicePairs(), replayPairs())
	partners := append(createPartners(), exportPartners()...)
	for i := range all {
		for _, p := range partners {
			if strings.HasSuffix(all[i].Name, "_"+p.name) {
				all[i].Partner = p.name
			}
		}
	}
	return append(all, nearlyRight()...)
}

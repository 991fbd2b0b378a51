package proof

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
)

// exempt is some partners beside which some rules would say nothing, and why.
type exempt struct {
	rules    []string // patterns
	partners []string // nil: all
	why      string
}

// Groups of partners, as what makes a rule indifferent to one of them does so to all.
var (
	languages      = []string{"in_english", "in_portuguese"}
	scopes         = []string{"with_product", "on_behalf", "with_wallet"}
	qualifications = []string{"for_attorneys", "for_administrators", "for_others"}
	person         = append([]string{"for_exposed", "for_public_servers", "without_end"}, qualifications...)
	fields         = []string{"with_extension", "filtered", "by_settled", "ascending"}
)

// meaningless lists what would say nothing.
func meaningless() []exempt {
	const (
		about    = "it is what the rule is about"
		together = "create.header.together and export.success judge what is accepted side by side"
		nobodys  = "what is one user's, or a key's holder's, need not be another's"
	)
	return []exempt{
		{
			[]string{
				"create.header.language", "create.header.product.accepted", "create.header.on_behalf_of.accepted",
				"create.qualification.partner", "create.qualification.attorney", "create.qualification.administrator",
				"create.qualification.other", "auth.bearer", "auth.api_key", "export.header.language",
				"export.header.product.accepted", "export.header.target_user.accepted", "export.header.wallet.accepted",
			}, nil, together,
		},
		{[]string{"create.flags.pep"}, []string{"for_exposed"}, about},
		{[]string{"create.flags.is_public_server"}, []string{"for_public_servers"}, about},
		{[]string{"create.qualification.*"}, qualifications, about},
		{
			[]string{
				"create.dates.relationship_end_date", "create.dates.relationship_end_date.notation",
				"create.*.relationship_end_date",
			}, []string{"without_end"}, about,
		},
		{[]string{"create.header.language.*", "replay.none.other_headers"}, languages, about},
		{
			[]string{
				"create.header.product.*", "create.header.on_behalf_of.*", "create.header.default_product",
				"export.header.product.*", "export.header.target_user.*", "export.header.default_product",
			}, scopes, about,
		},
		{[]string{"create.shareholder.foreign_by_api_key"}, []string{"by_api_key"}, about},
		{[]string{"create.shareholder.foreign_by_product"}, []string{"with_product"}, about},
		{[]string{"create.shareholder.foreign_on_behalf"}, []string{"with_product", "on_behalf"}, about},
		{
			[]string{"create.repeat.same_object"},
			append([]string{"by_api_key", "with_product", "on_behalf"}, languages...), about,
		},
		{
			[]string{"export.header.wallet.*", "export.wallet.*", "export.default.wallet"},
			[]string{"with_wallet"},
			about,
		},
		{
			[]string{"export.default.wallet", "export.wallet.*", "export.header.wallet.empty"},
			[]string{"on_behalf"},
			"the wallets are the caller's",
		},
		{[]string{"export.body.sort", "export.default.sort"}, []string{"by_settled"}, about},
		{[]string{"export.body.order", "export.default.order", "export.order.*"}, []string{"ascending"}, about},
		{[]string{"export.body.filter_type", "export.filter.*"}, []string{"filtered"}, about},
		{[]string{"export.body.type_extension"}, []string{"with_extension"}, about},
		{[]string{"export.target.*"}, scopes, about},
		{[]string{"replay.*"}, []string{"comparing_transaction", "comparing_both"}, about},
		{
			[]string{"auth.*", "create.permission", "replay.method.same_user"},
			[]string{"by_api_key"},
			"the credential is what the rule is about",
		},
		{[]string{"create.header.product.foreign"}, []string{"by_api_key"}, nobodys},
		{
			[]string{"replay.*.other_user", "replay.method.same_user"},
			append([]string{"by_api_key", "filtered"}, scopes...), nobodys,
		},
		{
			[]string{
				"create.body.*", "export.body.none", "export.body.not_json", "export.body.array", "export.body.null",
			},
			append(slices.Clone(fields), person...), "the request has no body that could hold it",
		},
		{[]string{"auth.missing.before_body"}, person, "the body is empty"},
		{
			[]string{"export.method.same_rows", "export.header.language.rows"},
			nil,
			"it compares the window beside one partner with the window beside none",
		},
		{[]string{"create.documents.*"}, nil, "the document shows nothing optional of an upload"},
		{
			[]string{"export.file.retrievable", "export.file.private", "export.file.authenticated"},
			nil,
			"a file is fetched by its ID alone; which rows it holds is for other rules",
		},
		{
			[]string{"replay.late"},
			nil,
			"the first requests of a run go before anything optional was seen to be accepted",
		},
		{[]string{"export.range.unbounded"}, nil, "it compares the whole history, which is exported once or twice"},
	}
}

// Meaningless says why a pair would say nothing; empty: it has a meaning.
func (p Pair) Meaningless() string {
	for _, e := range meaningless() {
		matches := func(pattern string) bool { return rules.Match(pattern, p.Rule) }
		if (e.partners == nil || slices.Contains(e.partners, p.Partner)) && slices.ContainsFunc(e.rules, matches) {
			return e.why
		}
	}
	return ""
}

// Possible lists the pairs of a catalogue: each rule that judges something, for each operation whose requests it is
// about, with each partner of that operation.
func Possible(catalogue []rules.Rule) (all []Pair) {
	for _, r := range catalogue {
		if r.Level == rules.Observe {
			continue
		}
		of := []client.Operation{client.Export}
		switch {
		case strings.HasPrefix(r.ID, "create."), r.ID == "auth.missing.before_body":
			of = []client.Operation{client.Create}
		case r.ID == "auth.export_status":
		case strings.HasPrefix(r.ID, "auth."):
			of = []client.Operation{client.Create, client.Export}
		}
		for _, op := range of {
			for _, name := range Partners(op) {
				all = append(all, Pair{r.ID, op, name})
			}
		}
	}
	return all
}

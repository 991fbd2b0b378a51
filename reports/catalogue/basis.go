package catalogue

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Basis is what must and security rules rest on beside the statement of the API document that they verify.
type Basis struct {
	Rules   string // patterns of their IDs
	Granted string // what else they take for granted
	Doubt   string // how a deployment that breaks no statement could fail them, and what spares it
}

// BasisOf finds the basis of a rule. Other rules than those of must and security accuse nobody, and have none.
func BasisOf(r rules.Rule) (found Basis, has bool) {
	all := Bases()
	i := slices.IndexFunc(all, func(b Basis) bool { return b.covers(r) })
	if i < 0 || r.Level != rules.Must && !r.Security {
		return Basis{}, false
	}
	return all[i], true
}

func (b Basis) covers(r rules.Rule) bool {
	return slices.ContainsFunc(strings.Fields(b.Rules), func(p string) bool { return rules.Match(p, r.ID) })
}

// Bases lists them by operation. Each must and each security rule has one.
func Bases() []Basis {
	return slices.Concat(ofReplay(), ofCreationsSent(), ofCreationsAnswered(), ofExports(), ofAuthentication())
}

func ofReplay() []Basis {
	return []Basis{
		{
			"replay.*.first replay.*.same replay.*.other_nonce replay.*.other_transaction replay.*.other_both",
			"The header names are those of the document, and no other run sends the bodies of this one.",
			"By the way it blocks: any answer that starts no export is a block, and a 429 is one where it comes each time.",
		},
		{
			"replay.*.other_body",
			"Bodies differ where the text of one of their fields does.",
			"By trimming texts before it compares them: no case differs around a text alone. By refusing the body itself: then a " +
				"fresh request with it is refused as well, and nothing is judged.",
		},
		{
			"replay.*.other_query",
			"A query that the document does not name may be sent.",
			"By refusing parameters that it does not know: then the rule stays unverified.",
		},
		{
			"replay.*.other_user",
			"credentials.other_user is of another user.",
			"By refusing each export of that user: then the rule stays unverified.",
		},
		{
			"replay.late",
			"The document sets no end to what an earlier request is, and a run takes minutes.",
			"By forgetting earlier requests after a while, which no statement allows. Attempts that got lost are told apart.",
		},
		{
			"replay.race.*",
			"limits.in_flight lets at least two requests be sent at once.",
			"By accepting none of them, which is only observed. Which one is accepted is open.",
		},
	}
}

func ofCreationsSent() []Basis {
	return []Basis{
		{
			"create.default.*",
			"The fields have the names of the deployment file, or came back under those of the document.",
			"By another notation of a date: dates are compared, not texts. A country that was given may come back in another " +
				"notation, too, so that rule is should.",
		},
		{
			"create.money.*.integer create.flags.accepted create.participation.zero create.participation.hundred " +
				"create.participation.decimals create.cpf.digits create.dates.accepted create.qualification.partner " +
				"create.qualification.attorney create.qualification.administrator create.qualification.other",
			"fixtures.shareholder_id is the caller's, and may have one more representative.",
			"By taking no more representatives: then another person is refused as well, and nothing is judged. A value that is " +
				"refused among others is sent alone before it counts.",
		},
		{
			"create.required.*",
			"The document gives the names of these fields itself.",
			"By another status than 400 and 422: the document names these; for a shareholder 403 and 404 count as well.",
		},
		{
			"create.type.* create.value.wrapped",
			"Request and record carry the same information, so their types are the same.",
			"By reading a number as the text that it is written as, or a list of one as what it holds. The document calls the wrong " +
				"type of a required parameter an error, so this is no choice; elsewhere it is one, and the rules are should.",
		},
		{
			"create.money.*.fraction",
			"A number in JSON may have decimals (RFC 8259), cents have none.",
			"By a column that keeps two decimals of a cent: an amount that it cuts to whole cents may be accepted.",
		},
		{
			"create.dates.birth_date create.dates.r*",
			"Days are those of the calendar (RFC 3339).",
			"By moving 30 February into March, as some libraries do: the record then holds a day that nobody gave.",
		},
		{
			"create.qualification.unknown create.cpf.letters create.cpf.sign create.participation.below_zero " +
				"create.participation.above_hundred",
			"The fields have the names of the deployment file, or something shows that the deployment reads them.",
			"By cutting decimals, or by taking an empty text for none: accepted where the record shows a value in its bounds.",
		},
		{
			"create.value.second_line.* create.value.control_characters create.value.other_digits",
			"A format is that of the whole value: UUID, date, digits only, one of a set.",
			"By trimming or normalising texts: accepted where the record shows the value as it was before it was spoilt. By a " +
				"firewall: any 4xx but 401 and 429 stops what firewalls take for an attack.",
		},
		{
			"create.value.large_body",
			"A field that nobody knows may stand beside those that are known.",
			"By refusing such a field, or so long a body: one without a defect is sent first, and then the rule stays unverified.",
		},
		{
			"create.value.key_twice",
			"RFC 8259 (section 4) leaves open which of two equal names counts.",
			"By taking either of the two: only the one that the record shows is judged.",
		},
		{
			"create.shareholder.*",
			"fixtures.shareholder_id is the caller's, fixtures.foreign_shareholder_id another legal person's.",
			"By its status: the document gives none, so 400, 403, 404 and 422 are right, and any 4xx keeps what is foreign safe.",
		},
		{
			"create.header.transaction_id.* create.header.nonce.*",
			"legal_representative.headers names both headers, as the document does not.",
			"By reading them under other names: then nothing shows that they are read, and the rule stays unverified. An identifier " +
				"that it makes up itself is none of the request, which must have one.",
		},
		{
			"create.header.language create.header.product.accepted create.header.default_product create.header.on_behalf_of.accepted",
			"fixtures.product_id is the caller's, fixtures.target_user_id a user of that product.",
			"By refusing fixtures that are not so: where both operations do, nothing is judged. By requiring a product, which it may.",
		},
		{
			"create.header.on_behalf_of.without_product export.header.target_user.without_product",
			"fixtures.target_user_id is accepted together with fixtures.product_id.",
			"By taking the default product: the document requires that one is named.",
		},
		{
			"create.permission",
			"credentials.unprivileged is of a user who may not create representatives.",
			"By a credential that is worth nothing: it gets 401 for an export as well, and nothing is judged.",
		},
		{
			"create.body.*",
			"JSON is that of RFC 8259.",
			"By a reader that stops at the end of the object: what stands behind it has a rule at should. Without a body that can be " +
				"read every required parameter is missing, which gets 400 or 422.",
		},
	}
}

func ofCreationsAnswered() []Basis {
	return []Basis{
		{
			"create.repeat.identical create.repeat.new_nonce create.repeat.other_transaction",
			"legal_representative.headers names the header of the transaction ID.",
			"By 409 or by the record that exists, under any 2xx: both are right. By refusing a second person: inconclusive.",
		},
		{
			"create.repeat.anonymous create.repeat.other_user create.repeat.race",
			"credentials.other_user is of another user; limits.in_flight lets two requests be sent at once.",
			"By the way it refuses: only a record that a stranger gets, or a second one, breaks these rules.",
		},
		{
			"create.success.* create.person_type",
			"A creation is valid: its first form that is accepted is the one that all others have.",
			"By answering 202 or an empty body: the document shows 201 and the record.",
		},
		{
			"create.response.*",
			"A date-time is that of RFC 3339, a UUID that of RFC 9562.",
			"By writing it otherwise: UUIDs of any version and case fit, numbers in any notation such as 100.00, moments without a " +
				"zone or with a space for the T. A field that is left out or null is for create.success.fields, at should.",
		},
		{
			"create.echo.*",
			"Programs agree on integers up to 2^53 - 1 only (RFC 8259, section 6).",
			"By keeping numbers as doubles or decimals: values are compared, not notations, and larger amounts have a rule at should. " +
				"Texts may be written otherwise, so their rules are should.",
		},
		{
			"create.documents.authenticated create.documents.foreign",
			"legal_representative.documents says how documents are uploaded; a complete upload was accepted before.",
			"By a redirect to a page to log in on, or, for what is foreign, by 202 and a look at the owner later: inconclusive.",
		},
	}
}

func ofExports() []Basis {
	return []Basis{
		{
			"export.success",
			"export.path is the operation's.",
			"By refusing bounds to the millisecond, or a filter text that names nobody: it may, and all others follow what it accepts. By " +
				"a longest range: that is not shown, while all fields are optional, so an export without bounds has to be accepted.",
		},
		{
			"export.header.nonce.absent",
			"The document names the header nonce itself.",
			"By its status: any 4xx rejects.",
		},
		{
			"export.header.language export.header.product.accepted export.header.target_user.accepted export.header.wallet.accepted",
			"fixtures.product_id, target_user_id and default_wallet_id are the caller's.",
			"By refusing fixtures that are not so: where the other operation, or the other wallet, shows that, nothing is judged.",
		},
		{
			"export.file.retrievable",
			"export.file says how a file is fetched, and how long that may take.",
			"By being fetched in another way: where a key of the deployment file may be to blame, the rule is inconclusive.",
		},
		{
			"export.range.* export.default.* export.filter.client_id export.method.same_rows export.header.default_product " +
				"export.header.wallet.empty export.header.language.rows",
			"export.file and fixtures.window are given, and the file shows the dates of quotes (export.csv).",
			"By quotes that come or change meanwhile: exports are taken again before any is blamed. By dates without a zone, rounded, or " +
				"in a notation that nobody knows: unverified. By a product, a wallet or a key of somebody else: unverified.",
		},
		{
			"export.wallet.foreign export.target.* export.isolation",
			"credentials.other_user is of another legal person; fixtures.target_user_id has quotes of its own.",
			"By quotes that two users share: only rows that the other's own exports show, and the caller's do not, are foreign.",
		},
		{
			"export.file.private export.file.authenticated",
			"export.file says how a file is fetched; credentials.other_user is of another user.",
			"By an address that carries its own permission: it is only asked of who may know it. A page, or neither file nor refusal: " +
				"inconclusive.",
		},
		{
			"export.response.*",
			"A date-time is that of RFC 3339.",
			"By another status: any 2xx is a success. By a moment without a zone: that has a rule at should.",
		},
	}
}

func ofAuthentication() []Basis {
	return []Basis{
		{
			"auth.bearer auth.api_key",
			"The deployment file gives credentials that are valid, also for creations.",
			"By a credential that has ended or is nobody's: it gets 401 from both operations, and nothing is judged.",
		},
		{
			"auth.missing auth.*.*",
			"RFC 6750 and 7519: a token is the bytes that were issued; a key is as well. Credentials of the deployment file that are " +
				"to be refused are what their keys say.",
			"By a firewall that keeps strangers out: its 403 counts where it is not JSON. By serving nothing under another path: any " +
				"answer that creates nothing is right there.",
		},
		{
			"auth.confidential",
			"An answer is one to a request of this run.",
			"By repeating a header that it did not read: that is a leak all the same, into logs and caches.",
		},
	}
}

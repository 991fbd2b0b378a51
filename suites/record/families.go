package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

// known lists the families, those that explain the most first.
func known() []family {
	return slices.Concat(rejections(), credentials(), replays(), parameters(), creations(), exports())
}

// rejections are the families of an operation that accepts all that it has to reject.
func rejections() (list []family) {
	// Answers that should have been refusals are seen by the rules about accepted exports when a run is over.
	const seen = "export.response.* every accepted export of the run" + says + "Answer to an accepted export: no "
	for _, of := range []struct{ name, rules, also string }{
		{"Creations", "create.* rejects a creation ", ""}, {"Exports", "export.* refuses an export ", seen},
	} {
		list = append(list, family{
			headline: of.name + " that have to be rejected are answered with a 2xx", rules: []string{of.rules},
			least: 5, got: "2", also: []string{of.also},
		})
	}
	return list
}

// credentials are the families of authentication: each of both operations, then of one.
func credentials() (list []family) {
	anybody := whole("2", "Nobody has to authenticate%s: requests without a valid credential are accepted",
		"auth.missing", "auth.bearer.garbage", "auth.api_key.unknown", "auth.bearer.empty", "auth.bearer.payload",
		"auth.bearer.signature", "auth.bearer.signature_cut", "auth.bearer.signature_removed",
		"auth.bearer.alg_none", "auth.bearer.other_key", "auth.api_key.altered", "auth.api_key.empty",
	).with("auth.bearer.expired", "auth.bearer.scheme", "auth.api_key.revoked")
	anybody.core = 3
	const given = "export.file.authenticated is refused to "
	const file = given + "an expired token$" + says
	const fileOfChanged = given + "a token whose signature was changed$" + says
	const fileOfUnsigned = given + "an unsigned token (alg none)$" + says
	const fileOfRevoked = given + "an API key that was revoked$" + says
	const taken = "create.documents.authenticated refuses an upload with "
	const upload = taken + "an expired token$" + says
	const uploadOfChanged = taken + "a token whose signature was changed$" + says
	const sentAsKey = "auth.bearer.scheme with the token as API key"
	keys := whole("2", "API keys are not checked%s: unknown and altered ones are accepted",
		"auth.api_key.unknown", "auth.api_key.altered", "auth.api_key.revoked").with(sentAsKey, fileOfRevoked)
	keys.core = 2
	const madeUp = "auth.bearer.garbage with a made-up JWT"
	for _, f := range []family{
		anybody,
		whole("2", "Any text is accepted as a token%s", "auth.bearer.garbage", "auth.bearer.payload",
			"auth.bearer.signature", "auth.bearer.signature_cut", "auth.bearer.other_key").
			with("auth.bearer.signature_removed", "auth.bearer.alg_none", "auth.bearer.expired", "auth.bearer.empty",
				"auth.bearer.scheme", file, fileOfChanged, fileOfUnsigned, upload, uploadOfChanged),
		whole("2", "Tokens are not verified%s: any signature is accepted, and so are expired ones",
			"auth.bearer.payload", "auth.bearer.signature", "auth.bearer.signature_cut", "auth.bearer.other_key",
			"auth.bearer.expired").with(madeUp, "auth.bearer.signature_removed", "auth.bearer.alg_none", file,
			fileOfChanged, fileOfUnsigned, upload, uploadOfChanged),
		whole("2", "Signatures of tokens are not verified%s: changed and unsigned tokens are accepted",
			"auth.bearer.payload", "auth.bearer.signature", "auth.bearer.signature_cut",
			"auth.bearer.signature_removed", "auth.bearer.alg_none", "auth.bearer.other_key").
			with(madeUp, fileOfChanged, fileOfUnsigned, uploadOfChanged),
		whole("2", "Signatures of tokens are not verified%s: any signature is accepted",
			"auth.bearer.payload", "auth.bearer.signature", "auth.bearer.signature_cut", "auth.bearer.other_key",
		).with(madeUp, fileOfChanged, uploadOfChanged),
		whole("2", "Tokens with a wrong signature are accepted%s: with a changed one, and with that of another key",
			"auth.bearer.signature", "auth.bearer.other_key").
			with(madeUp, fileOfChanged, uploadOfChanged),
		whole("2", "Unsigned tokens are accepted%s", "auth.bearer.signature_removed", "auth.bearer.alg_none").
			with(fileOfUnsigned),
		whole("2", "Texts that are not a JWT are accepted as tokens%s", "auth.bearer.garbage with a random text",
			"auth.bearer.signature_removed with a token whose signature was removed with its dot"),
		whole("5", "Tokens that are not a JWT end in a server error%s", "auth.bearer.garbage with a random text",
			"auth.bearer.empty with an empty bearer token"),
		keys,
		whole("2", "API keys that nobody issued are accepted%s", "auth.api_key.unknown", sentAsKey).with(fileOfRevoked),
		whole("2", "Expired tokens are accepted%s, and get the file of an export", "auth.bearer.expired").
			with(file, upload),
		whole("2", "Tokens with a changed signature are accepted%s, and get the file of an export",
			"auth.bearer.signature with a token whose signature was changed$").with(fileOfChanged, uploadOfChanged),
		whole("2", "Revoked API keys are accepted%s, and get the file of an export", "auth.api_key.revoked").
			with(fileOfRevoked),
		whole("2", "Unsigned tokens (alg none) are accepted%s, and get the file of an export", "auth.bearer.alg_none").
			with(fileOfUnsigned),
	} {
		both := f
		both.headline = fmt.Sprintf(f.headline, "")
		list = append(list, both)
		for _, o := range rules.Operations() {
			only := func(entries []string) (these []string) {
				for _, entry := range entries {
					if strings.Contains(entry, says) {
						these = append(these, entry)
						continue
					}
					id, checks, _ := strings.Cut(entry, " ")
					these = append(these, id+" "+o.Request+" "+cmp.Or(checks, "with "))
				}
				return these
			}
			one := f
			one.headline = fmt.Sprintf(f.headline, " for "+o.Request+"s")
			one.rules, one.also = only(f.rules), only(f.also)
			list = append(list, one)
		}
	}
	list = append(list, whole("", "", "auth.missing creation with", "auth.missing.before_body").with("auth.missing"))
	const key, with = "auth.api_key.", " creation with"
	const asKey = "auth.bearer.scheme creation with the token as API key"
	return append(list, whole("4", "", key+"unknown"+with, key+"altered"+with).with(key+"revoked"+with, asKey),
		whole("4", "", key+"unknown"+with, asKey))
}

// parameters are the families of parameters that are not checked at all.
func parameters() (list []family) {
	const required = "create.required."
	var absent []string
	for _, field := range []string{"shareholder_id", "mother_name", "phone_number", "email", "address"} {
		base := required + field
		absent = append(absent, base)
		list = append(list, whole("2", field+" is not required: absent, null and empty are accepted", base,
			base+".null", base+".empty"))
	}
	list = append(list, whole("2", "Required parameters are not checked: creations without them are accepted",
		absent...).with(required+"*"))
	for _, h := range []struct{ name, rules string }{
		{"The transaction ID of a creation", "create.header.transaction_id."},
		{"The nonce of a creation", "create.header.nonce."},
		{"The nonce of an export", "export.header.nonce."},
	} {
		malformed, version := h.rules+"malformed", h.rules+"version"
		list = append(list, whole("2", h.name+" is not checked: it may be absent, malformed or of another version",
			h.rules+"absent", malformed, version), whole("", "", h.rules+"absent"+says+" ", malformed+" empty"))
		for _, texts := range [][2]string{
			{" text in place", " without dashes"},
			{" not a UUID", " without dashes"},
			{" text after", " in braces"},
			{" digit too few", " without dashes"},
			{" cut short", " without dashes"},
		} {
			list = append(list, leading([]string{malformed}, malformed+texts[0], version+texts[1])...)
		}
	}
	const lower = "create.qualification.lower_case"
	qualification := []string{`create.qualification.unknown qualification "`, lower + ` " OTHER"`}
	return append(list,
		whole("2", "Qualifications are not checked: unknown ones are accepted", qualification...).with(lower),
		whole("5", "Unknown qualifications end in a server error", qualification...).with(lower),
		whole("2", "Exports whose body is not an object are accepted", "export.body.array", "export.body.null"),
		whole("5", "Exports whose body is not an object end in a server error", "export.body.array",
			"export.body.null"))
}

// creations are the families of whose shareholder it is, and of repeated creations.
func creations() []family {
	const foreign, otherBody = "create.shareholder.foreign", "create.repeat.other_body"
	var qualifications []family
	for _, q := range []string{"PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER"} {
		qualifications = append(qualifications, whole("", "",
			"create.qualification."+strings.ToLower(q)+says+", only with ",
			"create.header.together"+says+" the qualification "+q+" together refused"))
	}
	return slices.Concat(qualifications,
		leading([]string{foreign + "_*"}, foreign, foreign+"_by_product", foreign+"_by_api_key", foreign+"_on_behalf"),
		leading(nil, foreign, foreign+"_by_product", foreign+"_on_behalf"),
		leading(nil, foreign, foreign+"_by_api_key"),
		leading(nil, foreign, foreign+"_on_behalf"),
		leading([]string{"create.repeat.new_nonce", "create.repeat.race"}, "create.repeat.identical"),
		leading(nil, "create.repeat.new_nonce", "create.repeat.race under nonces of their own"),
		leading(nil, otherBody+" makes no second record$", "create.repeat.same_object"),
		leading(nil, otherBody+" whatever else is sent$", "create.repeat.same_object"),
		[]family{
			whole("", "", "create.success.status"+says+"only with x-product-uuid",
				"create.header.default_product"+says+"answered differently than with it: status "),
			whole("", "", "create.response.id", "create.repeat.race"+says+" gave successes without an id"),
		})
}

// exports are the families of what an export holds, and of what each is answered with.
func exports() []family {
	const bySort = "export.range.*" + says + " no sort"
	const unsorted = "export.order.*" + says + " no sort"
	const otherDate = "Without sort, exports go by a date other than quote_created_at"
	const reversed = says + "reversed throughout"
	const ids = "export.response.distinct_ids" + says + "All "
	mixed := []string{"export.file.again" + says, "export.file.private" + says, "export.file.retrievable" + says}
	one := whole("", "", ids).with(mixed...)
	list := []family{
		whole("", "", "export.filter.client_id", "export.filter.prefix"),
		whole("", "", "export.filter.client_id", "export.range.start_inclusive of one client").
			with("export.range.precision of one client"),
		whole("", "Rows come in exactly the reverse order, whatever the sort and the order",
			"export.order.asc by quote_created_at$"+reversed, "export.order.asc by settled_date$"+reversed,
			"export.order.desc by quote_created_at$"+reversed, "export.order.desc by settled_date$"+reversed).
			with("export.order.asc", "export.order.desc"),
		whole("", "", "export.order.asc", "export.order.desc"),
		whole("", "Rows are out of order, whatever the sort and the order", "export.order.asc by quote_created_at$",
			"export.order.asc by settled_date$", "export.order.desc by quote_created_at$",
			"export.order.desc by settled_date$").with("export.order.asc", "export.order.desc"),
		whole("", "", "export.order.asc settled_date", "export.order.desc settled_date"),
		whole("", otherDate, "export.default.sort", bySort).with(unsorted),
		whole("", otherDate, "export.default.sort", unsorted).with(bySort),
		whole("", "", "export.default.sort"+says+" is sorted by ", bySort).with(unsorted),
		whole("", "Every export gets a number as file_id, and all get the same one", ids,
			"export.response.file_id"+says+"file_id is the number ").with(mixed...),
		one,
	}
	const together = says + " together refused"
	list = append(list, whole("", "", "export.success"+together, "replay.*.first"+together))
	const crash, noFile = says + " ends in a server error: ", says + " not accepted: 5"
	list = append(list, family{
		rules: []string{"export.success" + crash}, core: 1,
		also: []string{
			"replay.*.other_body" + crash, "export.range.*" + crash, "export.range.*" + noFile, "export.order.*" + noFile,
			"export.filter.*" + noFile, "export.target.*" + noFile,
		},
	})
	for _, status := range []string{"400", "403", "404", "409", "422"} { // of every valid export alike
		list = append(list, whole(status, "", "export.header.language no language$", "export.success"),
			whole(status, "", "replay.nonce.first", "export.success"))
	}
	return list
}

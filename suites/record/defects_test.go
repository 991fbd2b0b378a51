package record_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/suites/record"
)

// rule is a rule with a check for each text: "+" for one that passed, "-" for one that failed, "?" for one that could
// not be judged, then the check's name, and what was seen behind a colon.
func rule(id, level string, checks ...string) record.Rule {
	r := record.Rule{ID: id, Level: level, Verdict: record.Pass}
	for _, text := range checks {
		name, seen, _ := strings.Cut(text[1:], ": ")
		c := record.Check{Name: name, Verdict: record.Pass, Actual: seen}
		switch text[0] {
		case '-':
			c.Verdict, c.Message = record.Fail, id+" is broken"
			r.Verdict = record.Fail
		case '?':
			c.Verdict, c.Message = record.Inconclusive, seen
			r.Verdict = record.Inconclusive
		}
		r.Checks = append(r.Checks, c)
	}
	return r
}

func secure(r record.Rule) record.Rule {
	r.Security = true
	return r
}

func because(r record.Rule, causes ...string) record.Rule {
	for i := range r.Checks {
		r.Checks[i].Cause = causes[i%len(causes)]
	}
	return r
}

func texts(list []record.Defect) (all []string) {
	for _, d := range list {
		all = append(all, d.String()+" | "+strings.Join(d.Rules, " ")+" | "+strings.Join(d.Unjudged, " "))
	}
	return all
}

// alone are the texts of rules that are each a defect of its own.
func alone(ids ...string) (all []string) {
	for _, id := range ids {
		all = append(all, strings.TrimPrefix(id, "auth.bearer.")+" is broken | "+id+" | ")
	}
	return all
}

func TestDefects(t *testing.T) {
	forged := func(id string, seen ...string) record.Rule {
		r := record.Rule{}
		for i, s := range seen {
			name := []string{"refuses a creation with a token", "refuses an export with a token"}[i]
			r.Checks = append(r.Checks, rule(id, "must", s[:1]+name+": "+s[1:]).Checks...)
			if s[0] == '-' {
				r.Verdict = record.Fail
			}
		}
		r.ID, r.Level = "auth.bearer."+id, "must"
		return secure(r)
	}
	signatures := func(last ...string) []record.Rule {
		list := []record.Rule{rule("create.success.status", "should", "-gives 201: 200 OK")}
		for _, id := range []string{"payload", "signature", "signature_cut", "signature_removed", "alg_none"} {
			list = append(list, forged(id, "-201 Created", "-200 OK"))
		}
		return append(list, forged("other_key", last...))
	}
	for name, c := range map[string]struct {
		rules []record.Rule
		want  []string
	}{
		"security first, then must, then should; each alone": {
			[]record.Rule{
				rule("a.b.should", "should", "-x"), rule("a.b.must", "must", "-x"), rule("a.b.pass", "must", "+x"),
				secure(rule("a.b.secure", "should", "-x")),
			},
			alone("a.b.secure", "a.b.must", "a.b.should"),
		},
		"a proven cause, and what it keeps from being judged": {
			[]record.Rule{
				because(rule("export.range.a", "must", "-x", "-y"), "cuts bounds"),
				because(rule("export.range.b", "must", "-x"), "cuts bounds"),
				because(rule("export.range.c", "must", "?x"), "cuts bounds"),
			},
			[]string{"The deployment cuts bounds (2 rules violated, 1 rule could not be judged) | export.range.a export.range.b | export.range.c"},
		},
		"what rests on a rule that the defect left open": {
			[]record.Rule{
				because(rule("export.range.a", "must", "-x"), "cuts bounds"),
				rule("export.range.c", "must", "?x: see export.range.d", "?y: see export.range.a"),
				because(rule("export.range.d", "must", "?x"), "cuts bounds"),
			},
			[]string{"export.range.a is broken (2 rules could not be judged) | export.range.a | export.range.c export.range.d"},
		},
		"a check that the cause does not explain stands alone": {
			[]record.Rule{
				because(rule("export.range.a", "must", "-x", "-y"), "cuts bounds", ""),
				because(rule("export.range.b", "must", "-x"), "cuts bounds"),
				because(rule("export.range.c", "must", "?x", "?y"), "cuts bounds", "another"),
			},
			alone("export.range.a", "export.range.b"),
		},
		"what rests on a rule that failed": {
			[]record.Rule{
				rule("export.file.csv", "should", "-x"), rule("export.order.asc", "should",
					"?x: the file cannot be read; see export.file.csv"),
				rule("export.order.desc", "should", "?x: see export.file.csv", "?y: the deployment was out of order"),
			},
			[]string{"export.file.csv is broken (1 rule could not be judged) | export.file.csv | export.order.asc"},
		},
		"signatures that nobody verifies": {
			signatures("-201 Created", "-2 of 2 attempts: 200 OK"),
			[]string{
				"Signatures of tokens are not verified: changed and unsigned tokens are accepted (6 rules violated) | auth.bearer.payload " +
					"auth.bearer.signature auth.bearer.signature_cut auth.bearer.signature_removed auth.bearer.alg_none auth.bearer.other_key | ",
				"create.success.status is broken | create.success.status | ",
			},
		},
		"one that is verified disproves it; unsigned tokens are proven all the same": {
			signatures("+401 Unauthorized", "+401 Unauthorized"),
			[]string{
				"payload is broken | auth.bearer.payload | ", "signature is broken | auth.bearer.signature | ",
				"signature_cut is broken | auth.bearer.signature_cut | ",
				"Unsigned tokens are accepted (2 rules violated) | auth.bearer.signature_removed auth.bearer.alg_none | ",
				"create.success.status is broken | create.success.status | ",
			},
		},
		"another answer is another defect": {
			[]record.Rule{
				forged("signature_removed", "-500 Internal Server Error"),
				forged("alg_none", "-201 Created"),
			},
			alone("auth.bearer.signature_removed", "auth.bearer.alg_none"),
		},
		"one operation": {
			[]record.Rule{
				forged("signature_removed", "+401 Unauthorized", "-200 OK"),
				forged("alg_none", "+401 Unauthorized", "-200 OK"),
			},
			[]string{"Unsigned tokens are accepted for exports (2 rules violated) | auth.bearer.signature_removed auth.bearer.alg_none | "},
		},
		"a mode of replay protection": {
			[]record.Rule{
				rule("replay.nonce.same", "must", "-a: 200 OK"),
				rule("replay.nonce.other_transaction", "must", "-a: 200 OK"),
				secure(rule("replay.race.nonce", "should", "-a: 16 × 200 OK")), rule("replay.none.same", "must", "+a"),
				rule("replay.late", "must", "+blocks the first, with no replay value",
					"-blocks the first, with nonce: 200 OK"),
			},
			[]string{"Replay protection is not enforced with nonce: repeats are accepted (4 rules violated) | replay.race.nonce replay.nonce.same " +
				"replay.nonce.other_transaction replay.late | "},
		},
		"the first rule names the defect, with its condition": {
			[]record.Rule{
				secure(rule("create.repeat.race", "should", "-gives one record: 1 × 201 Created, 15 × 500 Error")),
				rule("create.repeat.identical", "must", "-does so: 500 Internal Server Error"),
				rule("create.repeat.new_nonce", "must", "?does so: too many records"),
			},
			[]string{"create.repeat.identical is broken (2 rules violated) | create.repeat.race create.repeat.identical | "},
		},
		"what other answers gave is not of the family": {
			[]record.Rule{
				rule("create.repeat.identical", "must", "-does so: 302 Found"),
				rule("create.repeat.new_nonce", "must", "-does so: 201 Created"),
			},
			alone("create.repeat.identical", "create.repeat.new_nonce"),
		},
		"only some checks of a rule are of the family": {
			[]record.Rule{
				rule("replay.nonce_transaction.other_transaction", "must", "-changes it: 409 Conflict"),
				rule("replay.nonce_transaction.other_nonce", "must", "-mixes the identifiers: 409 Conflict",
					"+changes it"),
			},
			[]string{
				"Replay protection does not compare the transaction ID with nonce&x-transaction-uuid (2 rules violated) | " +
					"replay.nonce_transaction.other_transaction replay.nonce_transaction.other_nonce | ",
			},
		},
		"every rejection is a server error": {
			[]record.Rule{
				rule("create.cpf.letters", "must", "-rejects a creation with x: 500 Internal Server Error"),
				rule("create.required.email", "must", "-rejects a creation with y: 500 Internal Server Error"),
				rule("create.body.none", "must", "-rejects a creation with y: 500 Internal Server Error"),
				rule("create.body.array", "must", "-rejects a creation with y: 500 Internal Server Error"),
				rule("create.flags.pep", "must", "-rejects a creation with y: 500 Internal Server Error"),
				rule("create.success.json", "must", "-z: text"),
			},
			[]string{
				"Invalid creations end in a server error: 500, expected a 4xx (5 rules violated) | create.cpf.letters create.required.email " +
					"create.body.none create.body.array create.flags.pep | ",
				"create.success.json is broken | create.success.json | ",
			},
		},
	} {
		if got := texts(record.Defects(c.rules)); !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}

// Each defect that breaks several rules is one, and a rule of them that fails in another way stands alone.
func TestDefectsOfSeveralRules(t *testing.T) {
	says := func(r record.Rule, headline string) record.Rule {
		for i := range r.Checks {
			if r.Checks[i].Verdict == record.Fail {
				r.Checks[i].Message = headline
			}
		}
		return r
	}
	bySort := says(rule("export.default.sort", "must", "-an empty object"), "Export of an empty object is out of order")
	ids := says(rule("export.response.distinct_ids", "should", "-every accepted export of the run"),
		"All 9 exports got one file ID: 42")
	again := rule("export.file.again", "must", "-the file, fetched again")
	expired := secure(rule("auth.bearer.expired", "must", "-refuses an export with an expired token: 200 OK"))
	file := secure(rule("export.file.authenticated", "should", "-is refused to an expired token"))
	unsigned := secure(rule("auth.bearer.alg_none", "must", "-refuses an export with an unsigned token: 200 OK"))
	mixed := says(rule("replay.nonce_transaction.other_nonce", "must", "-mixes the identifiers: 409"),
		"A mix is blocked: 409")
	const direction = "-blocks a repeat under nonce&x-transaction-uuid of another: 200"
	const forgotten = "It is not blocked: 202, only after 130 other exports"
	language := rule("export.header.language", "must", "-accepts an export with no language: 400 Bad Request")
	otherCreated := says(rule("create.success.status", "should", "-gives 201 each time"),
		"Answered with 200, only with x-product-uuid")
	for name, c := range map[string]struct {
		one  []record.Rule // of one defect
		not  record.Rule   // in place of the last of them: of another
		says string        // what the headline of the one begins with
	}{
		"another default sort": {
			[]record.Rule{bySort, says(rule("export.order.asc", "should", "-by quote_created_at", "+for the target user"),
				"Export is out of order, only with no sort")},
			says(rule("export.order.asc", "should", "-by quote_created_at"), "Export is out of order"),
			"Without sort, exports go by a date other than",
		},
		"one file ID": {
			[]record.Rule{ids, again},
			says(rule("export.order.asc", "should", "-by quote_created_at"), "Export is out of order"),
			"All 9 exports",
		},
		"expired tokens": {
			[]record.Rule{expired, file},
			secure(rule("export.file.authenticated", "should", "-is refused without a credential")),
			"Expired tokens",
		},
		"unsigned tokens": {
			[]record.Rule{
				unsigned, secure(rule("export.file.authenticated", "should", "-is refused to an unsigned token (alg none)")),
			},
			file, "Unsigned tokens (alg none)",
		},
		"unknown API keys": {
			[]record.Rule{
				rule("auth.api_key.unknown", "must", "-refuses a creation with a key: 403", "+refuses an export with a key"),
				rule("auth.bearer.scheme", "must", "-refuses a creation with the token as API key: 403"),
			},
			rule("auth.bearer.scheme", "must", "-refuses a creation with the token without a scheme: 403"),
			"auth.api_key.unknown is broken",
		},
		"identifiers apart": {
			[]record.Rule{mixed, says(rule("replay.mode.both_spellings", "should", direction), "It is not blocked: 200")},
			says(rule("replay.mode.both_spellings", "should", direction, "-blocks the other way round: 200"),
				"It is not blocked: 200"),
			"Identifiers are compared separately",
		},
		"a memory of some requests": {
			[]record.Rule{
				says(rule("replay.none.other_transaction", "must", "-blocks it: 202 Accepted"), forgotten),
				says(rule("replay.none.other_both", "must", "-blocks it: 202 Accepted"), forgotten),
			},
			says(rule("replay.nonce.other_transaction", "must", "-blocks it: 202 Accepted"), "It is not blocked: 202"),
			"Replay protection forgets",
		},
		"a header that every export needs": {
			[]record.Rule{language, rule("export.success", "must", "-accepts one with an empty object: 400 Bad Request")},
			rule("export.success", "must", "-accepts one with an empty object: 409 Conflict"),
			"export.header.language is broken",
		},
		"a header that some exports need": {
			[]record.Rule{language},
			rule("export.success", "must", "-accepts one with a sort: 400 Bad Request", "+accepts others"),
			"export.header.language is broken",
		},
		"exports that crash": {
			[]record.Rule{
				says(rule("export.success", "must", "-accepts one with order asc"),
					"Export with only order asc ends in a server error: 500, expected 2xx"),
				says(rule("replay.none.other_body", "must", "-lets through another body"),
					"Request that changes only order ends in a server error: 500, expected 2xx"),
				says(rule("export.range.open", "must", "-keeps rows"),
					"Export with only an end not accepted: 500 Internal Server Error, expected its file"),
			},
			says(rule("export.range.open", "must", "-keeps rows"),
				"Export with only an end: 1 row missing"),
			"Export with only order asc ends in a server error",
		},
		"another status beside a product": {
			[]record.Rule{otherCreated, says(rule("create.header.default_product", "must", "-answers alike"),
				"Creation answered differently than with it: status 201, expected status 200")},
			says(rule("create.header.default_product", "must", "-answers alike"),
				"Creation answered differently than with it: no email"),
			"Answered with 200",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := record.Defects(c.one)
			if len(got) != 1 || !strings.HasPrefix(got[0].Headline, c.says) {
				t.Errorf("one defect is reported as %s", strings.Join(texts(got), "\n     "))
			}
			apart := []record.Rule{c.one[0], c.not}
			if got := record.Defects(apart); len(got) != 2 {
				t.Errorf("two defects are reported as %s", strings.Join(texts(got), "\n     "))
			}
		})
	}
}

// Whatever failed is of exactly one defect.
func TestNoFailedRuleIsHidden(t *testing.T) {
	var list []record.Rule
	for _, mode := range []string{"none", "nonce", "transaction", "transaction_nonce", "nonce_transaction"} {
		for _, cell := range []string{
			"same", "other_nonce", "other_transaction", "other_both", "other_body",
			"other_query", "other_user",
		} {
			list = append(list, rule("replay."+mode+"."+cell, "must", "-x: 409 Conflict"))
		}
		list = append(list, secure(rule("replay.race."+mode, "should", "-x: 200 OK")))
	}
	count := map[string]int{}
	for _, d := range record.Defects(list) {
		for _, id := range d.Rules {
			count[id]++
		}
	}
	for _, r := range list {
		if count[r.ID] != 1 {
			t.Errorf("%s is of %d defects", r.ID, count[r.ID])
		}
	}
}

// The headline of several rules keeps the condition that they share.
func TestSharedCondition(t *testing.T) {
	list := []record.Rule{rule("create.required.email.null", "should", "+rejects a creation with null")}
	conditions := []string{"x-lang en-US, x-product-uuid and 3 more", "x-product-uuid"}
	for i, field := range []string{"shareholder_id", "mother_name", "phone_number", "email", "address"} {
		r := rule("create.required."+field, "must", "-rejects a creation without it: 201 Created")
		r.Checks[0].Message = "Accepted, only with " + conditions[i%2]
		list = append(list, r)
	}
	want := "Required parameters are not checked: creations without them are accepted, only with x-product-uuid"
	if got := record.Defects(list); len(got) != 1 || got[0].Headline != want {
		t.Errorf("got %v, want %s", texts(got), want)
	}
	list[5].Checks[0].Message = "Accepted"
	if got := record.Defects(list); len(got) != 1 || strings.Contains(got[0].Headline, "only with") {
		t.Errorf("one rule breaks without it: got %v", texts(got))
	}
}

func TestADefectIsAsGraveAsItsGravestRule(t *testing.T) {
	cause := "cuts bounds to whole days"
	found := record.Defects([]record.Rule{
		because(secure(rule("export.isolation", "should", "-holds no row: 2 rows")), cause),
		because(rule("export.range.end_exclusive", "must", "-drops the row: kept"), cause),
	})
	if len(found) != 1 || found[0].Level != "must" || !found[0].Security {
		t.Errorf("%+v, want one defect of level must that is about security", found)
	}
}

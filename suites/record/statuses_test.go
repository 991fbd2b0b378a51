package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/suites/record"
)

// sought writes what a check says of a request that had to be refused: "+" as it should be, or a status with a minus.
func sought(r record.Rule, condition string) record.Rule {
	for i, c := range r.Checks {
		if c.Verdict == record.Fail {
			r.Checks[i].Message = r.ID + ": " + c.Actual[:3] + ", expected 400 or 422" + condition
		}
	}
	return r
}

// headlines are those of some rules' defects, with how many rules show each.
func headlines(rules []record.Rule) (all []string) {
	for _, d := range record.Defects(rules) {
		all = append(all, fmt.Sprintf("%s | %d", d, len(d.Rules)))
	}
	return all
}

// apart are the headlines of rules that stand alone.
func apart(status string, ids ...string) (all []string) {
	for _, id := range ids {
		all = append(all, id+": "+status+", expected 400 or 422 | 1")
	}
	return all
}

// What one wrong status explains is one defect; what failed in another way, or under a condition, is another.
func TestOneWrongStatus(t *testing.T) {
	const stranger = "-refuses a creation with it: 403 Forbidden"
	must := func(id string, checks ...string) record.Rule { return sought(rule(id, "must", checks...), "") }
	should := func(id string, checks ...string) record.Rule { return sought(rule(id, "should", checks...), "") }
	only := func(condition, id, check string) record.Rule {
		return sought(rule(id, "must", check), ", only with "+condition)
	}
	strangers := func(last ...record.Rule) []record.Rule {
		var list []record.Rule
		for _, id := range []string{"auth.missing", "auth.bearer.empty", "auth.bearer.payload", "auth.api_key.unknown"} {
			list = append(list, secure(must(id, stranger, "+refuses an export with it")))
		}
		return append(list, last...)
	}
	rejected := func(status string, ids ...string) (list []record.Rule) {
		for _, id := range ids {
			list = append(list, must(id, "-rejects a creation with it: "+status))
		}
		return list
	}
	mixed := []string{"create.required.email", "create.type.email", "create.header.nonce.absent", "create.body.none"}
	dates := []string{"create.dates.a", "create.dates.b", "create.dates.c"}
	for name, c := range map[string]struct {
		rules []record.Rule
		want  []string // headlines, each with how many rules show it
	}{
		"strangers are forbidden": {
			strangers(should("auth.export_status", "-answers 401: 26 × 403 Forbidden, 3 × 401 Unauthorized")),
			[]string{"Creations without valid authentication refused: 403, expected 401 (4 rules violated, 1 warning) | 5"},
		},
		"of both operations": {
			[]record.Rule{
				must("auth.missing", "-refuses a creation with none: 302 Found", "-refuses an export with none: 302 Found"),
				must("auth.bearer.empty", "-refuses an export with it: 2 of 2 attempts: 302 Found"),
				must("auth.bearer.garbage", "-refuses an export with it: 302 Found"),
			},
			[]string{"Requests without valid authentication redirected: 302, expected 401 (3 rules violated) | 3"},
		},
		"one stranger gets in": {
			strangers(must("auth.bearer.garbage", "-refuses a creation with it: 201 Created")),
			[]string{
				"Creations without valid authentication refused: 403, expected 401 (4 rules violated) | 4",
				"auth.bearer.garbage: 201, expected 400 or 422 | 1",
			},
		},
		"one gets in by one of its checks": {
			strangers(must("auth.bearer.garbage", "-refuses a creation with it: 201 Created", stranger)),
			[]string{
				"Creations without valid authentication refused: 403, expected 401 (4 rules violated) | 4",
				"auth.bearer.garbage: 201, expected 400 or 422 | 1",
			},
		},
		"one gets in by one of its attempts": {
			strangers(must("auth.bearer.garbage",
				"-refuses a creation with it: 1 of 2 attempts: 403 Forbidden, 1 of 2 attempts: 201 Created")),
			[]string{
				"Creations without valid authentication refused: 403, expected 401 (4 rules violated) | 4",
				"auth.bearer.garbage: 1 o, expected 400 or 422 | 1",
			},
		},
		"exports get yet another status": {
			strangers(should("auth.export_status", "-answers 401: 20 × 403 Forbidden, 6 × 404 Not Found")),
			[]string{
				"Creations without valid authentication refused: 403, expected 401 (4 rules violated) | 4",
				"auth.export_status: 20 , expected 400 or 422 | 1",
			},
		},
		"tokens only": {
			[]record.Rule{
				must("auth.bearer.empty", stranger), must("auth.bearer.payload", stranger),
				must("auth.bearer.garbage", stranger), must("auth.api_key.unknown", "+refuses a creation with it"),
			},
			[]string{"Creations with an invalid token refused: 403, expected 401 (3 rules violated) | 3"},
		},
		"another refusal for whatever is invalid": {
			append(rejected("409 Conflict", mixed...), rejected("500 Internal", "create.body.array")...),
			[]string{
				"Invalid creations refused: 409, expected 400 or 422 (4 rules violated) | 4",
				"create.body.array: 500, expected 400 or 422 | 1",
			},
		},
		"two of a kind prove no habit": {
			rejected("409 Conflict", mixed[:2]...),
			apart("409", mixed[:2]...),
		},
		"under a condition and without": {
			append(rejected("409 Conflict", mixed[:3]...),
				only("x-api-key", "create.cpf.letters", "-rejects a creation with it: 409 Conflict")),
			[]string{
				"Invalid creations refused: 409, expected 400 or 422 (3 rules violated) | 3",
				"create.cpf.letters: 409, expected 400 or 422, only with x-api-key | 1",
			},
		},
		"under one condition": {
			[]record.Rule{
				only("x-api-key", "create.dates.a", "-rejects a creation with it: 404 Not Found"),
				only("x-api-key", "create.body.none", "-rejects a creation with it: 404 Not Found"),
				only("x-api-key", "create.type.email", "-rejects a creation with it: 404 Not Found"),
			},
			[]string{"Invalid creations refused: 404, expected 400 or 422, only with x-api-key (3 rules violated) | 3"},
		},
		"crashes of two kinds": {
			append(rejected("500 Internal", append(dates, "create.cpf.letters", "create.body.none")...),
				must("create.required.a", "+rejects a creation with it"), must("create.required.b", "+rejects a creation with it")),
			[]string{
				"Creations with an invalid date end in a server error: 500, expected 400 or 422 (3 rules violated) | 3",
				"create.cpf.letters: 500, expected 400 or 422 | 1", "create.body.none: 500, expected 400 or 422 | 1",
			},
		},
		"some of a kind crash": {
			append(rejected("500 Internal", dates...), must("create.dates.d", "+rejects a creation with it")),
			apart("500", dates...),
		},
		"what was accepted has no cause in common": {
			rejected("201 Created", mixed...), apart("201", mixed...),
		},
		"no refusal": {
			[]record.Rule{
				must("replay.none.first", "-passes: 409 Conflict"), must("export.other", "-accepts it: 409 Conflict"),
				must("create.success.status", "-accepts it: 409 Conflict"),
			},
			apart("409", "replay.none.first", "export.other", "create.success.status"),
		},
	} {
		if got := headlines(c.rules); !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}

// Repeats that go wrong alike are one defect in whichever modes; a mode in which they go wrong otherwise has its own.
func TestAlikeInSeveralModes(t *testing.T) {
	all := []string{"none", "nonce", "transaction", "transaction_nonce", "nonce_transaction"}
	broken := func(cell, says string, modes ...string) (list []record.Rule) {
		for _, mode := range modes {
			r := rule("replay."+mode+"."+cell, "must", "-lets it through", "+lets another through")
			r.Checks[0].Message = mode + " " + says
			list = append(list, r)
		}
		return list
	}
	const blocked, accepted, lower = "is blocked: 409, expected 2xx", "is not blocked: 202, expected a 4xx",
		"is blocked: 409, only with another letter case"
	for name, c := range map[string]struct {
		rules []record.Rule
		want  []string
	}{
		"every mode": {
			broken("other_body", lower, all...),
			[]string{"Requests that differ only in their body are blocked in every mode, only with another letter case (5 rules violated) | 5"},
		},
		"two ways in the same modes": {
			append(broken("other_nonce", blocked, all[3:]...), broken("other_transaction", blocked, all[3:]...)...),
			[]string{"Requests that change only the nonce or change only the transaction ID are blocked with " +
				"x-transaction-uuid&nonce and nonce&x-transaction-uuid (4 rules violated) | 4"},
		},
		"accepted in one mode, blocked in two": {
			append(broken("other_nonce", accepted, "transaction"), broken("other_nonce", blocked, all[3:]...)...),
			[]string{
				"Requests that change only the nonce are blocked with x-transaction-uuid&nonce and nonce&x-transaction-uuid (2 rules violated) | 2",
				"transaction " + accepted + " | 1",
			},
		},
		"under a condition in one": {
			append(broken("other_body", blocked, all[:1]...), broken("other_body", lower, all[1:2]...)...),
			[]string{"none " + blocked + " | 1", "nonce " + lower + " | 1"},
		},
		"a server error": {
			append(broken("other_body", blocked, all[:2]...), broken("other_body", "ends in a server error: 500", all[2:3]...)...),
			[]string{
				"Requests that differ only in their body are blocked with no replay value and nonce (2 rules violated) | 2",
				"transaction ends in a server error: 500 | 1",
			},
		},
	} {
		if got := headlines(c.rules); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(c.want))) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}

package matchers_test

import (
	"testing"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/matchers"
)

func TestKept(t *testing.T) {
	for _, c := range []struct {
		first, again *client.Exchange
		same, other  bool
	}{
		{answer(201, oneID), answer(200, oneID), true, false},
		{answer(201, oneID), answer(201, otherID), false, true},
		{answer(201, oneID), answer(201, "{}"), false, false},
		{answer(201, oneID), answer(409, otherID), false, false},
		{answer(201, "{}"), answer(201, otherID), false, false},
		{answer(400, oneID), answer(201, otherID), false, false},
	} {
		if same, other := (matchers.Repetition{First: c.first, Again: c.again}).Kept(); same != c.same || other != c.other {
			t.Errorf("%s, then %d %s: %v %v", c.first.Body, c.again.Status, c.again.Body, same, other)
		}
	}
}

func TestRepetitionMessages(t *testing.T) {
	first := answer(201, oneID)
	const head = "a repeated creation was not recognised\nexpected: 409, or a 2xx that carries the id of the record that exists\nactual: "
	for _, c := range []struct {
		matcher    types.GomegaMatcher
		repetition matchers.Repetition
		want       string
	}{
		{matchers.MakeNoSecondRecord(), matchers.Repetition{First: first, Again: answer(500, "")}, head + "500 Internal Server Error"},
		{matchers.MakeNoSecondRecord(), matchers.Repetition{First: first, Again: answer(201, otherID)}, head + "201 Created with another id: a second record"},
		{matchers.MakeNoSecondRecord(), matchers.Repetition{First: first, Again: answer(202, "")}, head + "202 Accepted without the id of a record"},
		{matchers.MakeNoSecondRecord(), matchers.Repetition{First: first, Again: answer(503, ""), Died: 1}, head + "503 Service Unavailable"},
		{
			matchers.MakeNoSecondRecord(),
			matchers.Repetition{First: first, Again: answer(503, ""), Died: 2},
			head + "503 Service Unavailable, 2 times in a row, while the first creation was accepted each time",
		},
		{
			matchers.MakeAnotherRecord(),
			matchers.Repetition{First: first, Again: answer(200, oneID)},
			"two creations under different transaction IDs are one record\nexpected: two records with ids of their own\n" +
				"actual: 200 OK with the id of the first record",
		},
	} {
		if ok, err := c.matcher.Match(c.repetition); ok || err != nil {
			t.Errorf("matched %s: %v %v", c.want, ok, err)
		}
		if message := c.matcher.FailureMessage(c.repetition); message != c.want {
			t.Errorf("got\n%s\nwant\n%s", message, c.want)
		}
	}
	for _, c := range []struct {
		matcher    types.GomegaMatcher
		repetition matchers.Repetition
		want       string
	}{
		{
			matchers.MakeNoSecondRecord(),
			matchers.Repetition{First: first, Again: answer(409, "")},
			"must not: a repeated creation was not recognised\nexpected: anything but 409, or a 2xx that carries the id of the " +
				"record that exists\nactual: 409 Conflict",
		},
		{
			matchers.MakeAnotherRecord(),
			matchers.Repetition{First: first, Again: answer(201, otherID)},
			"one transaction ID made two records\nexpected: no second record\nactual: 201 Created with another id",
		},
	} {
		if ok, err := c.matcher.Match(c.repetition); !ok || err != nil {
			t.Errorf("did not match: %s: %v %v", c.want, ok, err)
		}
		if message := c.matcher.NegatedFailureMessage(c.repetition); message != c.want {
			t.Errorf("got\n%s\nwant\n%s", message, c.want)
		}
	}
	for _, c := range []struct {
		matcher types.GomegaMatcher
		judges  string
	}{
		{matchers.MakeNoSecondRecord(), "matchers.Repetition"},
		{matchers.MakeAnotherRecord(), "matchers.Repetition"},
		{matchers.MakeOneRecord(), "[]*client.Exchange"},
	} {
		want := "the matcher judges " + c.judges + ", not int"
		if ok, err := c.matcher.Match(1); ok || err == nil || err.Error() != want {
			t.Errorf("%v %v, want %s", ok, err, want)
		}
	}
}

func TestRaceMessages(t *testing.T) {
	race := []*client.Exchange{answer(201, oneID), answer(409, ""), answer(201, otherID), answer(500, ""), answer(409, ""), answer(202, "")}
	want := "identical creations at once made more than one record, or failed\nexpected: one id among all successes, 409 for the rest\n" +
		"actual: 2 × 201 Created, 2 × 409 Conflict, 1 × 500 Internal Server Error, 1 × 202 Accepted, " +
		"2 distinct ids among the successes, 1 successes without an id"
	if message := matchers.MakeOneRecord().FailureMessage(race); message != want {
		t.Errorf("got\n%s\nwant\n%s", message, want)
	}
	want = "must not: identical creations at once made more than one record, or failed\n" +
		"expected: anything but one id among all successes, 409 for the rest\nactual: 1 × 201 Created, 1 distinct ids among the successes"
	if message := matchers.MakeOneRecord().NegatedFailureMessage(race[:1]); message != want {
		t.Errorf("got\n%s\nwant\n%s", message, want)
	}
	// The second answer of a kind breaks the rule as the first does.
	for _, all := range [][]*client.Exchange{answers(409, 500, 500), answers(409, 302)} {
		if ok, _ := matchers.MakeOneRecord().Match(all); ok {
			t.Errorf("held for %s", matchers.Outcomes(all))
		}
	}
	if ok, _ := matchers.MakeOneRecord().Match(answers(409, 503, 502, 504, 429, 0)); !ok {
		t.Error("throttling and missing answers say nothing")
	}
}

package matchers_test

import (
	"testing"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
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
		if same, other := (Repetition{First: c.first, Again: c.again}).Kept(); same != c.same || other != c.other {
			t.Errorf("%s, then %d %s: %v %v", c.first.Body, c.again.Status, c.again.Body, same, other)
		}
	}
}

func TestRepetitionMessages(t *testing.T) {
	first := answer(201, oneID)
	const what, end = "The same creation again ", ", expected 409 or the record that exists"
	const head = "\nexpected: 409, or a 2xx that carries the id of the record that exists\nactual: "
	for _, c := range []struct {
		matcher    types.GomegaMatcher
		repetition Repetition
		want       string
	}{
		{
			MakeNoSecondRecord("The same creation again"),
			Repetition{First: first, Again: answer(500, "")},
			what + "ends in a server error: 500" + end + head + "500 Internal Server Error",
		},
		{
			MakeNoSecondRecord("The same creation again"),
			Repetition{First: first, Again: answer(201, otherID)},
			what + "makes a second record: 201" + end + head + "201 Created with another id: a second record",
		},
		{
			MakeNoSecondRecord("The same creation again"),
			Repetition{First: first, Again: answer(202, "")},
			what + "accepted without an id: 202" + end + head + "202 Accepted without the id of a record",
		},
		{
			MakeNoSecondRecord("The same creation again"),
			Repetition{First: first, Again: answer(503, ""), Died: 1},
			what + "ends in a server error: 503" + end + head + "503 Service Unavailable",
		},
		{
			MakeNoSecondRecord("The same creation again"),
			Repetition{First: first, Again: answer(503, ""), Died: 2},
			what + "breaks the deployment, 2 of 2 times: 503, expected 409 or the record" + head +
				"503 Service Unavailable, 2 times in a row, while the first creation was accepted each time",
		},
		{
			MakeAnotherRecord(),
			Repetition{First: first, Again: answer(200, oneID)},
			"Two creations under different transaction IDs got the same id: 200, expected two records\nexpected: two records with ids of their own\n" +
				"actual: 200 OK with the id of the first record",
		},
	} {
		if ok, err := c.matcher.Match(c.repetition); ok || err != nil {
			t.Errorf("matched %s: %v %v", c.want, ok, err)
		}
		says(t, c.matcher.FailureMessage(c.repetition), c.want)
	}
	for _, c := range []struct {
		matcher    types.GomegaMatcher
		repetition Repetition
		want       string
	}{
		{
			MakeNoSecondRecord("The same creation again"),
			Repetition{First: first, Again: answer(409, "")},
			"must not: The same creation again refused: 409, expected 409 or the record that exists\nexpected: anything but 409, or a 2xx that carries the id of the " +
				"record that exists\nactual: 409 Conflict",
		},
		{
			MakeAnotherRecord(),
			Repetition{First: first, Again: answer(201, otherID)},
			"Another body under a used transaction ID makes a second record: 201, expected none\nexpected: no second record\nactual: 201 Created with another id",
		},
	} {
		if ok, err := c.matcher.Match(c.repetition); !ok || err != nil {
			t.Errorf("did not match: %s: %v %v", c.want, ok, err)
		}
		says(t, c.matcher.NegatedFailureMessage(c.repetition), c.want)
	}
	for _, c := range []struct {
		matcher types.GomegaMatcher
		judges  string
	}{
		{MakeNoSecondRecord("The same creation again"), "matchers.Repetition"},
		{MakeAnotherRecord(), "matchers.Repetition"},
		{MakeOneRecord(), "[]*client.Exchange"},
	} {
		want := "the matcher judges " + c.judges + ", not int"
		if ok, err := c.matcher.Match(1); ok || err == nil || err.Error() != want {
			t.Errorf("%v %v, want %s", ok, err, want)
		}
	}
}

func TestRaceMessages(t *testing.T) {
	race := []*client.Exchange{
		answer(201, oneID), answer(409, ""), answer(201, otherID), answer(500, ""),
		answer(409, ""), answer(202, ""),
	}
	want := "6 identical creations at once gave 2 records, expected one record and 409\nexpected: one id among all successes, 409 for the rest\n" +
		"actual: 2 × 201 Created, 2 × 409 Conflict, 1 × 500 Internal Server Error, 1 × 202 Accepted, " +
		"2 distinct ids among the successes, 1 successes without an id"
	says(t, MakeOneRecord().FailureMessage(race), want)
	want = "must not: 1 identical creations at once gave one record, expected one record and 409\n" +
		"expected: anything but one id among all successes, 409 for the rest\nactual: 1 × 201 Created, 1 distinct ids among the successes"
	says(t, MakeOneRecord().NegatedFailureMessage(race[:1]), want)
	// The second answer of a kind breaks the rule as the first does.
	for _, all := range [][]*client.Exchange{answers(409, 500, 500), answers(409, 302)} {
		if ok, _ := MakeOneRecord().Match(all); ok {
			t.Errorf("held for %s", Outcomes(all))
		}
	}
	if ok, _ := MakeOneRecord().Match(answers(409, 503, 502, 504, 429, 0)); !ok {
		t.Error("throttling and missing answers say nothing")
	}
}

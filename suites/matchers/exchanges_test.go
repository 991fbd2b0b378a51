package matchers_test

import (
	"strings"
	"testing"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
)

func answers(statuses ...int) []*client.Exchange {
	var all []*client.Exchange
	for _, s := range statuses {
		all = append(all, answer(s, ""))
	}
	return all
}

func TestSeveralExchanges(t *testing.T) {
	for name, c := range map[string]struct {
		matcher types.GomegaMatcher
		holds   [][]*client.Exchange
		fails   [][]*client.Exchange
		failing []*client.Exchange
		message string
	}{
		"AllBeAccepted": {
			AllBeAccepted("Requests"),
			[][]*client.Exchange{answers(200), answers(200, 201, 299)},
			[][]*client.Exchange{answers(200, 300), answers(409), answers(200, 0)},
			answers(200, 409, 500, 409),
			"Requests not accepted, 3 of 4: 409 and others, expected 2xx\nexpected: 2xx each\nactual: 1 × 200 OK, 2 × 409 Conflict, 1 × 500 Internal Server Error",
		},
		"AllBeRefused": {
			AllBeRefused("Blocked repeats"),
			[][]*client.Exchange{answers(400), answers(409, 429, 499)},
			[][]*client.Exchange{answers(409, 500), answers(200), answers(302), answers(409, 0)},
			answers(409, 200),
			"Blocked repeats answered without a 4xx, 1 of 2: 200, expected a 4xx\nexpected: a 4xx each\nactual: 1 × 409 Conflict, 1 × 200 OK",
		},
		"AllHaveStatus": {
			AllHaveStatus("Requests", 401),
			[][]*client.Exchange{answers(401), answers(401, 401)},
			[][]*client.Exchange{answers(401, 403), answers(400), answers(402)},
			answers(403),
			"Requests refused, 1 of 1: 403, expected 401\nexpected: 401 each\nactual: 1 × 403 Forbidden",
		},
		"AcceptAtMostOne": {
			AcceptAtMostOne("nonce"),
			[][]*client.Exchange{answers(200), answers(409, 201, 409), answers(500, 202), answers(), answers(409, 409)},
			[][]*client.Exchange{answers(200, 200, 409), answers(201, 202)},
			answers(200, 200, 409),
			"2 of 3 identical requests at once accepted, with nonce, expected at most 1\nexpected: at most one accepted, all others blocked\nactual: 2 × 200 OK, 1 × 409 Conflict",
		},
	} {
		for _, all := range c.holds {
			if ok, err := c.matcher.Match(all); !ok || err != nil {
				t.Errorf("%s does not hold for %s (%v)", name, Outcomes(all), err)
			}
		}
		for _, all := range c.fails {
			if ok, err := c.matcher.Match(all); ok || err != nil {
				t.Errorf("%s holds for %s (%v)", name, Outcomes(all), err)
			}
		}
		if message := c.matcher.FailureMessage(c.failing); message != c.message {
			t.Errorf("%s says\n%s\nwant\n%s", name, message, c.message)
		}
		if _, err := c.matcher.Match(got(200)); err == nil || !strings.Contains(err.Error(), "not target.Answer") {
			t.Errorf("%s judged a single answer: %v", name, err)
		}
	}
	want := "must not: Requests not accepted, 0 of 1: nothing was sent, expected 2xx\nexpected: anything but 2xx each\nactual: 1 × 200 OK"
	says(t, AllBeAccepted("Requests").NegatedFailureMessage(answers(200)), want)
	if s := Outcomes(nil); s != "nothing was sent" {
		t.Errorf("no exchange: %q", s)
	}
}

func TestShapeNamesKeysAndNoValues(t *testing.T) {
	for body, want := range map[string]string{
		"":                     "no body",
		"oops":                 "no JSON",
		"{":                    "no JSON",
		`["a"]`:                "JSON, no object",
		"null":                 "JSON, no object",
		`"text"`:               "JSON, no object",
		"{}":                   "{}",
		`{"b":1,"a":"secret"}`: "{a, b}",
		`{"b":{"d":1,"c":{"e":1}},"a":[{"x":1}]}`: "{a, b {c, d}}",
		`{"error":{}}`: "{error {}}",
	} {
		if got := Shape(answer(200, body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

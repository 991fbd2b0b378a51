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
	}{
		"AllBeRefused": {
			AllBeRefused("Blocked repeats"),
			[][]*client.Exchange{answers(400), answers(409, 429, 499)},
			[][]*client.Exchange{answers(409, 500), answers(200), answers(302), answers(409, 0)},
		},
		"AllHaveStatus": {
			AllHaveStatus("Requests", 401),
			[][]*client.Exchange{answers(401), answers(401, 401)},
			[][]*client.Exchange{answers(401, 403), answers(400), answers(402)},
		},
		"AcceptAtMostOne": {
			AcceptAtMostOne("nonce"),
			[][]*client.Exchange{answers(200), answers(409, 201, 409), answers(500, 202), answers(), answers(409, 409)},
			[][]*client.Exchange{answers(200, 200, 409), answers(201, 202)},
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
		if _, err := c.matcher.Match(got(200)); err == nil || !strings.Contains(err.Error(), "not target.Answer") {
			t.Errorf("%s judged a single answer: %v", name, err)
		}
	}
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

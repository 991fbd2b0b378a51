package matchers_test

import (
	"strings"
	"testing"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/target"
)

// got is an answer with that status, after the attempts that came before it.
func got(status int, before ...int) target.Answer {
	var a target.Answer
	for _, s := range append(before, status) {
		a.Exchange = answer(s, "")
		a.Attempts = append(a.Attempts, a.Exchange)
	}
	return a
}

// file is an answer of the export operation with that body.
func file(status int, body string) target.Answer {
	x := answer(status, body)
	x.Operation = client.Export
	return target.Answer{Exchange: x, Attempts: []*client.Exchange{x}}
}

// dropped is a connection that broke.
func dropped() target.Answer {
	a := got(0)
	a.Err = &client.Trouble{Kind: client.Reset, Detail: "EOF"}
	return a
}

// says fails the test for another message than the one that is wanted.
func says(t *testing.T, message, want string) {
	t.Helper()
	if message != want {
		t.Errorf("got\n%s\nwant\n%s", message, want)
	}
}

func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		matcher types.GomegaMatcher
		holds   []target.Answer
		fails   []target.Answer
	}{
		"BeAccepted": {
			BeAccepted(),
			[]target.Answer{got(200), got(201), got(299), got(201, 503), got(201, 429, 502, 504), got(201, 500)},
			[]target.Answer{
				got(199), got(300), got(302), got(400), got(409), got(500), got(503), dropped(), got(500, 500),
			},
		},
		"BeRejected": {
			BeRejected(),
			[]target.Answer{got(400), got(422), got(404), got(409), got(499), got(400, 503), got(422, 401), got(400, 500)},
			[]target.Answer{
				got(399), got(401), got(403), got(429), got(500), got(503), got(200), got(201), got(302),
				dropped(), got(500, 500),
			},
		},
		"BeRefused": {
			BeRefused(),
			[]target.Answer{got(400), got(401), got(403), got(404), got(422), got(499), got(403, 502), got(401, 501)},
			[]target.Answer{got(399), got(429), got(500), got(200), got(302), dropped(), got(501, 501)},
		},
		"HaveStatus": {
			HaveStatus(401, 403),
			[]target.Answer{got(401), got(403), got(401, 503), got(401, 500)},
			[]target.Answer{got(400), got(402), got(200), got(500), dropped(), got(500, 500)},
		},
		"Pass": {
			Pass(),
			[]target.Answer{got(200), got(202), got(299)},
			[]target.Answer{got(300), got(400), got(409), got(500), got(199), dropped()},
		},
		"BeBlocked": {
			BeBlocked(),
			[]target.Answer{
				got(409), got(400), got(429), got(302), got(500), got(503), dropped(),
				{},
				file(200, ""), file(200, `{"file_id":""}`),
				file(200, `{"error":"replayed"}`), file(409, `{"file_id":"f"}`), file(300, `{"file_id":"f"}`),
			},
			[]target.Answer{
				file(200, `{"file_id":"f"}`), file(202, `{"file_id":"f","file_state":{}}`),
				file(299, `{"file_id":"f"}`),
			},
		},
	} {
		for _, a := range c.holds {
			if ok, err := c.matcher.Match(a); !ok || err != nil {
				t.Errorf("%s does not hold for %s (%v)", name, Found(a), err)
			}
		}
		for _, a := range c.fails {
			if ok, err := c.matcher.Match(a); ok || err != nil {
				t.Errorf("%s holds for %s (%v)", name, Found(a), err)
			}
		}
		if ok, err := c.matcher.Match("text"); ok || err == nil ||
			!strings.Contains(err.Error(), "judges target.Answer, not string") {
			t.Errorf("%s judged a text: %v, %v", name, ok, err)
		}
	}
}

func TestFoundTellsAttemptsControlAndTheBeginningOfTheBody(t *testing.T) {
	says(t, Found(target.Answer{}), "nothing was sent")
	says(t, Found(got(500, 503, 503, 401)), "4 attempts: 2 × 503 Service Unavailable, 1 × 401 Unauthorized, 1 × 500 Internal Server Error")
	a := got(500)
	a.Control = answer(201, "")
	says(t, Found(a), "500 Internal Server Error\ncontrol, the same request without the defect: 201 Created")

	a = got(400)
	a.Body = []byte("as received")
	a.Recorded.ResponseBody = []byte("{\n  \"error\":\t\"no\"}\n")
	says(t, Found(a), "400 Bad Request\n{ \"error\": \"no\"}")
	a.Recorded.ResponseBody = []byte(strings.Repeat("é", 200))
	says(t, Found(a), "400 Bad Request\n"+strings.Repeat("é", 200))
	a.Recorded.ResponseBody = []byte(strings.Repeat("é", 201))
	says(t, Found(a), "400 Bad Request\n"+strings.Repeat("é", 199)+"…")
}

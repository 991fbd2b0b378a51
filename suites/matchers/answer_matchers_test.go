package matchers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/target"
)

// got returns an answer with a status, after earlier attempts; 0: the connection broke.
func got(status int, before ...int) target.Answer {
	var a target.Answer
	for _, s := range append(before, status) {
		a.Exchange = exchange(s, "")
		a.Attempts = append(a.Attempts, a.Exchange)
	}
	if status == 0 {
		a.Err = &client.Trouble{Kind: client.TroubleReset, Detail: "EOF"}
	}
	return a
}

// file returns an answer of the export operation with that body.
func file(status int, body string) target.Answer {
	x := exchange(status, body)
	x.Operation = client.OperationExport
	return target.Answer{Exchange: x, Attempts: []*client.Exchange{x}}
}

func TestAnswers(t *testing.T) {
	all := []int{0, 199, 200, 299, 302, 400, 401, 403, 404, 409, 422, 429, 499, 500, 503}
	for name, c := range map[string]struct {
		matcher Matcher
		holds   []int // statuses for which it holds
	}{
		"BeAccepted":         {BeAccepted(), []int{200, 299}},
		"BeRejected":         {BeRejected(), []int{400, 404, 409, 422, 499}},
		"BeRefused":          {BeRefused(404), []int{400, 401, 403, 409, 422, 499}},
		"HaveStatus":         {HaveStatus(401, 403), []int{401, 403}},
		"BeBlockedAfterMore": {BeBlockedAfterMore(0), all},
	} {
		for _, status := range all {
			ok, err := c.matcher.Match(got(status))
			if ok != slices.Contains(c.holds, status) || err != nil {
				t.Errorf("%s holds for %d: %v, %v", name, status, ok, err)
			}
		}
	}
	for blocked, answers := range map[bool][]target.Answer{
		true: {
			{}, file(200, `{"file_id":""}`), file(200, `{"error":"no"}`), file(409, `{"file_id":"f"}`),
		},
		false: {file(200, `{"file_id":"f"}`), file(299, `{"file_id":"f","file_state":{}}`)},
	} {
		for _, a := range answers {
			if ok, err := BeBlockedAfterMore(0).Match(a); ok != blocked || err != nil {
				t.Errorf("%s: blocked %t, want %t (%v)", DescribeAttempts(a), ok, blocked, err)
			}
		}
	}
}

func TestFoundTellsAttemptsControlAndTheBeginningOfTheBody(t *testing.T) {
	broken, long, made := got(500), got(400), got(201)
	made.Recorded.ResponseBody = []byte(`{"name": "Ana"}`)
	broken.Control, broken.ControlAnswered = exchange(201, ""), true
	long.Body = []byte("as received")
	long.Recorded.ResponseBody = []byte("{\n  \"error\":\t\"" + strings.Repeat("é", 200) + "\"}\n")
	for want, a := range map[string]target.Answer{
		"nothing was sent": {},
		"201 Created":      made,
		"2 attempts: 1 × 401 Unauthorized, 1 × 503 Service Unavailable\n" +
			"the last: 503 Service Unavailable": got(503, 401),
		"500 Internal Server Error\ncontrol, the same request without the defect: 201 Created": broken,
		"400 Bad Request: " + strings.Repeat("é", 200):                                         long,
	} {
		testmust.Equal(t, DescribeAttempts(a), want)
	}
}

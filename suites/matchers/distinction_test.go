package matchers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
)

// Of two credentials in one request either may have let it in.
func TestTwoCredentialsSetNothingApart(t *testing.T) {
	var tally Tally
	for _, names := range [][]string{{"X-Api-Key"}, {"X-Api-Key"}, {"X-Api-Key", "Authorization"}} {
		h := http.Header{}
		for _, name := range names {
			h.Set(name, "secret")
		}
		tally.Add(&client.Exchange{Recorded: client.Record{RequestHeader: h}}, "x", "y")
	}
	for range 2 {
		h := http.Header{"Authorization": {"secret"}}
		tally.Add(&client.Exchange{Recorded: client.Record{RequestHeader: h}}, "", "y")
	}
	head, _, _ := strings.Cut(HoldThroughout("Record: ", "y").FailureMessage(tally), "\n")
	if want := "Record: x in 3 of 5 answers, only with x-api-key, expected y"; head != want {
		t.Errorf("got %q, want %q", head, want)
	}
}

// The method of authentication is named ahead of what stands beside it each time.
func TestWhoAsksIsNamedFirst(t *testing.T) {
	for key, want := range map[string]string{"X-Api-Key": ", only with x-api-key and 2 more", "X-Lang": ""} {
		var tally Tally
		for range 2 {
			wrong := http.Header{key: {"secret"}, "A-Wallet": {"one"}, "A-Product": {"one"}}
			tally.Add(&client.Exchange{Recorded: client.Record{RequestHeader: wrong}}, "x", "y")
			tally.Add(&client.Exchange{Recorded: client.Record{RequestHeader: http.Header{}}}, "", "y")
		}
		head, _, _ := strings.Cut(HoldThroughout("Record: ", "y").FailureMessage(tally), "\n")
		if want := "Record: x in 2 of 4 answers" + want + ", expected y"; head != want {
			t.Errorf("got %q, want %q", head, want)
		}
	}
}

func TestAHeadlineNamesWhatSetsWrongAnswersApart(t *testing.T) {
	// sent makes requests of their header and their body, each of one letter.
	bodies := map[byte]string{'s': `{"sort":"settled_date"}`, 'c': `{"sort":"quote_created_at"}`, '-': "{}"}
	sent := func(words string) (list []*client.Exchange) {
		for word := range strings.FieldsSeq(words) {
			list = append(list, &client.Exchange{Recorded: client.Record{
				RequestHeader: http.Header{word[:1]: {"one"}}, RequestBody: []byte(bodies[word[1]]),
			}})
		}
		return list
	}
	for _, c := range []struct{ name, wrong, right, end string }{
		{"a value", "As Bs", "Ac Bc", " in 2 of 4 answers, only with sort settled_date"},
		{"a header", "As Ac", "Bs Bc", " in 2 of 4 answers, only with a"},
		{"an absence", "A- B-", "As Bc", " in 2 of 4 answers, only without sort"},
		{"one wrong answer", "As", "Ac Bc", " in 1 of 3 answers"},
		{"nothing", "As Bc", "Ac Bs", " in 2 of 4 answers"},
	} {
		var tally Tally
		for _, x := range sent(c.wrong) {
			tally.Add(x, "x", "y")
		}
		for _, x := range sent(c.right) {
			tally.Add(x, "", "y")
		}
		head, _, _ := strings.Cut(HoldThroughout("Record: ", "y").FailureMessage(tally), "\n")
		if want := "Record: x" + c.end + ", expected y"; head != want {
			t.Errorf("%s: got %q, want %q", c.name, head, want)
		}
	}
}

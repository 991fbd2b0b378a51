package matchers_test

import (
	"fmt"
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
	if got := fmt.Sprint(HoldThroughout("record", "y").Finding(tally).Condition); got != "[x-api-key]" {
		t.Error(got)
	}
}

// The method of authentication is named ahead of what stands beside it each time.
func TestWhoAsksIsNamedFirst(t *testing.T) {
	for key, want := range map[string]string{"X-Api-Key": "[x-api-key a-wallet a-product]", "X-Lang": "[]"} {
		var tally Tally
		for range 2 {
			wrong := http.Header{key: {"secret"}, "A-Wallet": {"one"}, "A-Product": {"one"}}
			tally.Add(&client.Exchange{Recorded: client.Record{RequestHeader: wrong}}, "x", "y")
			tally.Add(&client.Exchange{Recorded: client.Record{RequestHeader: http.Header{}}}, "", "y")
		}
		if got := fmt.Sprint(HoldThroughout("record", "y").Finding(tally).Condition); got != want {
			t.Errorf("got %s, want %s", got, want)
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
	for _, c := range []struct{ name, wrong, right, found string }{
		{"a value", "As Bs", "Ac Bc", "2 4 [sort settled_date]"},
		{"a header", "As Ac", "Bs Bc", "2 4 [a]"},
		{"an absence", "A- B-", "As Bc", "2 4 [no sort]"},
		{"one wrong answer", "As", "Ac Bc", "1 3 []"},
		{"nothing", "As Bc", "Ac Bs", "2 4 []"},
	} {
		var tally Tally
		for _, x := range sent(c.wrong) {
			tally.Add(x, "x", "y")
		}
		for _, x := range sent(c.right) {
			tally.Add(x, "", "y")
		}
		f := HoldThroughout("record", "y").Finding(tally)
		if got := fmt.Sprint(f.Failed, f.Attempts, f.Condition); got != c.found {
			t.Errorf("%s: got %q, want %q", c.name, got, c.found)
		}
	}
}

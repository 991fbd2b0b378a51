package matchers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
)

func TestAHeadlineNamesWhatSetsWrongAnswersApart(t *testing.T) {
	sent := func(header, body string) *client.Exchange {
		return &client.Exchange{Recorded: client.Record{
			RequestHeader: http.Header{header: {"one"}}, RequestBody: []byte(body),
		}}
	}
	const settled, created = `{"sort":"settled_date"}`, `{"sort":"quote_created_at"}`
	for _, c := range []struct {
		name         string
		wrong, right []*client.Exchange
		end          string
	}{
		{
			"a value",
			[]*client.Exchange{sent("A", settled), sent("B", settled)},
			[]*client.Exchange{sent("A", created), sent("B", created)},
			" in 2 of 4 answers, only with sort settled_date",
		},
		{
			"a header",
			[]*client.Exchange{sent("A", settled), sent("A", created)},
			[]*client.Exchange{sent("B", settled), sent("B", created)},
			" in 2 of 4 answers, only with a",
		},
		{
			"an absence",
			[]*client.Exchange{sent("A", "{}"), sent("B", "{}")},
			[]*client.Exchange{sent("A", settled), sent("B", created)},
			" in 2 of 4 answers, only without sort",
		},
		{
			"one wrong answer",
			[]*client.Exchange{sent("A", settled)},
			[]*client.Exchange{sent("A", created), sent("B", created)},
			" in 1 of 3 answers",
		},
		{
			"nothing",
			[]*client.Exchange{sent("A", settled), sent("B", created)},
			[]*client.Exchange{sent("A", created), sent("B", settled)},
			" in 2 of 4 answers",
		},
	} {
		var tally Tally
		for _, x := range c.wrong {
			tally.Add(x, "x", "y")
		}
		for _, x := range c.right {
			tally.Add(x, "", "y")
		}
		head, _, _ := strings.Cut(HoldThroughout("Record: ", "y").FailureMessage(tally), "\n")
		if want := "Record: x" + c.end + ", expected y"; head != want {
			t.Errorf("%s: got %q, want %q", c.name, head, want)
		}
	}
}

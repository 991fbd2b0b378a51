package matchers_test

import (
	"testing"

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

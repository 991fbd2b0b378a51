package matchers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	. "github.com/gateassay/gateassay/suites/matchers"
)

const (
	oneID   = `{"id": "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001"}`
	otherID = `{"id": "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c002"}`
)

func exchange(status int, body string) *client.Exchange {
	return &client.Exchange{Status: status, Body: []byte(body)}
}

func TestMakeNoSecondRecord(t *testing.T) {
	for _, c := range []struct {
		again *client.Exchange
		want  bool
	}{
		{exchange(409, ""), true},
		{exchange(200, oneID), true},
		{exchange(201, strings.ToUpper(oneID[7:])), false},
		{exchange(201, otherID), false},
		{exchange(202, ""), false},
		{exchange(302, ""), false},
		{exchange(400, ""), false},
		{exchange(500, ""), false},
	} {
		r := RepeatedCreation{First: exchange(http.StatusCreated, oneID), Repeat: c.again}
		if ok, err := MakeNoSecondRecord().Match(r); ok != c.want || err != nil {
			t.Errorf("%d %s: %v %v", c.again.Status, c.again.Body, ok, err)
		}
	}
}

func TestMakeOneRecord(t *testing.T) {
	conflict, throttled, silent := exchange(409, ""), exchange(429, ""), exchange(0, "")
	one, two := exchange(201, oneID), exchange(201, otherID)
	for name, c := range map[string]struct {
		answers []*client.Exchange
		want    bool
	}{
		"one and conflicts":   {[]*client.Exchange{conflict, one, conflict, throttled, silent}, true},
		"the same every time": {[]*client.Exchange{one, exchange(200, oneID)}, true},
		"two records":         {[]*client.Exchange{one, two}, false},
		"a nameless success":  {[]*client.Exchange{one, exchange(202, "")}, false},
		"a server error":      {[]*client.Exchange{one, exchange(500, "")}, false},
		"another refusal":     {[]*client.Exchange{one, exchange(422, "")}, true},
	} {
		if ok, err := MakeOneRecord().Match(c.answers); ok != c.want || err != nil {
			t.Errorf("%s: %v %v", name, ok, err)
		}
	}
}

func TestHoldThroughout(t *testing.T) {
	m := HoldForEveryAnswer("record", "a whole number")
	if ok, err := m.Match(RuleTally{Judged: 3}); !ok || err != nil {
		t.Errorf("nothing broken: %v %v", ok, err)
	}
	var tally RuleTally
	for i, c := range []struct{ want, actual string }{
		{"Record: a, expected a whole number", "a"},
		{"Record, 2 of 2: a, expected a whole number", "a in exchange 7, x\nb in exchange 7, x (2 of 2 " +
			"answers)"},
	} {
		x := exchange(201, "")
		x.Seq, x.Label = 7, "x"
		tally.AddAnswer(x, Flaw{Found: string(rune('a' + i))})
		if ok, err := m.Match(tally); ok || err != nil {
			t.Errorf("%v: %v %v", tally, ok, err)
		}
		if f, _ := m.Finding(tally); f.Sentence() != c.want || f.Actual != c.actual {
			t.Errorf("%s\n%+v", f.Sentence(), f)
		}
	}
}

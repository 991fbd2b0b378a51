package matchers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/testmust"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/target"
)

const (
	oneID   = `{"id": "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001"}`
	otherID = `{"id": "3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c002"}`
)

func exchange(status int, body string) *client.Exchange {
	return &client.Exchange{Status: status, Body: []byte(body)}
}

// repeated returns the answer to a creation after another one.
func repeated(first string, again *client.Exchange) target.Answer {
	return target.Answer{
		Exchange: again, Preceding: []*client.Exchange{exchange(http.StatusCreated, first)},
	}
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
		r := repeated(oneID, c.again)
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

func TestGiveTheRecordThatExists(t *testing.T) {
	const id = `"id":"3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001"`
	first := `{` + id +
		`,"name":"Ana","income":100,"pep":false,"created_at":"2025-01-02T03:04:05Z","document":{"number":"012"},"email":null,` +
		`"birth_date":"1990-01-02T00:00:00Z"}`
	for name, c := range map[string]struct {
		again   string // members after the id
		changed string
	}{
		"the same":                     {first[len(id)+1:], ""},
		"less of it":                   {`}`, ""},
		"a record without a part":      {`,"name":"Ana"}`, "document"},
		"more of it":                   {`,"email":"a@b.c","phone_number":"1"}`, ""},
		"a null says nothing":          {`,"name":null}`, ""},
		"the moment written otherwise": {`,"created_at":"2025-01-02T00:04:05.000-03:00"}`, ""},
		"another moment":               {`,"created_at":"2025-01-02T03:04:06Z"}`, "created_at"},
		"a day without its time":       {`,"birth_date":"1990-01-02"}`, ""},
		"another day":                  {`,"birth_date":"1990-01-03T00:00:00Z"}`, "birth_date"},
		"no moment":                    {`,"created_at":"yesterday"}`, "created_at"},
		"other values": {
			`,"document":{"number":"013"},"name":"Eva","income":101,"pep":true}`,
			"name, document.number, income, pep",
		},
		"a number written otherwise": {`,"income":100.00}`, ""},
		"values of another type": {
			`,"income":"100","pep":"false","name":["Ana"],"document":"012"}`, "",
		},
		// a duplicate key: another rule judges it
		"two objects": {`,"name":"Eva","name":"Ana"}`, ""},
	} {
		r := repeated(first, exchange(200, `{`+id+c.again))
		if ok, err := GiveTheRecordThatExists().Match(r); ok != (c.changed == "") || err != nil {
			t.Errorf("%s: matched %v, %v", name, ok, err)
		}
		f, _ := GiveTheRecordThatExists().Finding(r)
		testmust.Equal(t, f.Got, c.changed, name)
		testmust.Equal(t, f.Outcome, outcome.Changed, name)
	}
	unreadable := `{` + id + `,"name":"Eva","name":"Ana"}`
	for name, c := range map[string]struct {
		first string
		again *client.Exchange
	}{
		"another record": {
			first, exchange(201, `{"id":"3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c002","name":"Eva"}`),
		},
		"a conflict":                         {first, exchange(409, `{`+id+`,"name":"Eva"}`)},
		"no record":                          {first, exchange(200, `{"name":"Eva"}`)},
		"a first record that cannot be read": {unreadable, exchange(200, first)},
	} {
		r := repeated(c.first, c.again)
		if changed := ChangedFields(r); changed != nil {
			t.Errorf("%s: changed %v", name, changed)
		}
	}
}

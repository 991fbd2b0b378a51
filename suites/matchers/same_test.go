package matchers_test

import (
	"slices"
	"testing"

	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
)

func TestGiveTheRecordThatExists(t *testing.T) {
	const id = `"id":"3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001"`
	first := `{` + id +
		`,"name":"Ana","income":100,"pep":false,"created_at":"2025-01-02T03:04:05Z","document":{"number":"012"},"email":null,` +
		`"birth_date":"1990-01-02T00:00:00Z"}`
	for name, c := range map[string]struct {
		again   string
		status  int
		changed []string
	}{
		"the same":                     {first, 200, nil},
		"less of it":                   {`{` + id + `}`, 200, nil},
		"more of it":                   {`{` + id + `,"email":"a@b.c","phone_number":"1"}`, 200, nil},
		"a null says nothing":          {`{` + id + `,"name":null}`, 200, nil},
		"the moment written otherwise": {`{` + id + `,"created_at":"2025-01-02T00:04:05.000-03:00"}`, 200, nil},
		"another moment": {
			`{` + id + `,"created_at":"2025-01-02T03:04:06Z"}`, 200,
			[]string{"created_at"},
		},
		"a day without its time": {`{` + id + `,"birth_date":"1990-01-02"}`, 200, nil},
		"another day":            {`{` + id + `,"birth_date":"1990-01-03T00:00:00Z"}`, 200, []string{"birth_date"}},
		"no moment":              {`{` + id + `,"created_at":"yesterday"}`, 200, []string{"created_at"}},
		"other values": {
			`{` + id + `,"document":{"number":"013"},"name":"Eva","income":101,"pep":true}`, 201,
			[]string{"document.number", "income", "name", "pep"},
		},
		"a number written otherwise": {`{` + id + `,"income":100.00}`, 200, nil},
		"an id written otherwise":    {`{"id":"3F0A1A52-4B19-4C0E-9D8E-27A1F2F7C001"}`, 200, nil},
		"a value of another type": {
			`{` + id + `,"income":"100","pep":"false","name":["Ana"],"document":"012"}`,
			200, nil,
		},
		"another record": {`{"id":"3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c002","name":"Eva"}`, 201, nil},
		"a conflict":     {`{` + id + `,"name":"Eva"}`, 409, nil},
		"no record":      {`{"name":"Eva"}`, 200, nil},
		"two objects":    {`{` + id + `,"name":"Eva","name":"Ana"}`, 200, nil}, // a key twice: judged elsewhere
	} {
		r := Repetition{First: answer(201, first), Again: answer(c.status, c.again)}
		changed := r.Changed()
		slices.Sort(changed)
		if !slices.Equal(changed, c.changed) {
			t.Errorf("%s: changed %v, want %v", name, changed, c.changed)
		}
		if ok, err := GiveTheRecordThatExists().Match(r); ok != (len(c.changed) == 0) || err != nil {
			t.Errorf("%s: matched %v, %v", name, ok, err)
		}
	}
	broken := Repetition{First: answer(201, `{`+id+`,"name":"Eva","name":"Ana"}`), Again: answer(200, first)}
	if changed := broken.Changed(); changed != nil {
		t.Errorf("a first record that cannot be read: %v", changed)
	}
	r := Repetition{First: answer(201, first), Again: answer(200, `{`+id+`,"name":"Eva"}`)}
	if f := GiveTheRecordThatExists().Finding(r); f.Got != "name" || f.Outcome != record.Changed {
		t.Errorf("%+v", f)
	}
	if _, err := GiveTheRecordThatExists().Match(1); err == nil ||
		err.Error() != "the matcher judges matchers.Repetition, not int" {
		t.Errorf("judged a number: %v", err)
	}
}

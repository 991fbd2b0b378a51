package representative_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/testmust"
)

func plain() deployment.LegalRepresentative { return deployment.LegalRepresentative{} }

func body(t *testing.T, d representative.Draft, lr deployment.LegalRepresentative) string {
	t.Helper()
	out := testmust.Get(d.Body(lr))(t)
	if !json.Valid(out) {
		t.Fatalf("no JSON: %s", out)
	}
	return string(out)
}

func TestBodyKeepsTheDeploymentsSpelling(t *testing.T) {
	d := representative.Draft{}.With("document_number", "1").With("name", "n").
		With("address.city", "c").With("address.number", 5).With("zeta", 1).With("alpha", 2)
	for want, fields := range map[string]map[string]string{
		`{"alpha":2,"city":"c","cpf":"1","name":"n","number":5,"zeta":1}`: {
			"document_number": "cpf", "address.city": "city", "address.number": "number",
		},
		`{"address":{"number":5},"alpha":2,"person":{"home":{"city":"c"},"ids":{"cpf":"1"},"name":"n"},` +
			`"zeta":1}`: {
			"name": "person.name", "document_number": "person.ids.cpf", "address.city": "person.home.city",
		},
		// parts follow a mapped address
		`{"alpha":2,"document":{"number":"1"},"endereco":{"cidade":"c","number":5},"name":"n",` +
			`"zeta":1}`: {
			"address": "endereco", "address.city": "endereco.cidade",
		},
	} {
		testmust.Equal(t, body(t, d, deployment.LegalRepresentative{Fields: fields}), want, fields)
	}
}

func TestAddressAsAWhole(t *testing.T) {
	moved := deployment.LegalRepresentative{Fields: map[string]string{"address": "home.at"}}
	for want, d := range map[string]representative.Draft{
		`{}`:                             sample().Without("address"),
		`{"home":{"at":null}}`:           sample().With("address", nil),
		`{"home":{"at":{}}}`:             sample().With("address", map[string]any{}),
		`{"home":{"at":[1e6]}}`:          sample().With("address", []any{representative.RawJSON("1e6")}),
		`{"home":{"at":{"city":"N"}}}`:   sample().With("address", nil).With("address.city", "N"),
		`{"home":{"at":{"city":null}}}`:  sample().Without("address").With("address.city", nil),
		`{"home":{"at":{"x":"<é&'\""}}}`: sample().With("address", map[string]any{"x": "<é&'\""}),
	} {
		for _, logical := range creationfields.Names() {
			if !strings.HasPrefix(logical, "address") {
				d = d.Without(logical)
			}
		}
		testmust.Equal(t, body(t, d, moved), want)
	}
}

func TestNumbersGoOutExactly(t *testing.T) {
	for want, v := range map[string]any{
		"33.33": json.Number("33.33"), "0.01": representative.RawJSON("0.01"),
		"9007199254740991": int64(9007199254740991),
		"1e6":              representative.RawJSON("1e6"), "-0.01": json.Number("-0.01"),
		"1E+6":   json.Number("1E+6"),
		"0":      0,
		"100.50": json.Number("100.50"), `"50"`: representative.RawJSON(`"50"`),
		"null": nil, "true": true, "[1]": representative.RawJSON("[ 1 ]"),
	} {
		if got := body(t,
			representative.Draft{}.With("income", v), plain()); got != `{"income":`+want+`}` {
			t.Errorf("%v went out as %s", v, got)
		}
	}
}

func TestFieldTypes(t *testing.T) {
	as := func(kind string) deployment.LegalRepresentative {
		return deployment.LegalRepresentative{FieldTypes: map[string]string{"address.number": kind}}
	}
	cases := []struct {
		kind string
		v    any
		want string
	}{
		{"string", 12, `"12"`},
		{"string", json.Number("33.30"), `"33.30"`},
		{"string", "12", `"12"`},
		{"string", nil, `null`},
		{"string", true, `true`},
		{"string", representative.RawJSON("12"), `12`},
		{"number", "12", `12`},
		{"number", "0012", `12`},
		{"number", "000", `0`},
		{"number", "-1.5", `-1.5`},
		{"number", "12A", `"12A"`},
		{"number", "", `""`},
		{"number", "1.", `"1."`},
		{"number", " 1", `" 1"`},
		{"number", "true", `"true"`},
		{"number", representative.RawJSON(`"12"`), `"12"`},
		{"number", 12, `12`},
		{"", "12", `"12"`},
	}
	for _, c := range cases {
		if got := body(t, representative.Draft{}.With("address.number", c.v),
			as(c.kind)); got != `{"address":{"number":`+c.want+`}}` {
			t.Errorf("%#v as %q went out as %s, want %s", c.v, c.kind, got, c.want)
		}
	}
}

func TestBodyErrorsNameTheFields(t *testing.T) {
	for _, v := range []any{
		representative.RawJSON("{"), representative.RawJSON(""), json.Number("012"), func() {},
		[]any{representative.RawJSON("x")},
	} {
		if _, err := (representative.Draft{}).With("income", v).Body(plain()); err == nil ||
			!strings.Contains(err.Error(), "income") {
			t.Errorf("%T %v: %v", v, v, err)
		}
	}
}

package representative_test

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/testmust"
)

const shareholder = "6f1c1a52-8a3e-4f0e-9c55-0d7a4c3a9b11"

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func sample() representative.Draft {
	return representative.NewSample(seeded(1), "Gateassay ab12cd", shareholder)
}

func TestSampleIsCompleteAndPlausible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := representative.NewSample(seeded(rapid.Uint64().Draw(t, "seed")), "Gateassay ab12cd",
			shareholder)
		for _, logical := range creationfields.Names() {
			if !d.Has(logical) {
				t.Errorf("%s is missing", logical)
			}
		}
		for logical, pattern := range map[string]string{
			"name":                     `^Gateassay ab12cd [A-Za-z]+ [A-Za-z]+$`,
			"mother_name":              `^[A-Za-z ]+$`,
			"document_number":          `^[1-9]\d{10}$`,
			"phone_number":             `^\+55119\d{8}$`,
			"email":                    `^[a-z0-9.]+@example\.com$`,
			"birth_date":               `^19(6\d|7\d|8\d|9[0-5])-\d\d-\d\d$`,
			"relationship_start_date":  `^2020-\d\d-\d\d$`,
			"relationship_end_date":    `^2035-\d\d-\d\d$`,
			"registration_update_date": `^202[2-4]-\d\d-\d\d$`,
			"address.zip_code":         `^[1-9]\d{7}$`,
		} {
			if text, _ := d.Get(logical).(string); !regexp.MustCompile(pattern).MatchString(text) {
				t.Errorf("%s is %q", logical, text)
			}
		}
		if cpf := d.Get("document_number").(string); !representative.ValidCPF(cpf) {
			t.Errorf("CPF %s", cpf)
		}
	})
}

func TestSamplesDifferByMarkerAndByDraw(t *testing.T) {
	rng := seeded(7)
	a := representative.NewSample(rng, "run one", shareholder)
	b := representative.NewSample(rng, "run one", shareholder)
	c, again := representative.NewSample(seeded(7), "run two", shareholder),
		representative.NewSample(seeded(7), "run one", shareholder)
	for _, logical := range []string{"document_number", "email", "phone_number"} {
		if a.Get(logical) == b.Get(logical) {
			t.Errorf("two samples of a run share their %s", logical)
		}
		if a.Get(logical) == c.Get(logical) {
			t.Errorf("two runs with one seed share their %s", logical)
		}
		testmust.Equal(t, a.Get(logical),
			again.Get(logical), "the same seed and marker give another", logical)
	}
}

func TestAddressIsOneFieldAndItsParts(t *testing.T) {
	d := sample()
	if parts, _ := d.Get("address").(map[string]any); parts["city"] != d.Get("address.city") ||
		len(parts) != 8 {
		t.Errorf("parts %v", parts)
	}
	if gone := d.Without("address"); gone.Has("address") || gone.Has("address.city") ||
		gone.Get("address") != nil {
		t.Error("the address is still there")
	}
	if null := d.With("address", nil); !null.Has("address") || null.Has("address.city") {
		t.Error("null does not replace the object")
	}
	if part := d.With("address", "").With("address.city", "Natal"); len(
		part.Get("address").(map[string]any)) != 1 {
		t.Errorf("after a part is set: %v", part.Get("address"))
	}
}

func TestPersonalHoldsEveryTraceOfThePerson(t *testing.T) {
	d := sample().With("email", representative.RawJSON(`"raw@example.com"`)).With("document_number",
		json.Number("12345678909")).
		With("address", map[string]any{
			"street": "Rua Nova", "number": 4321, "deep": []string{"Casa dos fundos"},
			"federative_unit": "SP",
		})
	personal := d.PersonalValues()
	for _, want := range []string{
		d.Get("name").(string), d.Get("mother_name").(string), d.Get("phone_number").(string),
		"raw@example.com",
		"12345678909", "Rua Nova", "Casa dos fundos",
	} {
		if !slices.Contains(personal, want) {
			t.Errorf("%q is missing from %q", want, personal)
		}
	}
	if slices.Contains(personal, "SP") || slices.Contains(personal, "") {
		t.Errorf("%q holds a value that is everywhere", personal)
	}
	if slices.Contains(personal, "street") || slices.Contains(personal, "federative_unit") {
		t.Errorf("%q holds the name of a field", personal)
	}
	if !slices.IsSortedFunc(personal, func(a, b string) int { return len(b) - len(a) }) {
		t.Errorf("%q: the longest must come first", personal)
	}
}

func TestCPF(t *testing.T) {
	for cpf, want := range map[string]bool{
		"52998224725": true, "11144477735": true, "12345678909": true, "12345678900": false,
		"11111111111": false,
		"00000000000": false, "5299822472": false, "529.982.247-25": false, "5299822472x": false,
		"": false,
	} {
		testmust.Equal(t, representative.ValidCPF(cpf), want, cpf)
	}
	rapid.Check(t, func(t *rapid.T) {
		if cpf := representative.NewCPF(seeded(rapid.Uint64().Draw(t, "seed"))); !representative.ValidCPF(
			cpf,
		) {
			t.Errorf("made up %s", cpf)
		}
	})
}

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
			`"zeta":1}`: {"address": "endereco", "address.city": "endereco.cidade"},
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
		_, err := (representative.Draft{}).With("income", v).Body(plain())
		testmust.FailWith(t, err, "income", v)
	}
}

package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/representative"
)

const personCPF = "52998224725"

func TestJSONKeepsItsSpelling(t *testing.T) {
	r := New(&deployment.File{})
	for _, s := range []string{
		`{ "a" : 1e5,"a":1.50 , "b":[ true,null, "x\u00e9\/" ] }` + "\n", `[]`, `{"income":33.330,"x":{}}`, `"text"`,
		"\t[1,\n2]", `{"error":{"name":"phone_number"}}`, `{"phone_number":true}`, `{"name":null}`,
	} {
		if got := string(r.Body([]byte(s))); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	got := string(r.Body([]byte(`{"document":{"number":"529.982.247-25"},"address":{"number":12.5,` +
		`"zip_code":"01310-100"},"number":7,"phone_number":["+55 11 99999-0000"]}`)))
	for _, gone := range []string{"529.982", "12.5", "01310-100", "99999-0000"} {
		if strings.Contains(got, gone) {
			t.Errorf("%s is still in %s", gone, got)
		}
	}
	if !strings.Contains(got, `"number":7`) || !json.Valid([]byte(got)) {
		t.Error(got)
	}
	deep := bytes.Repeat([]byte(`{"a":`), 9000)
	deep = append(append(deep, '1'), bytes.Repeat([]byte("}"), 9000)...)
	if got := r.Body(deep); !bytes.Equal(got, deep) {
		t.Error("a deeply nested body changed")
	}
}

func TestPseudonymsKeepTheShape(t *testing.T) {
	p := newPseudonyms([]byte("key"))
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Z][a-z]{3,9} [A-Z][a-zãé]{3,9}`),
			rapid.StringMatching(`\d{11}`),
			rapid.StringMatching(`[a-z]{3,8}@[a-z]{3,8}\.com`), rapid.StringMatching(`gateassay-\d{5}`)).Draw(rt,
			"value")
		out := p.of(v)
		if out != p.of(v) || len(out) != len(v) {
			rt.Fatalf("%q became %q", v, out)
		}
		for i := range len(v) {
			if shape(v[i]) != shape(out[i]) || shape(v[i]) == 'x' && v[i] != out[i] {
				rt.Fatalf("%q became %q: another shape at %d", v, out, i)
			}
		}
		if representative.ValidCPF(v) != representative.ValidCPF(out) && cpfShape.MatchString(v) {
			rt.Fatalf("CPF %s became %s", v, out)
		}
		if _, domain, ok := strings.Cut(v, "@"); ok && mailShape.MatchString(v) &&
			!strings.HasSuffix(out, "@"+domain[strings.LastIndex(domain, "@")+1:]) {
			rt.Fatalf("%s became %s", v, out)
		}
		if strings.Contains(v, "gateassay-") && !strings.Contains(out, "gateassay-") {
			rt.Fatalf("%s became %s", v, out)
		}
	})
	if v := p.of(personCPF); !representative.ValidCPF(v) || v == personCPF {
		t.Error(v)
	}
	seen := map[string]bool{}
	for i := range 3000 {
		seen[p.of(fmt.Sprintf("%04d", i))] = true
	}
	if len(seen) != 3000 {
		t.Errorf("3000 values share %d pseudonyms", len(seen))
	}
	if a, b := p.of("Maria Silva"), newPseudonyms([]byte("another")).of("Maria Silva"); a == b {
		t.Error("two runs gave the same pseudonym")
	}
	next := time.Now().AddDate(2, 0, 0).Format(time.DateOnly)
	for _, d := range []string{"1981-03-17", "1996-02-29", next, "1990-12-31"} {
		out := p.of(d)
		was, _ := time.Parse(time.DateOnly, d)
		is, err := time.Parse(time.DateOnly, out)
		if err != nil || out == d || was.After(time.Now()) != is.After(time.Now()) ||
			strings.HasSuffix(d, "02-29") != strings.HasSuffix(out, "02-29") {
			t.Errorf("%s became %s", d, out)
		}
	}
	if out := p.of("1981-02-30"); !strings.HasSuffix(out, "-02-30") {
		t.Errorf("the day that does not exist is gone: %s", out)
	}
	for _, n := range []string{"10", "-7", "0.5", "1e5", "99.99E+2", "0"} {
		if out := p.ofNumber(n); !json.Valid([]byte(out)) || len(out) != len(n) {
			t.Errorf("%s became %s", n, out)
		}
	}
}

func shape(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'a' && c <= 'z':
		return 'a'
	case c >= 'A' && c <= 'Z':
		return 'A'
	}
	return 'x'
}

func TestAnyInputIsRedactedWithoutPanic(t *testing.T) {
	r := New(&deployment.File{})
	rapid.Check(t, func(rt *rapid.T) {
		b := rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Custom(func(t *rapid.T) []byte {
			return []byte(rapid.StringMatching(`[\{\["name:,\]\}0-9\\u%&;#]{0,40}`).Draw(t, "json"))
		})).Draw(rt, "body")
		r.Learn(b)
		before := json.Valid(b)
		if after := r.Body(b); before && !json.Valid(after) {
			rt.Fatalf("%q became %q", b, after)
		}
	})
}

// A number that a person is known by is found however a deployment writes it.
func TestNumbersOfAPersonInOtherNotations(t *testing.T) {
	for sent, echoes := range map[string][]string{
		personCPF:        {personCPF, "529.982.247-25"},
		"529.982.247-25": {personCPF},
		"+5511968371164": {
			"5511968371164", "11968371164", "(11) 968371164", "(11) 96837-1164", "+55 11 968371164",
			"+55 11 96837-1164",
		},
		"+551138371164": {"1138371164", "(11) 3837-1164"},
	} {
		r := New(&deployment.File{})
		r.Personal(sent)
		for _, echo := range echoes {
			got := r.Text("the number " + echo + " is known")
			if digits(got) == digits(echo) || len(got) != len("the number  is known")+len(echo) {
				t.Errorf("%s of %s became %q", echo, sent, got)
			}
		}
	}
}

func TestWordsOfAPersonInAddresses(t *testing.T) {
	r := New(&deployment.File{})
	r.Personal("Maria D'Ávila Souza", "Rua das Palmeiras")
	for _, form := range []string{
		"maria-d-ávila-souza", "maria-d-avila-souza", "Maria_D_Avila_Souza", "maria.d.avila.souza", "mariadavilasouza",
		"rua-das-palmeiras", "RuadasPalmeiras",
	} {
		at := &url.URL{Scheme: "https", Host: form + ".example", Path: "/people/" + form, RawQuery: "of=" + form}
		for _, text := range []string{r.Text("see " + form + " now"), r.Address(at)} {
			if strings.Contains(strings.ToLower(text), strings.ToLower(form)) {
				t.Errorf("%s remains in %s", form, text)
			}
		}
	}
	if r.Personal("a b c"); r.Text("abc") != "abc" {
		t.Error("what appears by chance is replaced")
	}
}

// A deployment writes what it was sent as its own systems keep it: without accents, in other letters, in pieces.
func TestValuesOfAPersonInOtherLetters(t *testing.T) {
	const name, phone, mail = "José d'Ávila Gonçalves", "+5511968371164", "jose.avila@example.com"
	r := New(&deployment.File{})
	r.Personal(name, phone, mail, personCPF)
	for _, echo := range []string{
		"JOSE D'AVILA GONCALVES", "jose d'avila goncalves", "José_d'Ávila_Gonçalves", "Jos\u00e9 D\u2019AVILA Gonçalves",
		"Jose\u0301 d'A\u0301vila Gonc\u0327alves", "Jos\xe9 d'\xc1vila Gon\xe7alves", "JoseDAvilaGoncalves",
		"Jose D&#39;Avila Goncalves", "jos%C3%A9+d%27%C3%81vila+gon%C3%A7alves", "+55-119.683-71164", "11.96837.1164",
		"JOSE.AVILA@EXAMPLE.COM", "Jose_Avila@example-com", "529-982.247 25",
	} {
		got := r.Text("a value, " + echo + ", of somebody")
		if strings.Contains(folded(got), folded(html.UnescapeString(echo))) || !strings.HasSuffix(got, ", of somebody") {
			t.Errorf("%q became %q", echo, got)
		}
		if plain, err := url.QueryUnescape(got); err == nil && strings.Contains(folded(plain), folded(name)) {
			t.Errorf("%q became %q", echo, got)
		}
	}
	for _, other := range []string{"Jose d'Avila Goncalo", "+5511968371165", "José", "2025-01-01T10:00:00.000Z"} {
		if got := r.Text(other); got != other {
			t.Errorf("%q became %q", other, got)
		}
	}
}

// An HTTP client capitalises the names of the headers that it reads, also what stands in them.
func TestWordsOfAPersonInTheNameOfAHeader(t *testing.T) {
	r := New(&deployment.File{})
	r.Personal("Maria Lúcia Cardoso")
	for name, left := range map[string]string{
		"X-Maria%20L%c3%bacia%20cardoso": "lucia", "X-Maria-L%C3%Bacia-Cardoso": "cardoso", "X-Request-Id": "",
		"X-Mariaa%20lucia": "",
	} {
		for got := range r.Header(http.Header{name: {"1"}}) {
			if left != "" && strings.Contains(strings.ToLower(got), left) || left == "" && got != name {
				t.Errorf("%q became %q", name, got)
			}
		}
	}
}

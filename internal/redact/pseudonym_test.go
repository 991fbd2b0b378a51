package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/representative"
)

const cpf = "52998224725"

func TestPseudonymsKeepTheShape(t *testing.T) {
	p := pseudonymiser{[]byte("key")}
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Z][a-z]{3,9} [A-Z][a-zãé]{3,9}`),
			rapid.StringMatching(`\d{11}`), rapid.StringMatching(`[a-z]{3,8}@[a-z]{3,8}\.com`),
			rapid.StringMatching(`gateassay-\d{5}`)).Draw(rt, "value")
		out := p.textPseudonym(v)
		if out != p.textPseudonym(v) || len(out) != len(v) {
			rt.Fatalf("%q became %q", v, out)
		}
		for i := range len(v) {
			if shape(v[i]) != shape(out[i]) || shape(v[i]) == 'x' && v[i] != out[i] {
				rt.Fatalf("%q became %q: another shape at %d", v, out, i)
			}
		}
		if representative.ValidCPF(v) != representative.ValidCPF(out) && cpfPattern.MatchString(v) {
			rt.Fatalf("CPF %s became %s", v, out)
		}
		if strings.Contains(v, "gateassay-") && !strings.Contains(out, "gateassay-") {
			rt.Fatalf("%s became %s", v, out)
		}
	})
	if v := p.textPseudonym(cpf); !representative.ValidCPF(v) || v == cpf {
		t.Error(v)
	}
	if a, b := p.textPseudonym("Maria Silva"),
		(pseudonymiser{[]byte("another")}).textPseudonym("Maria Silva"); a == b {
		t.Error("two runs gave the same pseudonym")
	}
	next := time.Now().AddDate(2, 0, 0).Format(time.DateOnly)
	for _, d := range []string{"1981-03-17", next, "1990-12-31"} {
		out := p.textPseudonym(d)
		was, _ := time.Parse(time.DateOnly, d)
		is, err := time.Parse(time.DateOnly, out)
		if err != nil || out == d || was.After(time.Now()) != is.After(time.Now()) {
			t.Errorf("%s became %s", d, out)
		}
	}
	if out := p.textPseudonym("1981-02-30"); !strings.HasSuffix(out, "-02-30") {
		t.Errorf("the day that does not exist is gone: %s", out)
	}
	for _, n := range []string{"10", "-7", "0.5", "1e5", "99.99E+2", "0"} {
		if out := p.numberPseudonym(n); !json.Valid([]byte(out)) {
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

package lab_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/target"
)

const optional = `
fixtures:
  shareholder_id: 1b4e28ba-2fa1-41d2-883f-0016d3cca427
  product_id: 9d1c7c1e-6a3c-4b52-8f0e-5d8a1f2b3c4d
  target_user_id: 2f0b6f0e-5b0a-4d6d-9c3a-7e1f2a3b4c5d
legal_representative: {headers: {language: x-lang, on_behalf_of: x-product-target-user-uuid}}
`

// refusing answers 400 to the requests that some selects, and accepts all others.
func refusing(some func(sent) bool) func(sent) (int, string) {
	return func(s sent) (int, string) {
		if some(s) {
			return 400, "{}"
		}
		return 201, created
	}
}

// badEmail sends a creation that is invalid in every configuration, and returns the smallest
// configuration in which it is accepted.
func badEmail(t *testing.T, c *lab.Lab) (target.Answer, design.Configuration) {
	t.Helper()
	a := testmust.Get(c.SendInConfigurations(t.Context(), lab.Probe{
		Operation: client.OperationCreate, Configurations: c.AllConfigurations(client.OperationCreate),
		Edit: func(r *target.Request) { r.SetField("email", "bad") },
	}))(t)
	return a, a.Condition
}

func TestTheOptionThatAFailureTakesIsNamed(t *testing.T) {
	for header, value := range map[string]string{
		"X-Lang": "pt-BR", "X-Product-Uuid": "9d1c7c1e-6a3c-4b52-8f0e-5d8a1f2b3c4d",
	} {
		c, _, _ := controls(t, optional, refusing(func(s sent) bool {
			return s.text("email") == "bad" && s.header.Get(header) != value
		}))
		if a, condition := badEmail(t, c); !a.IsSuccess() || len(condition) != 1 ||
			condition[0].Factor != strings.ToLower(header) {
			t.Errorf("%s: %s, %q", header, a, condition)
		}
	}
	c, _, _ := controls(t, optional, always(201, created))
	if a, condition := badEmail(t, c); !a.IsSuccess() || len(condition) > 0 {
		t.Errorf("accepted always: %q", condition)
	}
}

// A deployment without products has no finding for refusing one.
func TestAnOptionThatIsRefusedIsDroppedAndNoted(t *testing.T) {
	c, _, _ := controls(t, optional, refusing(func(s sent) bool {
		return s.text("email") == "bad" || s.header.Get("X-Product-Uuid") != ""
	}))
	if a, condition := badEmail(t, c); !a.IsClientError() || len(condition) > 0 {
		t.Errorf("%s, %q", a, condition)
	}
	if dropped := fmt.Sprint(c.ExcludedOptions()); !strings.Contains(dropped, "x-product-uuid") ||
		strings.Contains(dropped, "x-lang") {
		t.Errorf("dropped: %q", dropped)
	}
}

// Options that are accepted alone and refused together are a finding. They do not stop other
// rules from being judged.
func TestOptionsThatAreRefusedTogetherAreNamed(t *testing.T) {
	for _, clashes := range []bool{true, false} {
		c, _, _ := controls(t, optional, refusing(func(s sent) bool {
			return clashes && s.header.Get("X-Product-Uuid") != "" && s.header.Get("X-Lang") != ""
		}))
		found := ""
		for _, config := range c.AllConfigurations(client.OperationCreate) {
			in := testmust.Get(c.ObserveControl(client.OperationCreate, config).Get(t.Context()))(t)
			if in.WronglyRefused != nil {
				found += design.Configuration(in.WronglyRefused.Condition).String() + "; "
			}
		}
		if (strings.Contains(found, "x-product-uuid") && strings.Contains(found, "x-lang")) != clashes {
			t.Errorf("clashes: %t, found %q", clashes, found)
		}
	}
}

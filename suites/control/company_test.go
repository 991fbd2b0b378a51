package control_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/target"
)

const partners = `
fixtures:
  shareholder_id: 1b4e28ba-2fa1-41d2-883f-0016d3cca427
  product_id: 9d1c7c1e-6a3c-4b52-8f0e-5d8a1f2b3c4d
  target_user_id: 2f0b6f0e-5b0a-4d6d-9c3a-7e1f2a3b4c5d
`

// A deployment that knows no product accuses itself of nothing.
func TestPartnersThatAreRefusedAreDroppedAndNoted(t *testing.T) {
	c, _, _ := controls(t, partners, func(s sent) (int, string) {
		if s.header.Get("X-Product-Uuid") != "" {
			return 400, "{}"
		}
		return 201, `{"file_id":"a"}`
	})
	var all control.Company
	for _, r := range control.Accompanied(client.Export) {
		all = append(all, c.Company(t.Context(), client.Export, r)...)
	}
	if dropped := fmt.Sprint(c.Dropped()); !strings.Contains(dropped, "x-product-uuid") || strings.Contains(dropped, "x-lang") {
		t.Errorf("dropped: %q", dropped)
	}
	if all.Has(target.HeaderProduct) || !all.Has("x-lang") {
		t.Errorf("kept: %s", all)
	}
}

// What is accepted alone and refused beside something that has nothing to do with it is found, once.
func TestWhatIsRefusedOnlyTogether(t *testing.T) {
	english := func(s sent) bool { return s.header.Get("X-Lang") == "en-US" }
	for name, c := range map[string]struct {
		refused func(sent) bool
		only    string // empty: nothing is found
	}{
		"an order beside a language": {
			func(s sent) bool { return english(s) && s.text("order") == "asc" },
			"[x-lang en-US order asc]",
		},
		"an order": {func(s sent) bool { return s.text("order") == "asc" }, ""},
		"a language beside a product": {
			func(s sent) bool { return english(s) && s.header.Get("X-Product-Uuid") != "" },
			"[x-lang en-US x-product-uuid]",
		},
		"nothing": {func(sent) bool { return false }, ""},
	} {
		controls, _, _ := controls(t, partners, func(s sent) (int, string) {
			if c.refused(s) {
				return 400, "{}"
			}
			return 201, `{"file_id":"a"}`
		})
		var found []string
		for _, r := range []control.Row{control.First, control.Second} {
			if j, err := controls.Joint(client.Export, r).Get(t.Context()); err != nil {
				t.Fatal(err)
			} else if j.Refused != nil {
				found = append(found, fmt.Sprint(j.Refused.Condition))
			}
		}
		if strings.Join(found, "; ") != c.only {
			t.Errorf("%s: %q, expected %q", name, found, c.only)
		}
	}
}

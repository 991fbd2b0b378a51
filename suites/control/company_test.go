package control_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

const partners = `
fixtures:
  shareholder_id: 1b4e28ba-2fa1-41d2-883f-0016d3cca427
  product_id: 9d1c7c1e-6a3c-4b52-8f0e-5d8a1f2b3c4d
  target_user_id: 2f0b6f0e-5b0a-4d6d-9c3a-7e1f2a3b4c5d
`

func TestEachRuleMeetsEveryRow(t *testing.T) {
	c, _, _ := controls(t, partners, always(201, created))
	all := control.Accompanied(client.Create)
	for _, n := range []int{1, 2, 3, 5} {
		var met []control.Row
		for _, own := range c.Rows(all, "create.required.email", n, true) {
			met = append(met, own...)
		}
		for _, r := range append(all, control.Plain) {
			if !slices.Contains(met, r) {
				t.Errorf("%d requests miss row %d", n, r)
			}
		}
		if most := max(n, len(all)+1); len(met) != most {
			t.Errorf("%d requests of a rule are %d, expected %d", n, len(met), most)
		}
	}
	rows := c.Rows(all[:2], "create.body.none", 1, false)
	if len(rows) != 1 || len(rows[0]) != 2 || slices.Contains(rows[0], control.Plain) {
		t.Errorf("one request of a rule that is not sent plain meets %v", rows)
	}
	if rows := c.Rows(all, "create.body.none", 0, true); len(rows) != 0 {
		t.Errorf("no request of a rule meets %v", rows)
	}
}

// Wherever a header stands beside, everything is accepted.
func besideHeader(name, value string) func(sent) (int, string) {
	return func(s sent) (int, string) {
		if s.text("email") == "bad" && s.header.Get(name) != value {
			return 400, "{}"
		}
		return 201, created
	}
}

func beside(t *testing.T, c *control.Controls) target.Answer {
	t.Helper()
	rejected := func(a target.Answer) bool { return a.Refusal() }
	rows := []control.Row{control.Plain, control.First, control.Second}
	a, err := c.Answer(t.Context(), client.Create, rows, rejected, func(with control.Company) (target.Answer, error) {
		return c.Creations(t.Context(), target.AboutField, with, func(c *target.Creation) { *c = c.With("email", "bad") })
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestThePartnerThatAFailureTakesIsNamed(t *testing.T) {
	for header, value := range map[string]string{
		"X-Lang": "pt-BR", "X-Product-Target-User-Uuid": "2f0b6f0e-5b0a-4d6d-9c3a-7e1f2a3b4c5d",
		"X-Product-Uuid": "9d1c7c1e-6a3c-4b52-8f0e-5d8a1f2b3c4d",
	} {
		c, _, _ := controls(t, partners, besideHeader(header, value))
		if a := beside(t, c); !a.Success() || len(a.Condition) != 1 || a.Condition[0].Factor != strings.ToLower(header) {
			t.Errorf("%s: %s, %q", header, target.Describe(a.Exchange), a.Condition)
		}
	}
	c, _, _ := controls(t, partners, always(201, created))
	if a := beside(t, c); !a.Success() || len(a.Condition) > 0 {
		t.Errorf("accepted always: %q", a.Condition)
	}
}

// A deployment that knows no product accuses itself of nothing.
func TestPartnersThatAreRefusedAreDroppedAndNoted(t *testing.T) {
	c, _, d := controls(t, partners, func(s sent) (int, string) {
		if s.text("email") == "bad" || s.header.Get("X-Product-Uuid") != "" {
			return 400, "{}"
		}
		return 201, created
	})
	if a := beside(t, c); !a.Refusal() || len(a.Condition) > 0 {
		t.Errorf("%s, %q", target.Describe(a.Exchange), a.Condition)
	}
	dropped := c.Dropped()
	if !slices.ContainsFunc(dropped, func(s string) bool { return strings.Contains(s, "x-product-uuid") }) {
		t.Errorf("dropped: %q", dropped)
	}
	if slices.ContainsFunc(dropped, func(s string) bool { return strings.Contains(s, "x-lang") }) {
		t.Errorf("dropped what is accepted: %q", dropped)
	}
	english := func(s sent) bool { return s.text("email") == "bad" && s.header.Get("X-Lang") != "" }
	if !slices.ContainsFunc(d.seen(), english) {
		t.Error("what is accepted stands beside no request")
	}
}

// What is accepted alone and refused together is not a reason to judge nothing by it: it is a finding.
func TestPartnersThatClashAreNamed(t *testing.T) {
	together := func(s sent) bool { return s.header.Get("X-Product-Uuid") != "" && s.header.Get("X-Lang") != "" }
	for _, clashes := range []bool{true, false} {
		c, _, _ := controls(t, partners, func(s sent) (int, string) {
			if clashes && together(s) {
				return 400, "{}"
			}
			return 201, created
		})
		var found string
		for _, r := range control.Accompanied(client.Create) {
			joint, err := c.Joint(client.Create, r).Get(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if joint.Refused != nil {
				found += fmt.Sprint(joint.Refused.Condition)
			}
		}
		if (strings.Contains(found, "x-product-uuid") && strings.Contains(found, "x-lang")) != clashes {
			t.Errorf("clashes: %t, found %q", clashes, found)
		}
	}
}

// A third row of creations has no headers, and what decides for whom a request runs can be left out of the others.
func TestScopeCanBeLeftOut(t *testing.T) {
	c, _, _ := controls(t, partners, always(201, created))
	for _, r := range control.Accompanied(client.Create) {
		company := c.Company(t.Context(), client.Create, r)
		if text := company.Unscoped().String(); strings.Contains(text, "product") || text == "" {
			t.Errorf("row %d without a scope: %q", r, text)
		}
		if scoped := strings.Contains(company.String(), "x-product-uuid"); scoped == (r == control.Third) {
			t.Errorf("row %d: %s", r, company)
		}
	}
}

// What cannot be seen in company is seen without it.
func TestACompanyHidesNothing(t *testing.T) {
	c, _, _ := controls(t, partners, always(201, created))
	got, only, err := control.Beside(t.Context(), c, client.Create, []control.Row{control.First},
		func(text string) bool { return text == "right" }, func(with control.Company) (string, error) {
			if len(with) > 0 {
				return "", errors.New("no answer")
			}
			return "right", nil
		})
	if got != "right" || len(only) > 0 || err != nil {
		t.Errorf("%q, %q, %v", got, only, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = control.Beside(ctx, c, client.Create, []control.Row{control.First}, func(string) bool { return true },
		func(control.Company) (string, error) { return "", ctx.Err() })
	if err == nil {
		t.Error("an interrupt is lost")
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

// The headers of creations are named by the deployment file, those of exports by the document.
func TestPartnersAreNamedAfterTheirOperation(t *testing.T) {
	const own = "legal_representative: {headers: {language: x-tongue, on_behalf_of: x-acting-for}}\n"
	c, _, _ := controls(t, partners+own, always(201, `{"id":"1b4e28ba-2fa1-41d2-883f-0016d3cca427","file_id":"a"}`))
	creation, export := []string{"x-tongue en-US", "x-acting-for"}, []string{"x-lang en-US", target.HeaderTarget}
	for op, names := range map[client.Operation][2][]string{
		client.Create: {creation, export}, client.Export: {export, creation},
	} {
		var all control.Company
		for _, r := range control.Accompanied(op) {
			all = append(all, c.Company(t.Context(), op, r)...)
		}
		for i, name := range names[0] {
			if !all.Has(name) || all.Has(names[1][i]) {
				t.Errorf("%s: %s, expected %s", op, all, name)
			}
		}
	}
	setting := func(factor, value string) record.Setting {
		return record.Setting{Factor: factor, Value: value}
	}
	either := []record.Setting{setting("the language", "en-US"), setting("a target user", "")}
	for _, of := range [][]record.Setting{
		{setting("x-tongue", "en-US"), setting("x-acting-for", "")},
		{setting("x-lang", "en-US"), setting(target.HeaderTarget, "")},
	} {
		if got := c.Either(of); !slices.Equal(got, either) {
			t.Errorf("%q for both operations: %q, expected %q", of, got, either)
		}
	}
	same, _, _ := controls(t, partners, always(201, created))
	english := []record.Setting{setting("x-lang", "en-US")}
	if got := same.Either(english); !slices.Equal(got, english) {
		t.Errorf("a header of one name: %q", got)
	}
}

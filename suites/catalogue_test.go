package suites_test

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/target"
)

// Every rule of the catalogue has a check. That a check names no unknown rule is refused when the plan is built.
func TestEveryRuleHasACheck(t *testing.T) {
	embedded, err := suites.StartEmbedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer embedded.Close()
	c, err := client.New(embedded.Deployment, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	checked := map[string]int{}
	texts := map[string]bool{}
	for _, check := range suites.Build(target.New(embedded.Deployment, c, 1)).Checks() {
		checked[check.Rule.ID]++
		if texts[check.Text()] {
			t.Errorf("two checks are called %q", check.Text())
		}
		texts[check.Text()] = true
	}
	for _, r := range rules.All() {
		if checked[r.ID] == 0 {
			t.Errorf("no check verifies %s", r.ID)
		}
	}
}

// What rules say they need are keys of the deployment file: the embedded gateway's file gives every one.
func TestNeedsAreKeys(t *testing.T) {
	embedded, err := suites.StartEmbedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer embedded.Close()
	c, err := client.New(embedded.Deployment, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	gw := target.New(embedded.Deployment, c, 1)
	for _, r := range rules.All() {
		if err := gw.Unmet(r); err != nil {
			t.Errorf("%s: %v", r.ID, err)
		}
	}
}

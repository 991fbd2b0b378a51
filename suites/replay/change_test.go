package replay

import (
	"net/url"
	"reflect"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// Each change changes what its cell says, and nothing else that is compared; one that builds on another one is held
// against what it repeats.
func TestAChangeChangesWhatItsCellSays(t *testing.T) {
	s := bare(t)
	for _, m := range rules.Modes() {
		cells := map[string]bool{}
		for _, c := range s.changes() {
			if !c.tried(m) {
				continue
			}
			cells[c.cell] = cells[c.cell] || c.rule == ""
			first := s.request(m, c.words)
			for _, other := range s.members(m, c.group, nil) {
				if other.first != nil {
					other.first(&first)
				}
			}
			e, before := earlier{first: first}, first
			if on := s.named(c.after); on != nil {
				e.last = on.apply(e)
				if c.cell == "same" {
					before = e.last
				}
			}
			got, cell := c.apply(e), c.of()
			for part, changed := range map[string][2]bool{
				"nonce":          {cell.Nonce, got.Nonce != before.Nonce},
				"transaction ID": {cell.Transaction, got.Transaction != before.Transaction},
				"query":          {cell.Query, text(got.Query) != text(before.Query)},
				"user":           {cell.User, c.rule != sameUser && got.Credential != before.Credential},
				"mode":           {c.rule == bothSpellings, got.Mode != before.Mode},
			} {
				if changed[0] != changed[1] {
					t.Errorf("%s, a request that %s: the %s changes: %t", called(m), c.words, part, changed[1])
				}
			}
			if moved := c.group == "a field in the query"; reflect.DeepEqual(got.Fields, before.Fields) == (cell.Body || moved) {
				t.Errorf("%s, a request that %s: body %v became %v", called(m), c.words, before.Fields, got.Fields)
			}
		}
		for _, cell := range rules.Cells() {
			if !cells[cell.Name] {
				t.Errorf("%s: nothing is tried of %s", called(m), cell.Name)
			}
		}
	}
}

func text(q url.Values) string { return q.Encode() }

// bare is a suite that sends nothing.
func bare(t *testing.T) *Suite {
	t.Helper()
	dep := &deployment.File{BaseURL: "http://gateway.example"}
	dep.Fixtures.ProductID, dep.Fixtures.OtherWalletID = target.UUID(), target.UUID()
	dep.Credentials.OtherUser, dep.Credentials.APIKey = &deployment.Credential{}, &deployment.Credential{}
	c, err := client.New(dep, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return New(nil, target.New(dep, c, 1), nil)
}

// What a run says of how far it looked back is the same in runs that are alike, so that comparisons show nothing.
func TestStepBelow(t *testing.T) {
	for x, want := range map[float64]float64{
		0: 0, 0.9: 0, 1: 1, 2.6: 2, 4.99: 2, 7: 5, 10: 10, 484: 200, 495: 200, 1000: 1000,
	} {
		if got := stepBelow(x); got != want {
			t.Errorf("%g: got %g, want %g", x, got, want)
		}
	}
}

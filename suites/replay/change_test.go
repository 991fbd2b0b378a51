package replay

import (
	"reflect"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/target"
)

// Each change changes what its cell says, and nothing else that is compared; one that builds on another one is held
// against what it repeats.
func TestAChangeChangesWhatItsCellSays(t *testing.T) {
	dep := &deployment.File{BaseURL: "http://gateway.example"}
	dep.Fixtures.ProductID, dep.Fixtures.OtherWalletID = target.NewUUID(), target.NewUUID()
	dep.Credentials.OtherUser, dep.Credentials.APIKey = &deployment.Credential{}, &deployment.Credential{}
	c := testmust.Get(client.New(dep, client.Options{}))(t)
	defer c.Close()
	s := New(nil, target.New(dep, c, 1), nil)
	for _, m := range rules.ReplayModes() {
		cells := map[string]bool{}
		for _, c := range s.table {
			if !c.possible(m) {
				continue
			}
			cells[c.cell] = cells[c.cell] || c.rule == ""
			first := s.t.NewExport(c.words, s.t.UniqueBounds(c.words))
			first.Mode, first.Transaction = m.Header, target.NewUUID()
			for _, other := range s.table {
				if other.possible(m) && other.group == c.group && other.first != nil {
					other.first(&first)
				}
			}
			before, last := first, first
			if on := s.named(c.after); on != nil {
				if last = on.repeat(first, first); c.cell == "same" && (c.edit != nil || c.last != nil) {
					before = last
				}
			}
			got, cell := c.repeat(first, last), c.of()
			for part, changed := range map[string][2]bool{
				"nonce":          {cell.Nonce, got.Nonce != before.Nonce},
				"transaction ID": {cell.Transaction, got.Transaction != before.Transaction},
				"query":          {cell.Query, got.Query.Encode() != before.Query.Encode()},
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
		for _, cell := range rules.RepeatKinds() {
			if !cells[cell.Name] {
				t.Errorf("%s: nothing is tried of %s", called(m), cell.Name)
			}
		}
	}
}

package replay

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// A repetition whose rule nobody declares would be sent and judged by nobody.
func TestARepetitionNeedsADeclaredRule(t *testing.T) {
	dep := &deployment.File{BaseURL: "http://gateway.example"}
	c := testmust.Get(client.New(dep, client.Options{}))(t)
	defer c.Close()
	p, subject := spec.New(spec.Options{}), target.New(dep, c, 1)
	s := New(p, subject, lab.New(p, subject))
	s.table = append(s.table, repetition{cell: "same", description: "is alone", rule: "replay.alone"})
	defer func() { testmust.Contain(t, fmt.Sprint(recover()), "nobody declares replay.alone") }()
	s.Declare()
}

// Each repetition changes what its cell says, and nothing else that is compared. One that
// follows another is compared with what it repeats.
func TestARepetitionChangesWhatItsCellSays(t *testing.T) {
	dep := &deployment.File{BaseURL: "http://gateway.example"}
	dep.Fixtures.ProductID, dep.Fixtures.OtherWalletID = target.NewUUID(), target.NewUUID()
	dep.Credentials.OtherUser = &deployment.Credential{}
	dep.Credentials.APIKey = &deployment.Credential{}
	c := testmust.Get(client.New(dep, client.Options{}))(t)
	defer c.Close()
	s := New(nil, target.New(dep, c, 1), nil)
	for _, m := range rules.ReplayModes() {
		cells := map[string]bool{}
		for _, r := range s.table {
			if !r.appliesTo(m) {
				continue
			}
			cells[r.cell] = cells[r.cell] || r.rule == ""
			first := s.target.NewExport(r.description, s.target.UniqueBounds(r.description))
			first.Mode, first.Transaction = m.Header, target.NewUUID()
			for _, other := range s.table {
				if other.appliesTo(m) && other.group == r.group && other.prepare != nil {
					other.prepare(&first)
				}
			}
			before, followed := first, first
			if f := s.findRepetition(r.follows); f != nil {
				if followed = f.buildRepeat(first, first); r.cell == "same" && r.editAfter != nil {
					before = followed
				}
			}
			got, cell := r.buildRepeat(first, followed), rules.RepeatKind{}
			for _, one := range rules.RepeatKinds() {
				if one.Name == r.cell {
					cell = one
				}
			}
			user := got.Credential != before.Credential
			for part, changed := range map[string][2]bool{
				"nonce":          {cell.Nonce, got.Nonce != before.Nonce},
				"transaction ID": {cell.Transaction, got.Transaction != before.Transaction},
				"query":          {cell.Query, got.Query.Encode() != before.Query.Encode()},
				"user":           {cell.User, r.rule != ruleSameUser && user},
				"mode":           {r.rule == ruleBothSpellings, got.Mode != before.Mode},
			} {
				if changed[0] != changed[1] {
					t.Errorf("%s, a request that %s: the %s changes: %t",
						modeLabel(m), r.description, part, changed[1])
				}
			}
			changes := cell.Body || r.group == "a field in the query"
			if reflect.DeepEqual(got.Fields, before.Fields) == changes {
				t.Errorf("%s, a request that %s: body %v became %v",
					modeLabel(m), r.description, before.Fields, got.Fields)
			}
		}
		for _, cell := range rules.RepeatKinds() {
			if !cells[cell.Name] {
				t.Errorf("%s: nothing is tried of %s", modeLabel(m), cell.Name)
			}
		}
	}
}

// A script draws a bound anew. The bound that a repetition moves has to stay as close to it.
func TestAScriptMovesABoundAsFarAsTheRun(t *testing.T) {
	dep := &deployment.File{BaseURL: "http://gateway.example"}
	c := testmust.Get(client.New(dep, client.Options{}))(t)
	defer c.Close()
	s := New(nil, target.New(dep, c, 1), nil)
	call := s.target.NewExport("export", s.target.UniqueBounds("export"))
	for bound, by := range map[string]time.Duration{"date_start": 0, "date_end": time.Second} {
		s.moveBound(&call, bound, by)
		want := reproscript.DrawnText{
			Text: call.Fields[bound].(string), Kind: reproscript.DrawnInstant,
		}
		if drawn := s.target.BuildRequest(call).Drawn; !slices.Contains(drawn, want) {
			t.Errorf("%s: %v is not among %v", bound, want, drawn)
		}
	}
}

package create

import (
	"context"
	"fmt"
	"strings"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/target"
)

// answered is one accepted creation: what was sent and what came back.
type answered struct {
	what   string
	x      *client.Exchange
	sent   representative.Draft
	record *representative.Record // nil: the body is no JSON object
	fault  error                  // why there is no record
}

func read(what string, x *client.Exchange, sent target.Creation) answered {
	a := answered{what: what, x: x, sent: sent.Draft}
	a.record, a.fault = representative.Parse(x.Body)
	return a
}

// where points to the answer in messages.
func (a answered) where() string { return fmt.Sprintf("exchange %d, %s", a.x.Seq, a.what) }

// holdsRecord tells whether the answer shows a representative at all, be it broken: any field of one.
func (a answered) holdsRecord() bool {
	if a.record == nil {
		return false
	}
	for _, f := range rules.RecordFields() {
		top, _, _ := strings.Cut(f.Path, ".")
		if top == "id" { // any answer may have one
			continue
		}
		if a.record.Type(top) != "absent" {
			return true
		}
	}
	return false
}

// parent is the object that a field lies in: "document", "address", or "" for the record itself.
func parent(path string) string {
	inside, _, nested := strings.Cut(path, ".")
	if !nested {
		return ""
	}
	return inside
}

// answers collects the control's answer and those of all other valid creations that were made in this run. Creations
// that other checks did not ask for are not made for this.
func (s *suite) answers(ctx context.Context) []answered {
	base := s.c.Creation.Await(ctx)
	all := []answered{read("the valid creation", base.Exchange, base.Sent)}
	for _, v := range s.made {
		if !v.seen.Launched() {
			continue
		}
		if m, ok := v.seen.Settled(ctx); ok && m.Success() {
			a := read(v.what, m.Exchange, m.Sent)
			if !sameRecord(all[0], a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// records are the answers that hold a record. When the control's does not, the check ends: another rule tells why.
func (s *suite) records(ctx context.Context) []answered {
	all := s.answers(ctx)
	s.needRecord(all[0])
	var kept []answered
	for _, a := range all {
		if a.holdsRecord() {
			kept = append(kept, a)
		}
	}
	return kept
}

func (s *suite) needRecord(a answered) {
	switch {
	case a.record == nil:
		s.p.NotVerified("", "the answer is no JSON object, see create.success.json")
	case !a.holdsRecord():
		s.p.NotVerified("", "the answer shows no field of a record, see create.success.fields")
	}
}

// sameRecord tells that a creation was answered with the control's record, as if it were a repeat. Two records that
// only share an ID are none.
func sameRecord(base, other answered) bool {
	if base.record == nil || other.record == nil || base.x == other.x {
		return false
	}
	for _, path := range []string{"id", "document.number"} {
		one, ok := base.record.Get(path)
		two, _ := other.record.Get(path)
		if !ok || one == nil || fmt.Sprint(one) != fmt.Sprint(two) {
			return false
		}
	}
	return true
}

// throughout judges one rule on many answers. judge returns what is wrong, and whether the answer could be judged.
func (s *suite) throughout(answers []answered, headline, expected string, judge func(answered) (wrong string, judged bool)) {
	var tally matchers.RecordTally
	for _, a := range answers {
		wrong, judged := judge(a)
		if !judged {
			continue
		}
		tally.Judged++
		if wrong != "" {
			tally.Broken = append(tally.Broken, s.t.Client.Redactor().Text(wrong)+" in "+a.where())
		}
	}
	s.p.Attempts(tally.Judged, len(tally.Broken))
	gomega.Expect(tally).To(matchers.HoldThroughout(headline, expected))
	if tally.Judged == 0 {
		s.p.NotVerified("", "no answer shows it, see create.success.fields")
	}
}

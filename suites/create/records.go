package create

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// answered is one accepted creation: what was sent and what came back.
type answered struct {
	x        *client.Exchange
	sent     representative.Draft   // of a valid creation
	ordinary representative.Draft   // what of it no rule made odd
	record   *representative.Record // nil: the body is not a JSON object
	fault    error                  // why there is no record
}

func (s *Suite) read(a target.Answer) answered {
	r := answered{x: a.Exchange}
	if a.Creation != nil {
		r.sent = a.Creation.Draft
	}
	r.ordinary, _ = s.t.Ordinary(a.Exchange)
	if r.record, r.fault = representative.Parse(a.Body); r.record != nil {
		members := []string{"person_type"}
		for _, f := range RecordFields() {
			top, _, _ := strings.Cut(f.Path, ".")
			members = append(members, top)
		}
		r.record.Slim(members) // many are kept
	}
	return r
}

// valid reports whether the creation was meant to be accepted.
func (a answered) valid() bool { return len(a.sent.Names()) > 0 }

// holdsRecord reports whether the answer shows a representative at all, be it broken: any field of one.
func (a answered) holdsRecord() bool {
	if a.record == nil {
		return false
	}
	for _, f := range RecordFields() {
		top, _, _ := strings.Cut(f.Path, ".")
		if top != "id" && a.record.Type(top) != "absent" { // any answer may have an id
			return true
		}
	}
	return false
}

// shows reports whether the record has the object that a field lies in.
func (a answered) shows(path string) bool {
	inside, _, nested := strings.Cut(path, ".")
	return !nested || a.record.Type(inside) == "object"
}

// found describes a field for a message.
func (a answered) found(path string) string {
	if value, there := a.record.Get(path); there {
		return path + " is " + Shown(path, value)
	}
	return path + " is absent"
}

// lacks reports whether a field is absent or null. The objects around fields have rules of their own, unless the answer
// holds no record at all.
func (a answered) lacks(path string) bool {
	if a.holdsRecord() && !a.shows(path) {
		return false
	}
	found := a.record.Type(path)
	return found == "absent" || found == "null"
}

// form lists the status and the JSON types of the documented fields.
func (a answered) form() []string {
	list := []string{fmt.Sprint("status ", a.x.Status)}
	for _, f := range RecordFields() {
		list = append(list, f.Path+" "+a.record.Type(f.Path))
	}
	return list
}

// everything is every answer that can be judged once all was sent: valid creations, whatever came, and the records of
// all others, each once. What the deployment itself puts into a record does not depend on what the record was made for,
// nor does what comes back of ordinary values. The more answers, the rarer a fault may be that still shows.
func (s *Suite) everything() *spec.Observation[[]answered] {
	return spec.Observe(s.Plan, "all accepted creations", func(ctx context.Context) ([]answered, error) {
		base, err := s.c.Creation.Get(ctx)
		if err != nil {
			return nil, err
		}
		all := []answered{s.read(base)}
		known := map[int]bool{base.Seq: true}
		for _, a := range s.validAnswers(ctx)[1:] {
			if known[a.Seq] = true; !sameRecord(all[0], s.read(a)) {
				all = append(all, s.read(a))
			}
		}
		return s.withOthers(all, known), nil
	}, spec.OfAll)
}

// validAnswers are what the control and the other valid creations got that were sent, as far as they were accepted.
func (s *Suite) validAnswers(ctx context.Context) (all []target.Answer) {
	if base, err := s.c.Creation.Get(ctx); err == nil {
		all = append(all, base)
	}
	s.mu.Lock()
	meant := slices.Clone(s.meant)
	s.mu.Unlock()
	for _, v := range meant {
		if v.Launched() {
			_, _ = v.Get(ctx)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(all, s.made...)
}

// withOthers adds the records of creations that were not meant to be accepted, and of other suites.
func (s *Suite) withOthers(all []answered, known map[int]bool) []answered {
	at := map[string]int{}
	for i, a := range all {
		if id, ok := RecordID(a.x); ok {
			at[id] = i
		}
	}
	hidden := map[string]bool{} // transactions one of whose answers does not show which record it made
	for _, x := range s.t.Accepted(client.Create) {
		if _, shown := RecordID(x); !shown {
			hidden[s.transaction(x)] = true
		}
	}
	for _, x := range s.t.Accepted(client.Create) {
		a := s.read(target.Answer{Exchange: x})
		id, ok := RecordID(x)
		if known[x.Seq] || !ok || !a.holdsRecord() || hidden[s.transaction(x)] {
			continue
		}
		i, again := at[id]
		if !again {
			at[id] = len(all)
			all = append(all, a)
			continue
		}
		if !reflect.DeepEqual(all[i].ordinary, a.ordinary) { // whose record it is, is for others to say
			a.ordinary, all[i].ordinary = representative.Draft{}, representative.Draft{}
		}
		if !all[i].valid() && all[i].x.Status != http.StatusCreated && x.Status == http.StatusCreated {
			all[i] = a // a repeat may overtake the creation that it repeats
		}
	}
	return all
}

// transaction is the ID of the transaction that an exchange belongs to, however it was spelled.
func (s *Suite) transaction(x *client.Exchange) string {
	return strings.ToLower(x.Recorded.RequestHeader.Get(s.t.Deployment.LegalRepresentative.Headers.TransactionID))
}

// sameRecord reports that a creation was answered with the control's record, as if it were a repeat. Two records that
// only share an ID are not the same.
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

// judging returns what is wrong with an answer, nothing when it is right, and whether it says anything about the rule.
type judging func(a answered) (wrong string, judged bool)

// throughout declares a spec that judges a rule on every answer of the run; sent are the fields that it is about and
// that come back from the request.
func (s *Suite) throughout(text string, matcher Matcher, judge judging, sent ...string) {
	spec.Helper()
	run := s.everything()
	s.It(text, func(ctx spec.Context) { s.judge(ctx, run.Await(ctx), matcher, judge, sent...) })
}

// judge judges a rule on all answers, inside a spec.
func (s *Suite) judge(ctx spec.Context, all []answered, matcher Matcher, judge judging, sent ...string) {
	spec.Helper()
	base := s.read(s.c.Creation.Await(ctx))
	var tally Tally
	var broken, sound []answered
	for _, a := range all {
		switch wrong, judged := judge(a); {
		case judged && wrong != "":
			where := fmt.Sprintf("exchange %d, %s", a.x.Seq, a.x.Label)
			tally.Add(a.x, s.t.Client.Redactor().Text(wrong), where)
			broken = append(broken, a)
		case judged:
			sound = append(sound, a)
		}
	}
	for _, a := range sound {
		if a.showsTheSame(broken, sent) {
			tally.Open()
		} else {
			tally.Add(a.x, "", "")
		}
	}
	ctx.Attempts(tally.Judged, len(tally.Broken))
	ctx.Expect(tally).To(matcher)
	if tally.Judged == 0 {
		needRecord(ctx, base)
		ctx.NotVerified("", "no answer shows it, see %s", spec.Ref("create.success.fields"))
	}
}

// showsTheSame reports whether wrong answers all show what this one does, which would be the same with their fault.
func (a answered) showsTheSame(wrong []answered, sent []string) bool {
	for _, path := range sent {
		value, _ := a.record.Get(path)
		if len(wrong) > 0 && !slices.ContainsFunc(wrong, func(b answered) bool {
			other, _ := b.record.Get(path)
			return !reflect.DeepEqual(other, value)
		}) {
			return true
		}
	}
	return false
}

// gave is the value that was sent as the field of a path.
func (a answered) gave(path string) any {
	if sent := a.sent.Get(logical(path)); sent != nil {
		return sent
	}
	return a.ordinary.Get(logical(path))
}

// each declares a rule that is judged on every answer of the run.
func (s *Suite) each(id string, level Level, section Section, statement, text string, matcher Matcher,
	judge judging, sent ...string,
) {
	spec.Helper()
	s.Rule(id, level, section, statement, func() { s.throughout(text, matcher, judge, sent...) })
}

// ofRecords judges the answers that show a record.
func ofRecords(judge judging) judging {
	return func(a answered) (wrong string, judged bool) {
		if a.holdsRecord() {
			return judge(a)
		}
		return "", false
	}
}

// unlessRight is what was found, or nothing when it is right.
func unlessRight(right bool, found string) string {
	if right {
		return ""
	}
	return found
}

// needRecord ends the spec where there is no record: another rule judges that.
func needRecord(ctx spec.Context, a answered) {
	switch {
	case a.record == nil:
		ctx.NotVerified("", "the answer is not a JSON object, see %s", spec.Ref("create.success.json"))
	case !a.holdsRecord():
		ctx.NotVerified("", "the answer shows no field of a record, see %s", spec.Ref("create.success.fields"))
	}
}

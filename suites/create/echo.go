package create

import (
	"context"
	"net/http"
	"strings"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// echo: what was sent comes back the same. Values are compared, not JSON types: those have rules of their own.
func (s *suite) echo(v variations) {
	// Every field of an ordinary creation.
	for _, path := range rules.EchoFields() {
		s.p.It("create.echo."+path, "an ordinary value comes back", plan.After(s.c.Creation), func(ctx context.Context) {
			base := s.c.Creation.Await(ctx)
			s.comesBack(read("the valid creation", base.Exchange, base.Sent), path)
		})
	}

	// Names keep accents and apostrophes. No other rule says that such a name is accepted: one that is refused, while its
	// plain spelling is not, does not come back.
	s.sound("name", "accents and an apostrophe come back", v.accents, "the same name in plain letters", func(sent target.Creation) target.Creation {
		name, _ := sent.Draft.Get("name").(string)
		return sent.With("name", strings.ReplaceAll(name, accented, plainly))
	})

	// Leading zeros are digits like all others, and an address is wherever it is.
	for _, path := range []string{"document.number", "address.zip_code", "address.city", "address.federative_unit", "address.neighborhood"} {
		s.varied(path, "leading zeros and another place come back", v.elsewhere)
	}
	s.varied("address.country", "a country abroad comes back", v.abroad)

	// Percentages keep their decimals.
	for _, part := range v.participations {
		s.varied("participation_percentage", part.value+" comes back", part.seen)
	}

	// Money keeps every cent, beyond 32 bits and up to 53.
	for _, name := range []string{"income", "patrimony"} {
		for _, amount := range v.money[name] {
			if amount.value == most53 {
				s.kept(name, amount.value+" cents come back where they are accepted", amount.seen) // no limit is shown; there may be one
				continue
			}
			s.varied(name, amount.value+" cents come back", amount.seen)
		}
	}

	// Flags come back as true and as false, each as its own.
	for _, name := range []string{"pep", "is_public_server"} {
		for _, flag := range v.flags {
			check := "flags with " + flag.value + " come back"
			if flag.value == "both true" || flag.value == "only "+name+" true" {
				s.sound(name, check, flag.seen, "flags with "+flag.value+", but for "+name, with(name, false))
				continue
			}
			s.varied(name, check, flag.seen) // it is false, as everywhere else
		}
	}

	// All qualifications.
	for _, q := range v.qualifications {
		s.varied("representor_type", q.value+" comes back", q.seen)
	}

	// The last day of February in a leap year.
	for _, path := range []string{"birth_date", "relationship_start_date", "relationship_end_date"} {
		s.varied(path, "29 February comes back", v.leapDays)
	}
}

// echoOfOddities: how long a text and how far a date may be is open, and so is what forms are strict about. What is
// accepted comes back whole. Left open are the letter case of an email, which mail does not care about, further spaces
// between two names, and decimals of a percentage beyond the second.
func (s *suite) echoOfOddities(v variations) {
	for _, path := range []string{"name", "address.street"} {
		s.kept(path, "a long text that is accepted comes back", v.longTexts)
	}
	for _, path := range []string{"birth_date", "relationship_end_date"} {
		s.kept(path, "a far date that is accepted comes back", v.farDates)
	}
	s.kept("name", "hyphens that are accepted come back", v.rareTexts)
	s.kept("email", "a plus sign that is accepted comes back", v.rareTexts)
	s.keptBy("create.default.registration_update_date_kept", "registration_update_date",
		"a date before the start of the relationship that is accepted stays", v.earlierUpdate)

	// An address without a complement, where that is accepted, is an address.
	s.p.It("create.success.address", "an object without a complement, too", plan.After(v.noComplement, s.c.Creation), func(ctx context.Context) {
		base := s.c.Creation.Await(ctx)
		all := []answered{read("the valid creation", base.Exchange, base.Sent)}
		if m := v.noComplement.Await(ctx); m.Success() {
			all = append(all, read("no complement", m.Exchange, m.Sent))
		}
		s.needRecord(all[0])
		s.throughout(all, "the record does not carry the address as an object", "an object", func(a answered) (string, bool) {
			if a.record == nil || a.record.Type("address") == "object" {
				return "", a.record != nil
			}
			return "address: " + a.record.Type("address"), true
		})
	})
}

// kept declares that a field comes back from the ordinary creation and, unless it was refused, from a variation that
// nothing obliges the deployment to accept.
func (s *suite) kept(path, name string, seen *plan.Observation[made]) {
	s.keptBy("create.echo."+path, path, name, seen)
}

// keptBy is kept for a field that another rule than its echo is about.
func (s *suite) keptBy(rule, path, name string, seen *plan.Observation[made]) {
	s.p.It(rule, name, plan.After(seen, s.c.Creation), func(ctx context.Context) {
		base := s.c.Creation.Await(ctx)
		s.comesBack(read("the valid creation", base.Exchange, base.Sent), path)
		if seen.Await(ctx).Success() {
			s.variationComesBack(ctx, name, seen, path)
		}
	})
}

// varied declares that a field of a variation comes back.
func (s *suite) varied(path, name string, seen *plan.Observation[made]) {
	s.p.It("create.echo."+path, name, plan.After(seen, s.c.Creation), func(ctx context.Context) {
		s.variationComesBack(ctx, name, seen, path)
	})
}

// sound declares that a field of a variation comes back, whose value the document allows without any doubt, and whose
// acceptance no other rule is about: a refusal breaks this one, unless the same creation without that value is refused as
// well. edit takes the value back.
func (s *suite) sound(path, name string, seen *plan.Observation[made], twin string, edit change) {
	without := s.twin(twin, seen, edit)
	s.p.It("create.echo."+path, name, plan.After(seen, without, s.c.Creation), func(ctx context.Context) {
		m := seen.Await(ctx)
		a := without.Await(ctx)
		switch {
		case m.Success():
		case a.Exchange == nil:
			gomega.Expect(m.Answer).To(matchers.BeAccepted())
		case !a.Success():
			s.p.NotVerified("", "the request was not accepted (%s), and neither was %s (%s)", target.Describe(m.Exchange), twin, target.Describe(a.Exchange))
		default:
			m.Control = a.Exchange
			gomega.Expect(m.Answer).To(matchers.BeAccepted())
		}
		s.variationComesBack(ctx, name, seen, path)
	})
}

// twin declares that a creation which was refused is sent once more with one thing different. Nothing is sent for one that
// was accepted, and none for a server error: the control was held against that already.
func (s *suite) twin(what string, seen *plan.Observation[made], edit change) *plan.Observation[target.Answer] {
	return plan.Observe(s.p, what, func(ctx context.Context) (target.Answer, error) {
		m, err := seen.Get(ctx)
		if err != nil || m.Success() || m.Status >= http.StatusInternalServerError || m.Status == 0 {
			return target.Answer{}, err
		}
		if m.Status == http.StatusConflict {
			return target.Answer{}, plan.Unclear("answered 409, which is about identifiers, and these were fresh; see create.repeat.other_transaction")
		}
		return s.c.Creations(ctx, target.AboutField, func(target.Creation) target.Creation { return labelled(what, edit)(m.Sent.Again()) })
	})
}

func (s *suite) variationComesBack(ctx context.Context, what string, seen *plan.Observation[made], path string) {
	s.comesBack(s.recorded(ctx, what, seen), path)
}

// recorded is the record of a variation. Where the variation was not accepted, or was answered with the control's
// record, the check ends: another rule judges that.
func (s *suite) recorded(ctx context.Context, what string, seen *plan.Observation[made]) answered {
	m := seen.Await(ctx)
	base := s.c.Creation.Await(ctx)
	if !m.Success() {
		s.p.NotVerified("", "the request was not accepted: %s", target.Describe(m.Exchange))
	}
	a := read(what, m.Exchange, m.Sent)
	if sameRecord(read("", base.Exchange, base.Sent), a) {
		s.p.NotVerified("", "the answer is the record of another creation, see create.repeat.other_transaction")
	}
	return a
}

// comesBack judges one field of one record.
func (s *suite) comesBack(a answered, path string) {
	e := s.echoOf(a, path)
	if e.Likeness() == matchers.Incomparable {
		s.p.NotVerified("", "what came back cannot be compared (%s), see create.response.%s",
			s.t.Client.Redactor().Text(matchers.Shown(path, e.Got)), path)
	}
	gomega.Expect(e).To(matchers.ComeBackUnchanged())
}

// echoOf pairs what was sent with what came back. An absent field ends the check.
func (s *suite) echoOf(a answered, path string) matchers.Echo {
	s.needRecord(a)
	got, _ := a.record.Get(path)
	if got == nil {
		s.p.NotVerified("", "the record does not show %s, see create.success.fields", path)
	}
	return matchers.Echo{Path: path, Kind: kindOf(path), Sent: sentAt(a.sent, path), Got: got}
}

// kindOf is the documented kind of a record field.
func kindOf(path string) string {
	for _, f := range rules.RecordFields() {
		if f.Path == path {
			return f.Kind
		}
	}
	return "text"
}

// sentAt is the value that a draft sends for a field of the record.
func sentAt(sent representative.Draft, path string) any {
	for _, name := range representative.Logical() {
		if representative.ResponsePath(name) == path {
			return sent.Get(name)
		}
	}
	return nil
}

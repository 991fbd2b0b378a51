package create

import (
	"context"

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

	// Names keep accents and apostrophes. No rule says that such a name is accepted, so a server error shows up here.
	s.p.It("create.echo.name", "accents and an apostrophe come back", plan.After(v.accents, s.c.Creation), func(ctx context.Context) {
		if m := v.accents.Await(ctx); m.Status >= 500 {
			gomega.Expect(m.Answer).To(matchers.BeAccepted())
		}
		s.variationComesBack(ctx, "a name with accents and an apostrophe", v.accents, "name")
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
			s.varied(name, amount.value+" cents come back", amount.seen)
		}
	}

	// Flags come back as true and as false, each as its own.
	for _, name := range []string{"pep", "is_public_server"} {
		for _, flag := range v.flags {
			s.varied(name, "flags with "+flag.value+" come back", flag.seen)
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

// varied declares that a field of a variation comes back.
func (s *suite) varied(path, name string, seen *plan.Observation[made]) {
	s.p.It("create.echo."+path, name, plan.After(seen, s.c.Creation), func(ctx context.Context) {
		s.variationComesBack(ctx, name, seen, path)
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

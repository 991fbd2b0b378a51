package create

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/reproscript"
	. "github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observeSparseAfterFull declares a creation with all optional values, followed by one with
// none, while no other creation runs. Values that outlive their request show in the second
// record, which is judged with all others. A quick run sends neither.
func (s *Suite) observeSparseAfterFull() lab.AnswerObservation {
	if s.target.Depth == deployment.DepthQuick {
		return nil
	}
	full := lab.CombineProbes(withField("document_country_of_issue", "ARG"), withLanguage("en-US")).
		As("a country, dates and a complement, in English")
	sparse := lab.CombineProbes(withoutField("document_country_of_issue"),
		withoutField("registration_update_date"), withoutField("relationship_end_date"),
		withoutField("address.complement")).
		As("no country, end date, update date or complement, right after one with all")
	return spec.Observe(s.Plan, "two creations, the second without what the first gives",
		func(ctx context.Context) (last target.Answer, err error) {
			for _, p := range []lab.Probe{full, sparse} {
				if last, err = s.lab.SendInConfigurations(ctx, asValidProbe(p)); err != nil {
					break
				}
			}
			return last, err
		}, spec.PhaseLast)
}

// withSource adds the last earlier creation that sent a wrong value, as it may be carried over.
func withSource(wrong Flaw, a acceptedCreation, run []acceptedCreation) Flaw {
	expectation, is := wrong.Evidence.Sign.(reproscript.ExpectValue)
	if !is || wrong.Found == "" || wrong.Evidence.Repeat != nil {
		return wrong
	}
	var source *acceptedCreation
	got, _ := a.record.Get(expectation.Path)
	for _, f := range fieldsWhere(func(f field) bool { return f.Path == expectation.Path }) {
		for i, b := range run {
			if got != nil && b.exchange.StartedAt.Before(a.exchange.StartedAt) &&
				fmt.Sprint(b.sent.Get(f.Name)) == fmt.Sprint(got) &&
				(source == nil || source.exchange.StartedAt.Before(b.exchange.StartedAt)) {
				source = &run[i]
			}
		}
	}
	if source != nil {
		return wrong.ShownBy(source.exchange, a.exchange)
	}
	return wrong
}

// withRequestBefore adds the last request that sent a wrong value, whether it was accepted or not.
func (s *Suite) withRequestBefore(wrong Flaw, a acceptedCreation) Flaw {
	sign, is := wrong.Evidence.Sign.(reproscript.ExpectValue)
	got, _ := a.record.Get(sign.Path)
	at := slices.IndexFunc(RecordFields(), func(f field) bool { return f.Path == sign.Path })
	if !is || wrong.Found == "" || at < 0 {
		return wrong
	}
	path := creationfields.RequestPaths(
		s.target.Deployment.LegalRepresentative.Fields)[RecordFields()[at].Name]
	for seq := a.exchange.Seq - 1; seq > 0; seq-- {
		x := s.target.Client.Exchange(seq)
		if x == nil || x.Operation != client.OperationCreate {
			continue
		}
		if sent, _ := x.SentValue(path); fmt.Sprint(sent) == fmt.Sprint(got) {
			wrong.Evidence.Repeat = []spec.RepeatRequest{
				{Exchange: x, AnyStatus: true}, {Exchange: a.exchange},
			}
			break
		}
	}
	return wrong
}

// declareLeftOut declares the rule that a record shows no value that its request left out.
func (s *Suite) declareLeftOut() {
	s.Rule("create.echo.left_out", Should, SectionRequest,
		"A text or a date that the request leaves out, and that has no default, is not in the "+
			"record.",
		func() {
			s.observeSparseAfterFull()
			matcher := HoldForEveryAnswer("record", "nothing that the request left out")
			texts := fieldsWhere(func(f field) bool {
				return f.Path != "" && hasKind(KindText, KindDate)(f) &&
					f.Name != "document_country_of_issue" && f.Name != "registration_update_date"
			})
			s.itHoldsForEveryAnswer(matcher,
				func(a acceptedCreation) (Flaw, bool) {
					wrong, judged := showsNothingLeftOut(a, texts)
					return s.withRequestBefore(wrong, a), judged
				})
			persons := slices.DeleteFunc(slices.Clone(texts), // others may have the same default
				func(f field) bool { return !slices.Contains(representative.PersonalFields(), f.Name) })
			run := s.observeAllAccepted()
			s.It("shows nobody of an earlier creation", func(ctx spec.Context) {
				var tally RuleTally
				all := slices.Clone(run.Await(ctx))
				valid := len(all)
				for _, o := range s.lab.Unspecified(client.OperationCreate) {
					if a, ok := o.TryGet(ctx); ok && a.IsSuccess() {
						all = append(all, newAcceptedCreation(a))
					}
				}
				for _, a := range all[valid:] {
					wrong, _ := showsNothingLeftOut(a, persons)
					wrong = withSource(wrong, a, all)
					name, _ := a.record.Get("name")
					switch {
					case wrong.Found == "" || wrong.Evidence.Repeat != nil:
					case strings.Contains(fmt.Sprint(name), s.target.RunID): // whichever request sent it
						wrong = wrong.ShownBy(all[0].exchange, a.exchange)
					default: // the deployment may know it from elsewhere
						wrong = Flaw{}
					}
					tally.AddAnswer(a.exchange, wrong)
				}
				ctx.Expect(tally).To(matcher)
			})
		})
}

// showsNothingLeftOut judges whether the record has any of the fields that the request left out.
func showsNothingLeftOut(a acceptedCreation, fields []field) (flaw Flaw, judged bool) {
	for _, f := range fields {
		if a.sent.Has(f.Name) || !a.hasRecord() {
			continue
		}
		judged = true
		if got, _ := a.record.Get(f.Path); got != nil && got != "" {
			return a.fieldFlaw(f.Path, false,
				reproscript.ExpectValue{Path: f.Path, Right: `absent|null|""`}), true
		}
	}
	return flaw, judged
}

// declareOwnParts declares the rule that the parts of different records do not share IDs.
func (s *Suite) declareOwnParts() {
	s.Rule("create.response.own_parts", Should, SectionRecord,
		"Documents with different numbers have different IDs, and so have different addresses.",
		func() {
			run := s.observeAllAccepted()
			s.It("has no ID for two that differ", func(ctx spec.Context) {
				var tally RuleTally
				for _, part := range []string{"document", "address"} {
					first := map[string]acceptedCreation{}
					for _, a := range run.Await(ctx) {
						id, _ := a.record.Get(part + ".id")
						other, known := first[fmt.Sprint(id)]
						if uuid.Validate(fmt.Sprint(id)) != nil { // another rule judges that
							continue
						}
						if known && other.sentPart(part) == a.sentPart(part) {
							continue
						}
						first[fmt.Sprint(id)] = a
						tally.AddAnswer(a.exchange, FlawUnless(!known, "the "+part+" ID of another",
							reproscript.ExpectDifferent{Path: part + ".id"}).ShownBy(other.exchange, a.exchange))
					}
				}
				if tally.Judged == 0 {
					ctx.NotVerifiedf("", "no record shows the ID of its document or address")
				}
				ctx.Expect(tally).To(HoldForEveryAnswer("record", "an ID of its own"))
			})
		})
}

// sentPart returns what was sent of a part.
func (a acceptedCreation) sentPart(part string) string {
	var values []string
	for _, f := range fieldsWhere(func(f field) bool { return strings.HasPrefix(f.Path, part+".") }) {
		values = append(values, fmt.Sprint(a.sent.Get(f.Name)))
	}
	return strings.Join(values, "\n")
}

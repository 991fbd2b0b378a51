package create

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareServiceFields declares the rules on fields that only the service sets.
func (s *Suite) declareServiceFields() {
	parts := []lab.Probe{
		withField("id", target.NewUUID()), withField("document.id", target.NewUUID()),
		withField("document.type", "CNPJ"), withField("person_type", "LEGAL_PERSON"),
		withField("created_at", "2001-02-03T04:05:06Z"),
	}
	const together = "fields that only the service sets"
	s.Rule("create.response.own_fields", Should, SectionRecord,
		"What only the service sets is not taken from the request: id, document.id, document.type, "+
			"person_type, created_at.", func() {
			seen := s.observeTogetherOrAlone(together, parts)
			s.It("sets them itself, or rejects a creation with "+together, func(ctx spec.Context) {
				var taken []string
				var evidence spec.Evidence
				for _, a := range seen.Await(ctx) {
					if ctx.Expect(a).To(BeAnswered()); !a.IsSuccess() {
						continue
					}
					found := acceptedRecord(ctx, a)
					for _, p := range parts {
						path := p.ChangedFields[0]
						got, _ := found.record.Get(path)
						if got == nil || got != a.Sent.Draft.Get(path) || slices.Contains(taken, path) {
							continue
						}
						taken = append(taken, path)
						evidence.Repeat = spec.RepeatInOrder(a.Exchange)
						evidence.Sign = reproscript.ExpectValue{
							Path: path, Right: regexp.QuoteMeta(fmt.Sprintf("%q", got)), Not: true,
						}
					}
				}
				ctx.Expect(Flaw{Found: strings.Join(taken, ", "), Evidence: evidence}).
					To(BeFlawless("Taken from the request", "none of them"))
			})
		})
}

// observeTogetherOrAlone declares a creation with several edits. Where it is refused, each edit
// is sent alone, as the refusal of one hides the others.
func (s *Suite) observeTogetherOrAlone(
	what string, parts []lab.Probe,
) *spec.Observation[[]target.Answer] {
	together := s.observeValid(lab.CombineProbes(parts...).As(what))
	return spec.Observe(s.Plan, what+", together or alone",
		func(ctx context.Context) ([]target.Answer, error) {
			a, err := together.Get(ctx)
			if err != nil || !a.IsClientError() {
				return []target.Answer{a}, err
			}
			var alone []target.Answer
			for _, p := range parts {
				if a, err = s.lab.SendInConfigurations(ctx, asValidProbe(p)); err != nil {
					return nil, err
				}
				alone = append(alone, a)
			}
			return alone, nil
		})
}

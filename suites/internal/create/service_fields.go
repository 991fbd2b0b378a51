package create

import (
	"fmt"
	"regexp"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// withServiceFields returns creations that each set a field which only the service sets.
func withServiceFields() []lab.Probe {
	newUUID := func(any) any { return target.NewUUID() }
	return []lab.Probe{
		withFieldSpelled("an id", "id", newUUID),
		withFieldSpelled("a document.id", "document.id", newUUID),
		withField("document.type", "CNPJ"), withField("person_type", "LEGAL_PERSON"),
		withField("created_at", "2001-02-03T04:05:06Z"),
	}
}

// declareServiceFields declares the rule on fields that only the service sets.
func (s *Suite) declareServiceFields() {
	s.Rule("create.response.own_fields", Should, SectionRecord,
		"What only the service sets is not taken from the request: id, document.id, document.type, "+
			"person_type, created_at.", func() {
			var seen []lab.AnswerObservation
			for _, p := range withServiceFields() {
				seen = append(seen, s.observeValid(p))
			}
			s.It("sets them itself, or rejects a creation with fields that only the service sets",
				func(ctx spec.Context) {
					var taken []string
					var flaw Flaw
					for i, p := range withServiceFields() {
						a, path := seen[i].Await(ctx), p.ChangedFields[0]
						ctx.Expect(a).To(BeAnswered())
						if !a.IsSuccess() {
							continue
						}
						got, _ := acceptedRecord(ctx, a).record.Get(path)
						if got == nil || got != a.Sent.Draft.Get(path) {
							continue
						}
						taken = append(taken, path)
						flaw = FlawUnless(false, strings.Join(taken, ", "), reproscript.ExpectValue{
							Path: path, Right: regexp.QuoteMeta(fmt.Sprintf("%q", got)), Not: true,
						}).ShownBy(a.Exchange)
					}
					ctx.Expect(flaw).To(BeFlawless("Fields taken from the request", "none"))
				})
		})
}

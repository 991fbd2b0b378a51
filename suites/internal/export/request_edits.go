package export

import (
	"fmt"
	"net/http"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// requestEdit changes a valid export, which has unique bounds.
type requestEdit = func(*target.Request)

// newProbe returns an invalid export with the given edits.
func newProbe(what string, edits ...requestEdit) lab.Probe {
	return lab.Probe{
		Operation: client.OperationExport, Description: what, Edit: combineEdits(edits...),
	}
}

// combineEdits makes several edits in order.
func combineEdits(edits ...requestEdit) requestEdit {
	return func(r *target.Request) {
		for _, edit := range edits {
			edit(r)
		}
	}
}

// setFields replaces the fields of the body.
func setFields(f target.ExportFields) requestEdit {
	return func(r *target.Request) { r.Fields = f }
}

// setField sets one field of the body.
func setField(name string, value any) requestEdit {
	return func(r *target.Request) { r.SetField(name, value) }
}

// setBody replaces the whole body.
func setBody(text string) requestEdit { return func(r *target.Request) { r.Body = []byte(text) } }

// setHeader sets one header. An empty value is sent.
func setHeader(name, value string) requestEdit {
	return func(r *target.Request) { r.SetHeader(name, value) }
}

// leaveReplayDefault leaves replay protection at its default, which ignores the nonce.
func leaveReplayDefault(r *target.Request) { r.Mode = "" }

// filterByClient filters by a client's ID.
func filterByClient(id string) requestEdit {
	return combineEdits(setField("filter_type", "client_id"), setField("filter_text", id))
}

// filteredClient returns the client that filters name: the fixture, or an ID that no client has.
func (s *Suite) filteredClient() string {
	if id := s.t.Deployment.Fixtures.ClientID; id != "" {
		return id
	}
	return "gateassay-" + s.t.RunID
}

// validProbe returns a valid export with the given edits.
func validProbe(what string, edits ...requestEdit) lab.Probe {
	p := newProbe(what, edits...)
	p.Valid = true
	return p
}

// withOnlyField returns a valid export with a single field.
func withOnlyField(field string, value any) lab.Probe {
	return validProbe(fmt.Sprintf("only %s %v", field, value),
		setFields(target.ExportFields{field: value}))
}

// headerProbe returns an export with invalid headers. It may be refused with 401 or 403, too.
func headerProbe(what string, edits ...requestEdit) lab.Probe {
	return newProbe(what, edits...).Expecting(
		lab.Expectation{Conclusive: answers.ConclusiveForCaller, Matcher: BeRefused()})
}

// concerningCaller returns exports whose headers name whose objects they are for.
func concerningCaller(all ...lab.Probe) []lab.Probe {
	for i := range all {
		all[i].ConcernsCaller = true
	}
	return all
}

// ruleRejects declares a rule that each of the exports is rejected. Together they are tried with
// every option.
func (s *Suite) ruleRejects(
	id string, level Level, statement string, all []lab.Probe, options ...any,
) {
	spec.Helper()
	configs := s.lab.AssignConfigurations(client.OperationExport, id, len(all))
	s.Rule(id, level, SectionExport, statement, append(options, func() {
		for i, p := range all {
			p.Configurations = configs[i]
			s.rejected = append(s.rejected, rejectedExport{
				id, s.lab.ItRejects(p), p.Sampling != spec.Sampling{},
			})
		}
	})...)
}

// rejectedExport is an export that a rule expects to be rejected.
type rejectedExport struct {
	rule    string
	answer  lab.AnswerObservation
	sampled bool // not every run sends it
}

// itAccepts declares a case that a valid export is accepted. The doubts may end it.
func (s *Suite) itAccepts(p lab.Probe, doubts ...lab.InconclusiveCheck) {
	spec.Helper()
	p.InconclusiveChecks = doubts
	s.lab.ItAccepts(p, s.lab.ObserveProbe(p))
}

// inconclusiveUnlessFound ends the case where there seems to be no export operation. A
// deployment that refuses every export breaks the rule; one without anything at the path was not
// found.
func (s *Suite) inconclusiveUnlessFound(ctx spec.Context, got target.Answer) {
	ctx.StopOnError(answers.WebPageReason(got.Exchange))
	if got.Status != http.StatusNotFound && got.Status != http.StatusMethodNotAllowed {
		return
	}
	if _, ok := s.lab.ControlExport.TryGet(ctx); !ok {
		ctx.Inconclusivef(
			"every export gets %s: there seems to be no such operation; check base_url and export.path", got)
	}
}

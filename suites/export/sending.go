package export

import (
	"fmt"
	"net/http"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// edit changes a valid export, which has bounds that no other request shares.
type edit = func(*target.Request)

// probe is an export with something special about it.
func probe(what string, edits ...edit) lab.Probe {
	return lab.Probe{Operation: lab.Export, Description: what, Edit: both(edits...)}
}

// both makes several edits, one after another.
func both(edits ...edit) edit {
	return func(r *target.Request) {
		for _, edit := range edits {
			edit(r)
		}
	}
}

// fields replaces the body's fields.
func fields(f target.ExportFields) edit { return func(r *target.Request) { r.Fields = f } }

// with sets one field.
func with(name string, value any) edit {
	return func(r *target.Request) { r.SetField(name, value) }
}

// body replaces the whole body.
func body(text string) edit { return func(r *target.Request) { r.Body = []byte(text) } }

// header sets one header; an empty value is sent as such.
func header(name, value string) edit { return func(r *target.Request) { r.SetHeader(name, value) } }

func nonce(value string) edit { return func(r *target.Request) { r.Nonce = value } }

// uncompared leaves replay protection at its default, which does not look at the nonce.
func uncompared(r *target.Request) { r.Mode = "" }

// filter asks for a client.
func filter(id string) edit {
	return both(with("filter_type", "client_id"), with("filter_text", id))
}

// inTurn has a probe tried by some runs only.
func inTurn(turn spec.Sampling, p lab.Probe) lab.Probe { p.Sampling = turn; return p }

// someClient is the client that filters ask for: the fixture, or a name that nobody has.
func (s *Suite) someClient() string {
	if id := s.t.Deployment.Fixtures.ClientID; id != "" {
		return id
	}
	return "gateassay-" + s.t.RunID
}

// valid is a valid export. It does not rest on another export being accepted.
func valid(what string, edits ...edit) lab.Probe {
	p := probe(what, edits...)
	p.Valid, p.IgnoresControl = true, true
	return p
}

// only is an export with a single field.
func only(field string, value any) lab.Probe {
	return valid(fmt.Sprintf("only %s %v", field, value), fields(target.ExportFields{field: value}))
}

// rejects declares a rule that each of some exports is rejected: where it is about a header, with
// 401 and 403, too.
func (s *Suite) rejects(id string, level Level, statement string, all []lab.Probe, options ...any) {
	spec.Helper()
	contexts := s.lab.AssignConfigurations(lab.Export, id, len(all))
	for i := range all {
		p := &all[i]
		p.Configurations = contexts[i]
		if strings.HasPrefix(id, "export.header.") {
			p.Conclusive, p.Matcher = target.ConclusiveForCaller, BeRefused()
		}
		if strings.HasPrefix(id, "export.header.product.") || strings.HasPrefix(id,
			"export.header.target_user.") {
			p.ConcernsCaller = true
		}
		s.rejected = append(s.rejected, rejected{id, *p})
	}
	s.lab.RuleRejects(id, level, SectionExport, statement, all, options...)
}

// rejected is an export that a rule says is rejected.
type rejected struct {
	rule string
	lab.Probe
}

// accepts declares the case that a valid export is accepted, unless doubts end it.
func (s *Suite) accepts(p lab.Probe, doubts ...lab.InconclusiveCheck) {
	spec.Helper()
	p.InconclusiveChecks = doubts
	s.lab.ItAccepts(p, s.lab.ObserveProbe(p))
}

// controlled doubts what is refused where no valid export is accepted.
func (s *Suite) controlled(ctx spec.Context, _ target.Answer) { s.lab.ControlExport.Await(ctx) }

// found doubts that there is an export operation: a deployment that refuses every export breaks the
// rule, and one that has nothing at the path was not found.
func (s *Suite) found(ctx spec.Context, got target.Answer) {
	ctx.StopOnError(target.WebPageReason(got.Exchange))
	if got.Status != http.StatusNotFound && got.Status != http.StatusMethodNotAllowed {
		return
	}
	if _, ok := s.lab.ControlExport.TryGet(ctx); !ok {
		ctx.Inconclusivef(
			"every export gets %s: there seems to be no such operation; check base_url and export.path",
			got,
		)
	}
}

// example is an answered export and what was special about it.
type example struct {
	what   string
	answer target.Answer
}

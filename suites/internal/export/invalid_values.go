package export

import (
	"net/http"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareInvalidValues declares a rule for each class of invalid values. Each is tried on some
// fields of the body, in turn. The document lists no errors of the operation.
func (s *Suite) declareInvalidValues() {
	s.Describe("classes of wrong values", func() {
		s.ruleForClass("export.value.second_line",
			"A valid value followed by a second line is rejected.", invalidvalues.MultiLineTexts())
		s.ruleForClass("export.value.control_characters",
			"A value with control characters in it is rejected.", invalidvalues.ControlCharacters())
		s.ruleForClass("export.value.other_letters",
			"Digits and letters that only look like those of ASCII are rejected in dates and listed values.",
			invalidvalues.LookAlikeCharacters())
		s.ruleForClass("export.value.wrapped", "A valid value inside an array or an object is "+
			"rejected.",
			invalidvalues.WrappedInJSON())
		s.ruleForClass("export.value.other_type", "A boolean in place of a text is rejected.",
			[]invalidvalues.Value{
				{Description: "that is a boolean", Apply: invalidvalues.ReplaceWithJSON("true")},
			})
	})
}

// ruleForClass declares the rule of a class. A field whose other invalid values are accepted
// shows nothing about it.
func (s *Suite) ruleForClass(id, statement string, values []invalidvalues.Value) {
	spec.Helper()
	right := []struct {
		name  string
		value any // nil: a bound
	}{
		{"sort", "settled_date"},
		{"order", "asc"},
		{"filter_type", "client_id"},
		{"type_extension", "CSV"},
		{"date_start", nil},
		{"date_end", nil},
	}
	var simpler []rejectedExport // invalid values of the same fields
	var uses []spec.AnyObservation
	for _, r := range s.rejected {
		if strings.HasPrefix(r.rule, "export.body.") && !r.sampled {
			simpler, uses = append(simpler, r), append(uses, r.answer)
		}
	}
	var all []lab.Probe
	n := len(right) * len(values)
	for at := range n {
		f, v := right[at/len(values)], values[at%len(values)]
		p := newProbe(f.name+" "+v.Description, func(r *target.Request) {
			if f.value != nil {
				r.SetField(f.name, f.value)
			}
			if f.name == "filter_type" {
				r.SetField("filter_text", s.filteredClient())
			}
			r.SetField(f.name, v.Apply(r.Fields[f.name]))
		})
		p.Sampling = spec.SampledBySeed(at/len(values)+at%len(values), n)
		if v.LooksLikeAttack {
			p.Conclusive, p.Matcher = answers.ConclusiveForAttack, BeRefused(http.StatusUnauthorized)
		}
		p.InconclusiveChecks = []lab.InconclusiveCheck{func(ctx spec.Context, got target.Answer) {
			for _, r := range simpler {
				if r.rule != "export.body."+f.name || got.IsClientError() {
					continue
				}
				if b, ok := r.answer.TryGet(ctx); ok && !b.IsClientError() {
					ctx.NotVerifiedf("", "other wrong values of the field are not refused either, see %s", r.rule)
				}
			}
		}}
		all = append(all, p)
	}
	s.ruleRejects(id, Should, statement, all, spec.UsesObservations(uses...))
}

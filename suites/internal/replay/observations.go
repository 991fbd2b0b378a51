package replay

import (
	"fmt"
	"net/http"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// observedStep is one of several consecutive requests, each derived from the first.
type observedStep struct {
	description string
	mode        string                // name of the mode; empty: as the first
	nonce       string                // empty: as the first
	body        string                // format of the two bounds; empty: as the first
	edit        func(*target.Request) // further changes; nil: none
}

// declareObservations declares the rules that record which requests count as earlier ones, when
// two bodies are the same, and what undocumented values of the header do.
func (s *Suite) declareObservations() {
	other := target.NewUUID()
	again := observedStep{description: "the same again"}
	renewed := observedStep{description: "with another nonce", nonce: other}

	s.ruleObservesSteps("replay.observed.rejected_counts",
		"Whether a request that was rejected counts as an earlier one.",
		observedStep{description: "a malformed nonce", mode: "none", nonce: "not-a-uuid"},
		observedStep{description: "the same body with a good nonce", nonce: other})
	s.ruleObservesSteps("replay.observed.blocked_counts",
		"Whether a request that was blocked counts as an earlier one.",
		observedStep{description: "no replay value", mode: "none"}, renewed,
		observedStep{description: "with that nonce, now compared", nonce: other, mode: "nonce"})
	s.ruleObservesSteps("replay.observed.cross_mode", "Whether one mode sees requests of another.",
		observedStep{description: "with nonce", mode: "nonce"},
		observedStep{description: "the same without a value", mode: "none"},
		observedStep{description: "the same with both identifiers", mode: "transaction_nonce"})
	s.ruleObservesSteps("replay.observed.key_order",
		"Whether another order of keys makes another body.",
		observedStep{description: "one order", body: `{"date_start":"%[1]s","date_end":"%[2]s"}`},
		observedStep{description: "another order", body: `{"date_end":"%[2]s","date_start":"%[1]s"}`})
	s.ruleObservesSteps("replay.observed.white_space", "Whether other white space makes another body.",
		observedStep{
			description: "without white space", body: `{"date_start":"%[1]s","date_end":"%[2]s"}`,
		},
		observedStep{
			description: "with white space",
			body:        "{\n  \"date_start\": \"%[1]s\",\n  \"date_end\": \"%[2]s\"\n}",
		})

	s.ruleObservesSteps("replay.observed.value_case", "The replay protection value in upper case.",
		observedStep{description: "NONCE", edit: func(call *target.Request) { call.Mode = "NONCE" }},
		again, renewed)
	s.ruleObservesSteps("replay.observed.empty_value", "An empty replay protection value.",
		observedStep{description: "an empty value", edit: func(call *target.Request) {
			call.SetHeader(target.HeaderReplay, "")
		}}, again, renewed)
	s.ruleObservesSteps("replay.observed.no_transaction",
		"The transaction mode without a transaction ID.",
		observedStep{
			description: "no transaction ID", mode: "transaction",
			edit: func(call *target.Request) { call.Transaction = "" },
		}, again, renewed)
}

func (one observedStep) apply(call *target.Request) {
	if one.mode != "" {
		call.Mode = modeByName(one.mode).Header
	}
	if one.nonce != "" {
		call.Nonce = one.nonce
	}
	if one.body != "" {
		call.Body = fmt.Appendf(nil, one.body, call.Fields["date_start"], call.Fields["date_end"])
	}
	if one.edit != nil {
		one.edit(call)
	}
}

// ruleObservesSteps declares a rule that records the answers to consecutive requests.
func (s *Suite) ruleObservesSteps(id, statement string, steps ...observedStep) {
	spec.Helper()
	s.Rule(id, Observe, SectionExport, statement, func() {
		seen := spec.ObserveAsCase(s.Plan, statement,
			func(ctx spec.Context) []*client.Exchange { return s.sendSteps(ctx, steps) })
		s.It("sends "+steps[0].description+" and what follows it", func(ctx spec.Context) {
			for i, x := range seen.Await(ctx) {
				fate := "passes"
				if !x.IsSuccess() {
					fate = "is refused"
				}
				ctx.RecordObserved(steps[i].description, fmt.Sprintf("%s (%d)", fate, x.Status))
			}
		})
	})
}

func (s *Suite) sendSteps(ctx spec.Context, steps []observedStep) (all []*client.Exchange) {
	first := s.newFirstRequest(modeByName("none"), steps[0].description, nil)
	steps[0].apply(&first)
	s.lab.ControlExport.WaitDone(ctx)
	for i, one := range steps {
		call := first
		call.Label = one.description
		if i > 0 {
			call.Label = steps[0].description + ", then " + one.description
			one.apply(&call)
		}
		call.RepeatsExport, call.MayBlock = i > 0, i > 0 && !s.throttles.Load()
		x := s.target.Send(ctx, func() target.Request { return call })
		if i > 0 {
			s.lab.MarkInvalid(x)
			s.classify429(ctx, x, call)
		}
		err := s.lab.TransientError(ctx, x)
		if err != nil && (x.Status != http.StatusTooManyRequests || !s.isConclusive(x)) {
			ctx.StopOnError(err)
		}
		all = append(all, x)
	}
	return all
}

// Package proof holds the suites against every fault of the reference gateway: a harness is worth what it catches. Its
// result is the kill matrix: fault × rules that failed.
package proof

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Subject is one gateway to hold the suites against.
type Subject struct {
	Fault    reference.Fault // zero: none
	Variant  string          // empty: the default choices
	Choices  reference.Choices
	Seed     int64                           // of the gateway's data and of the choices that the suites make
	Random   bool                            // checks in random order, from the seed
	Order    int64                           // that the order is from; 0: the seed
	InFlight int                             // requests at once; 0: as the deployment file says
	Around   func(http.Handler) http.Handler // hears what the gateway is asked; nil: nobody does
	OwnTopic bool                            // only the rules that the fault may break are verified: those of its topic, and what it sweeps
}

// Name sets the subject apart in tables.
func (s Subject) Name() string {
	switch {
	case s.Fault.Name != "":
		return s.Fault.Name
	case s.Variant != "":
		return s.Variant
	}
	return fmt.Sprintf("healthy, seed %d", s.Seed)
}

// Finding is what the suites said of a subject.
type Finding struct {
	Subject      Subject
	Failed       []string // rules that failed, in the order of the catalogue
	Headlines    []string // of the defects that they were grouped into
	Violated     []string // those of Failed that are violations: must and security rules
	Inconclusive []string
	NotVerified  []string // of must and should rules
	Reasons      map[string]string
	Faults       []string                   // defects of the harness
	Catalogue    []rules.Rule               // that was verified
	Verdicts     map[string]string          // of every rule
	Ends         map[string][]record.Became // how each of Failed does
	Requests     int
	Took         time.Duration
}

// Killed reports whether the fault's own rule failed, and every other that a sweeping fault breaks.
func (f Finding) Killed() bool {
	return slices.Contains(f.Failed, f.Subject.Fault.Rule) && len(f.Missed()) == 0
}

// Missed lists the rules that a sweeping fault breaks and that did not fail.
func (f Finding) Missed() []string {
	var list []string
	for _, r := range f.Catalogue {
		if r.Level != rules.Observe && f.Subject.sweeps(r.ID) && !slices.Contains(f.Failed, r.ID) {
			list = append(list, r.ID)
		}
	}
	return list
}

func (s Subject) sweeps(rule string) bool {
	return slices.ContainsFunc(s.Fault.Sweeps, func(pattern string) bool { return rules.Match(pattern, rule) })
}

// wanted is nil where every rule is.
func (s Subject) wanted() func(rules.Rule) bool {
	if !s.OwnTopic {
		return nil
	}
	return func(r rules.Rule) bool {
		return related(rules.Rule{ID: s.Fault.Rule}, r) || s.sweeps(r.ID)
	}
}

// Unrelated lists the failed rules that are neither related to the fault's own rule nor swept by it.
func (f Finding) Unrelated() []string {
	own := rules.Rule{ID: f.Subject.Fault.Rule}
	var list []string
	for _, id := range f.Failed {
		if !related(own, rules.Rule{ID: id}) && !f.Subject.sweeps(id) {
			list = append(list, id)
		}
	}
	return list
}

// related reports whether rules are of one operation and topic. Those of the operation replay all speak of one memory.
func related(a, b rules.Rule) bool {
	return a.Operation() == b.Operation() && (a.Topic() == b.Topic() || a.Operation() == "replay")
}

// Options say how subjects are examined; the zero value will do.
type Options struct {
	SideBySide int    // gateways at once; 0: four for each processor
	Found      func() // called for each finding as it comes in; nil: nothing is
}

// Examine holds the suites against each subject, several side by side, and returns the findings in the same order.
// When ctx ends, the findings are those that came in before.
func Examine(ctx context.Context, subjects []Subject, o Options) ([]Finding, error) {
	findings, errs := make([]Finding, len(subjects)), make([]error, len(subjects))
	slots := make(chan struct{}, cmp.Or(max(0, o.SideBySide), 4*runtime.GOMAXPROCS(0)))
	var running sync.WaitGroup
	var finding sync.Mutex
	for i, s := range subjects {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			findings[i], errs[i] = examine(ctx, s, o)
			if o.Found != nil && errs[i] == nil {
				finding.Lock()
				o.Found()
				finding.Unlock()
			}
		})
	}
	running.Wait()
	var whole []Finding
	for i, err := range errs {
		switch {
		case err == nil:
			whole = append(whole, findings[i])
		case ctx.Err() == nil:
			return whole, fmt.Errorf("%s: %w", subjects[i].Name(), err)
		}
	}
	return whole, ctx.Err()
}

// enoughCreations is what all checks need when no rejection is clear: each may then have made a record.
const enoughCreations = 600

func examine(ctx context.Context, s Subject, how Options) (Finding, error) {
	if ctx.Err() != nil {
		return Finding{}, ctx.Err()
	}
	started := time.Now()
	o := reference.Options{Seed: s.Seed, Choices: s.Choices, Around: s.Around}
	if s.Fault.Name != "" {
		o.Faults = []string{s.Fault.Name}
	}
	gateway, err := suites.StartReference(ctx, o)
	if err != nil {
		return Finding{}, err
	}
	defer gateway.Close()
	dep := gateway.Deployment
	if len(s.Fault.Sweeps) > 0 {
		dep.Limits.MaxCreates = enoughCreations
	}
	c, err := client.New(dep, client.Options{InFlight: s.InFlight})
	if err != nil {
		return Finding{}, err
	}
	defer c.Close()
	p := suites.Declare(target.New(dep, c, s.Seed), spec.Options{}, nil)
	order := spec.Order{Random: s.Random, Seed: cmp.Or(s.Order, s.Seed)}
	if wanted := s.wanted(); wanted != nil {
		p.Select(wanted)
	}
	p.Run(ctx, order)
	if ctx.Err() != nil {
		return Finding{}, ctx.Err()
	}
	f := read(s, p, c, time.Since(started))
	f.Faults = append(f.Faults, betrayals(p, dep)...)
	return f, nil
}

// betrayals lists the checks whose words hold a credential.
func betrayals(p *spec.Plan, dep *deployment.File) []string {
	var secrets, list []string
	known := dep.Credentials
	for _, credential := range []*deployment.Credential{
		known.PlatformToken, known.APIKey, known.ExpiredToken, known.NotYetValidToken,
		known.Unprivileged, known.OtherUser,
	} {
		if credential == nil {
			continue
		}
		secrets = append(secrets, credential.Value)
		if i := strings.LastIndexByte(credential.Value, '.'); i >= 0 {
			secrets = append(secrets, credential.Value[i+1:])
		}
	}
	for _, k := range p.Cases() {
		r := p.Result(k)
		if r != nil && slices.ContainsFunc(secrets,
			func(s string) bool { return strings.Contains(r.Message+r.Expected+r.Actual, s) }) {
			list = append(list, "a credential is in the message of "+k.String())
		}
	}
	return list
}

func read(s Subject, p *spec.Plan, c *client.Client, took time.Duration) Finding {
	f := Finding{
		Subject: s, Faults: p.Faults(), Catalogue: p.Catalogue(), Requests: c.Stats().Sent, Took: took,
		Reasons: map[string]string{}, Verdicts: map[string]string{}, Ends: map[string][]record.Became{},
	}
	var checks []record.Check
	for _, k := range p.Cases() {
		r := p.Result(k)
		if r == nil {
			f.Faults = append(f.Faults, "never judged: "+k.String())
			continue
		}
		checks = append(checks, r.Check)
	}
	judged, _, _ := record.Judge(p.Catalogue(), checks, nil, time.Now())
	for _, d := range record.Defects(judged) {
		f.Headlines = append(f.Headlines, d.Headline)
	}
	for _, r := range judged {
		f.Verdicts[r.ID] = string(r.Verdict)
		switch {
		case r.Verdict == record.Fail:
			f.Failed = append(f.Failed, r.ID)
			f.Ends[r.ID] = record.Ends(r)
			if r.Binding() {
				f.Violated = append(f.Violated, r.ID)
			}
		case r.Verdict == record.Inconclusive:
			f.Inconclusive = append(f.Inconclusive, r.ID)
		case r.Verdict == record.NotVerified && r.Level != string(rules.Observe):
			f.NotVerified = append(f.NotVerified, r.ID)
		default:
			continue
		}
		f.Reasons[r.ID] = r.Reason
	}
	return f
}

// Package doctor finds out whether a deployment can be tested before a run is spent on it: the way to it, the clock,
// each credential, each fixture and the retrieval of files. Every finding says what to do.
package doctor

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/target"
)

// State of a finding.
type State string

// States, from harmless to fatal.
const (
	OK      State = "ok"
	Absent  State = "absent"  // not given: rules stay unverified
	Warning State = "warning" // tests will run, some will not tell much
	Broken  State = "broken"  // given, and does not work
)

// Finding is one thing looked at.
type Finding struct {
	Topic string // route, clock, credentials, fixtures, retrieval
	Name  string // what was looked at, by its key in the deployment file where it has one
	State State
	Text  string // what was found
	Do    string // what to do about it; empty when nothing is to be done

	Blocks []string // keys of the deployment file that cannot serve because of it; what is broken blocks its own
}

// Report is what the doctor found.
type Report struct {
	Findings  []Finding
	Reachable bool // an export with the main credential was accepted
	Created   int  // representatives that the examination created
}

// Blocked finds what keeps a rule from being verified although the deployment file gives what it needs; nil: nothing does.
// needs are those of the rule; "a|b" is met by either.
func (r Report) Blocked(needs []string) *Finding {
	for _, need := range needs {
		var by *Finding
		for key := range strings.SplitSeq(need, "|") {
			at := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.blocks(key) })
			if at < 0 && !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.State == Absent && f.Name == key }) {
				by = nil
				break
			}
			if at >= 0 {
				by = &r.Findings[at]
			}
		}
		if by != nil {
			return by
		}
	}
	return nil
}

func (f Finding) blocks(key string) bool {
	return f.State == Broken && f.Name == key || slices.Contains(f.Blocks, key)
}

type examiner struct {
	dep *deployment.File
	t   *target.Target

	mu       sync.Mutex
	findings map[string][]Finding
}

// Examine looks at a deployment. It sends a few exports and, where a shareholder is given, creates one representative.
func Examine(ctx context.Context, dep *deployment.File, c *client.Client) Report {
	e := &examiner{dep: dep, t: target.New(dep, c, 1), findings: map[string][]Finding{}}
	reachable := e.route(ctx) && e.main(ctx)
	if reachable {
		var wait sync.WaitGroup
		for _, look := range []func(context.Context){e.credentials, e.headers, e.creations, e.files} {
			wait.Go(func() { look(ctx) })
		}
		wait.Wait()
	}
	e.absent()
	r := Report{Reachable: reachable, Created: len(c.Created())}
	for _, topic := range []string{"route", "clock", "credentials", "fixtures", "retrieval"} {
		r.Findings = append(r.Findings, e.findings[topic]...)
	}
	return r
}

func (e *examiner) add(f Finding) {
	f.Text, f.Do = e.t.Client.Redactor().Text(f.Text), e.t.Client.Redactor().Text(f.Do)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.findings[f.Topic] = append(e.findings[f.Topic], f)
}

// absent lists what the deployment file does not give.
func (e *examiner) absent() {
	for _, key := range []string{
		"credentials.platform_token", "credentials.api_key", "credentials.expired_token", "credentials.unprivileged", "credentials.other_user",
	} {
		e.missing("credentials", key)
	}
	for _, key := range []string{
		"fixtures.shareholder_id", "fixtures.foreign_shareholder_id", "fixtures.product_id", "fixtures.target_user_id",
		"fixtures.default_wallet_id", "fixtures.other_wallet_id", "fixtures.client_id", "fixtures.window",
		"legal_representative.documents",
	} {
		e.missing("fixtures", key)
	}
	e.missing("retrieval", "export.file")
}

func (e *examiner) missing(topic, key string) {
	if !e.dep.Has(key) {
		e.add(Finding{Topic: topic, Name: key, State: Absent, Text: "not given", Do: "add it to verify more rules"})
	}
}

// Package doctor asks a deployment two questions before a run is spent on it. Examine holds its deployment file against
// it: the way to it, the clock, each credential, each fixture and the retrieval of files; every finding says what to do.
// Propose finds what such a file would have to say.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// State of a finding.
type State string

// States, from harmless to fatal.
const (
	OK      State = "ok"
	Absent  State = "absent"  // not given: rules stay unverified
	Untried State = "untried" // given, and only a run shows whether it is right
	Warning State = "warning" // tests will run, some will say little
	Broken  State = "broken"  // given, and does not work
)

// Creations is the limit that leaves rules unverified, which ones the run decides.
const Creations = "limits.max_creates"

// Finding is one thing looked at.
type Finding struct {
	Topic string // one of topics, by the name
	Name  string // what was looked at, by its key in the deployment file where it has one
	State State
	Text  string // what was found
	Do    string // what to do about it; empty when nothing is to be done

	Blocks     []string // keys of the deployment file that cannot serve because of it; what is broken blocks its own
	Operations []string // create, export: those of which no valid request is accepted because of it
	Rules      []string // further rules that it keeps from being verified: IDs or patterns
	Spares     []string // rules that can be verified all the same: IDs or patterns
}

// Report is what the doctor found.
type Report struct {
	Findings  []Finding
	Obstacle  *Obstacle // the one thing in the way of every test; nil: there is none, or more than one
	Reachable bool      // a valid export or a valid creation was accepted
	Created   int       // representatives that the examination created
}

// Blocked finds what keeps a rule from being verified although the deployment file gives what it needs; nil: nothing
// does. Of alternatives, "a|b", either is enough.
func (r Report) Blocked(rule rules.Rule) *Finding {
	about := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return rules.Match(p, rule.ID) })
	}
	for i, f := range r.Findings {
		if about(f.Rules) || slices.ContainsFunc(rule.Operations(), func(o string) bool {
			return slices.Contains(f.Operations, o)
		}) {
			return &r.Findings[i]
		}
	}
	for _, need := range rule.Needs {
		var by *Finding
		for key := range strings.SplitSeq(need, "|") {
			at := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.blocks(key) && !about(f.Spares) })
			if at < 0 && !slices.ContainsFunc(r.Findings, func(f Finding) bool {
				return f.State == Absent && f.Name == key
			}) {
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
	dep      *deployment.File
	t        *target.Target
	created  *client.Exchange // what the last valid creation got; nil: none was sent
	findings []Finding
}

// Examine looks at a deployment. It sends a few exports and, where a shareholder is given, creates one representative,
// and more where what has to be refused is accepted.
func Examine(ctx context.Context, dep *deployment.File, c *client.Client) Report {
	e := &examiner{dep: dep, t: target.New(dep, c, 1)}
	r := Report{}
	if r.Obstacle = e.route(ctx); r.Obstacle == nil {
		export := e.main(ctx)
		answers := []*client.Exchange{export}
		silence := silent(dep, export)
		served := export.Success() && target.WebPage(export) == nil
		if served {
			e.credentials(ctx)
			e.headers(ctx)
			e.files(ctx)
		}
		if export.Err == nil && silence == nil && dep.Fixtures.ShareholderID != "" {
			e.creations(ctx)
			answers = append(answers, e.created)
		}
		if r.Obstacle = Obstruct(dep, answers, nil); r.Obstacle == nil {
			r.Obstacle = OutOfOrder(dep, answers)
		}
		r.Reachable = r.Obstacle == nil && (served || e.created != nil && e.created.Success())
		if r.Obstacle == nil {
			r.Obstacle = silence
		}
	}
	e.settings(r.Reachable)
	r.Created = len(c.Created())
	slices.SortStableFunc(e.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(topics(), a.Topic), slices.Index(topics(), b.Topic)),
			cmp.Compare(place(a.Name), place(b.Name)))
	})
	r.Findings = e.findings
	return r
}

func topics() []string {
	return []string{"route", "clock", "credentials", "creation", "fixtures", "export"}
}

// topic is where what is said of a name belongs.
func topic(name string) string {
	switch first, _, _ := strings.Cut(name, "."); first {
	case "clock", "credentials", "creation", "fixtures", "export":
		return first
	case "legal_representative", "limits":
		return "creation"
	case "base_url":
		return "export"
	}
	return "route"
}

// optional are the keys that verify more rules where they are given.
func optional() []string {
	return []string{
		"credentials.platform_token", "credentials.api_key", "credentials.expired_token", "credentials.revoked_api_key",
		"credentials.unprivileged", "credentials.other_user", "fixtures.shareholder_id",
		"fixtures.foreign_shareholder_id", "fixtures.product_id", "fixtures.target_user_id",
		"fixtures.default_wallet_id", "fixtures.other_wallet_id", "fixtures.window", "fixtures.client_id",
		"legal_representative.documents", "export.file",
	}
}

// place is where a finding stands among those of its topic, whichever was made first.
func place(name string) int {
	order := append([]string{"name", "connection", "tls", "export.path", "export"}, optional()...)
	if at := slices.Index(order, name); at >= 0 && topic(name) != "creation" {
		return at
	}
	return len(order)
}

func (e *examiner) add(f Finding) {
	f.Topic = topic(f.Name)
	f.Text, f.Do = e.t.Client.Redactor().Text(f.Text), e.t.Client.Redactor().Text(f.Do)
	for i := range e.findings {
		other := &e.findings[i]
		if f.State == Broken && other.State == Broken && f.Name == other.Name && f.Do == other.Do { // said already
			other.Blocks = append(other.Blocks, f.Blocks...)
			other.Operations = append(other.Operations, f.Operations...)
			return
		}
	}
	e.findings = append(e.findings, f)
}

// found adds a finding that blocks nothing but its own key.
func (e *examiner) found(name string, state State, text, do string) {
	e.add(Finding{Name: name, State: state, Text: text, Do: do})
}

// settings lists what the deployment file does not give; of a deployment that can be tested also what is given and takes
// a run to be tried, and a limit that is too low for a whole run.
func (e *examiner) settings(reachable bool) {
	for _, key := range optional() {
		if !e.dep.Has(key) {
			e.found(key, Absent, "not given", "add it to verify more rules")
		}
	}
	if !reachable || e.dep.Fixtures.ShareholderID == "" {
		return
	}
	for _, key := range []string{"legal_representative.headers.language", "fixtures.target_user_shareholder_id"} {
		if e.dep.Has(key) {
			e.found(key, Untried, "only a run tries it", "")
		}
	}
	const whole = 80 // the default of the limit, which leaves room
	if most := e.dep.Limits.MaxCreates; most < whole {
		e.found(Creations, Warning, fmt.Sprintf("a run creates at most %d: a whole one takes more", most),
			fmt.Sprintf("raise it to %d, or rules stay unverified for it", whole))
	}
}
